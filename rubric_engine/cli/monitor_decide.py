"""`rubric-engine monitor confirm | dismiss | show`: what a person says of a run's findings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rubric_engine.monitored import Decision
    from rubric_engine.result import Report

_Run = Annotated[str, typer.Argument(help="A run: its path, the end of its name, or latest.")]
_Finding = Annotated[str, typer.Argument(help="Id of the finding, or its beginning.")]
_Why = Annotated[str, typer.Option(help="Why; it is kept, and shown with the score.")]
_By = Annotated[str | None, typer.Option(help="Who says so; the user's name by default.")]
_Runs = Annotated[Path | None, typer.Option(help="Folder of runs.")]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def confirm(
    run: _Run,
    finding: _Finding,
    why: _Why,
    by: _By = None,
    runs: _Runs = None,
    as_json: _Json = False,
) -> int:
    """Say that a finding is a violation: the run is disqualified, until it is dismissed."""
    return _decide("confirm", run, finding, why, by, runs, as_json=as_json)


def dismiss(
    run: _Run,
    finding: _Finding,
    why: _Why,
    by: _By = None,
    runs: _Runs = None,
    as_json: _Json = False,
) -> int:
    """Say that a finding is no violation; it takes back what `confirm` said."""
    return _decide("dismiss", run, finding, why, by, runs, as_json=as_json)


def _decide(
    decision: Decision,
    run: str,
    finding: str,
    why: str,
    by: str | None,
    runs: Path | None,
    *,
    as_json: bool,
) -> int:
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.monitor_lines import decided_lines
    from rubric_engine.cli.output import print_json, show
    from rubric_engine.cli.report_page import keep_page
    from rubric_engine.cli.summary import score_lines
    from rubric_engine.monitored import MonitorDecision
    from rubric_engine.runs import decide, find_run

    said = MonitorDecision(
        finding=finding, decision=decision, why=_text(why, "--why"), by=_who(by), at=_now()
    )
    report, name = decide(find_run(run, run_bases(runs)), said, keep=keep_page)
    assert report.monitor is not None
    if as_json:
        print_json(_document(report) | {"finding": name, "decision": decision, "exit_code": 0})
    else:
        show(*decided_lines(report.monitor, name), "", *score_lines(report))
    return 0


def show(run: _Run, runs: _Runs = None, as_json: _Json = False) -> int:
    """List what the monitor found in a run, and what was decided of it."""
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.cli.monitor_lines import outcome_lines
    from rubric_engine.cli.output import note, print_json
    from rubric_engine.cli.output import show as print_lines
    from rubric_engine.runs import find_run, load_report

    report = load_report(find_run(run, run_bases(runs)))
    if as_json:
        print_json(_document(report) | {"exit_code": 0})
    elif report.monitor is None:
        note("the monitor did not look at this run: it ended before, or another release made it")
    else:
        print_lines(*outcome_lines(report.monitor))
    return 0


def _document(report: Report) -> dict[str, Any]:
    found = report.monitor
    return {
        "ok": True,
        "run": report.run,
        "score": report.score.model_dump(include={"value", "low", "high", "coverage"}),
        "disqualified": report.disqualified,
        "monitor": found.model_dump(mode="json") if found is not None else None,
    }


def _text(text: str, flag: str) -> str:
    """A text of a person's on one line.

    Raises:
        UsageError: It says nothing.
    """
    from rubric_engine.errors import UsageError

    plain = " ".join(text.encode("utf-8", "replace").decode().split())
    if not plain:
        raise UsageError(f"{flag} says nothing", fix=[f"{flag} 'the table was typed in by hand'"])
    return plain


def _who(by: str | None) -> str:
    from getpass import getuser

    if by is not None:
        return _text(by, "--by")
    try:
        return _text(getuser(), "--by")
    except (KeyError, OSError):  # as in a container, whose user has no name
        return "unknown"


def _now() -> str:
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="seconds")
