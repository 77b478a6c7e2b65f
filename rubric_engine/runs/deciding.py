"""Deciding on what the monitor found in a run that was kept."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rubric_engine.errors import RunError
from rubric_engine.monitored import MonitorDecision, MonitorOutcome, MonitorReport, Policy
from rubric_engine.near import near
from rubric_engine.replacing import replace_text
from rubric_engine.result import Report
from rubric_engine.rundir import add_decision, exclusive, read_decisions
from rubric_engine.runs.facts import read_json
from rubric_engine.runs.kept_report import load_report

_PATIENCE = 10
"""Seconds that one who decides waits for another."""

_LISTED = 10
"""Findings that an error lists."""

_LEAST = 4
"""Characters that the beginning of an id has, where it stands for the whole."""


def decide(
    run: Path, said: MonitorDecision, *, keep: Callable[[Report], None] | None = None
) -> tuple[Report, str]:
    """Add a decision to a run, and write its report anew.

    The decision is on the disk before the report is: where a crash comes between, the next
    decision mends the report.

    Args:
        run: The run's folder.
        said: The decision; its finding may be the beginning of an id.
        keep: Called with the new report while nobody else may write the run.

    Returns:
        The report as it is now, and the finding's id.

    Raises:
        RunError: The run has no report, or no such finding.
        StorageError: Another process writes it, or the disk failed.
    """
    with exclusive(run, patience=_PATIENCE):
        report = load_report(run)
        outcome = _monitored(run, report)
        said = said.model_copy(update={"finding": finding_of(outcome, said.finding, run)})
        decisions = (*read_decisions(run), said)
        add_decision(run, said)
        report = _written(
            run, report.watched(MonitorOutcome.of(outcome, decisions, outcome.policy))
        )
        if keep is not None:
            keep(report)
    return report, said.finding


def replace_findings(run: Path, found: MonitorReport, policy: Policy) -> Report:
    """Put what the monitor finds now in the place of what it found in a run.

    What people said of a finding goes on to hold where it is found again.

    Args:
        run: The run's folder.
        found: What it finds now.
        policy: What the task says of violations.

    Returns:
        The report as it is now.

    Raises:
        RunError: The run has no report.
        StorageError: Another process writes it, or the disk failed.
    """
    with exclusive(run, patience=_PATIENCE):
        report = load_report(run)
        _monitored(run, report)
        outcome = MonitorOutcome.of(found, read_decisions(run), policy)
        _change(run / "monitor.json", found.model_dump(mode="json"))
        return _written(run, report.watched(outcome))


def _written(run: Path, report: Report) -> Report:
    """The report, once the run says what it does."""
    whole = report.to_dict()
    changed = {name: whole[name] for name in ("score", "disqualified", "monitor")}
    _change(run / "report.json", changed)
    _change(run / "run.json", {"score": changed["score"]})
    return report


def _change(path: Path, changed: Mapping[str, Any]) -> None:
    """Put some values of a JSON file of a run in place of others, and leave the rest as it is."""
    replace_text(path, json.dumps(read_json(path) | dict(changed), indent=1))


def _monitored(run: Path, report: Report) -> MonitorOutcome:
    if report.monitor is not None and (run / "report.json").is_file():
        return report.monitor
    raise RunError(
        f"{run} holds no findings of the monitor",
        code="E583",
        looked=["a run has them once it ended, and if the monitor looked at it"],
        fix=[
            f"rubric-engine resume {shlex.quote(str(run))}",
            "rubric-engine grade SUBMISSION --task TASK",
        ],
    )


def finding_of(outcome: MonitorOutcome, name: str, run: Path) -> str:
    """The id of the finding that an id, or the beginning of one, names.

    A finding that somebody decided on is known by its id, also where it is listed no more.

    Args:
        outcome: What the run holds.
        name: The id, or its beginning.
        run: The run's folder, for what an error says.

    Raises:
        RunError: There is none, or several begin like that.
    """
    known = dict.fromkeys([*(one.id for one in outcome.findings), *outcome.last])
    if name in known:
        return name
    found = [one for one in known if one.startswith(name)] if len(name) >= _LEAST else []
    if len(found) == 1:
        return found[0]
    meant = near(name, known)
    trouble = f"{len(found)} findings begin with {name!r}" if found else f"no finding {name!r}"
    raise RunError(
        f"{trouble} in {run}" + (f"; {meant}" if meant and not found else ""),
        code="E581",
        looked=_listing(outcome),
        fix=[
            f"rubric-engine monitor show {shlex.quote(str(run))}   lists all",
            "rubric-engine runs list   lists the runs, of which `latest` is the last",
        ],
    )


def _listing(outcome: MonitorOutcome) -> list[str]:
    """The first findings of a run, or that it has none."""
    first = [f"{one.id}  {one.rule}  {one.place}" for one in outcome.findings[:_LISTED]]
    more = len(outcome.findings) - len(first)
    return [*first, f"and {more:,} more"] if more > 0 else first or ["the run has no findings"]
