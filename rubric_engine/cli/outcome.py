"""What becomes of a finished grading: gates, the exit code, and the result as it is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_engine.cli.failure import EXIT_GATE, EXIT_INCOMPLETE
from rubric_engine.errors import SandboxError

if TYPE_CHECKING:
    from rubric_engine.result import Report

_FILES = ("report.json", "grades.jsonl", "log.txt")

_TINY = 1e-9
"""Scores that differ by less are the same: 55 of 100 points is 55 %."""


def failed_gates(
    report: Report, *, fail_under: float | None = None, min_coverage: float | None = None
) -> tuple[str, ...]:
    """What the gates that were asked for say, if they fail; figures are percentages."""
    low, coverage = report.bounds.low or 0.0, report.bounds.coverage
    failed = []
    if fail_under is not None and low < fail_under / 100 - _TINY:
        failed.append(f"--fail-under {fail_under:g}: the low end of the score is {100 * low:.2f}%")
    if min_coverage is not None and coverage < min_coverage / 100 - _TINY:
        failed.append(f"--min-coverage {min_coverage:g}: {100 * coverage:.2f}% is graded")
    return tuple(failed)


def exit_code(report: Report, gates: tuple[str, ...] = ()) -> int:
    """Exit code of a finished grading."""
    if report.stopped is not None:
        return report.stopped.exit_code
    if str((report.provenance.get("execution") or {}).get("status")).startswith("infra"):
        return SandboxError.exit_code
    if report.failed:
        return EXIT_INCOMPLETE
    return EXIT_GATE if gates else 0


def print_report(
    report: Report,
    code: int,
    gates: tuple[str, ...],
    *,
    quiet: bool,
    as_json: bool,
    why: str = "",
) -> None:
    """Print the result to stdout: a summary, one line, or one JSON document.

    Args:
        report: The report.
        code: The exit code.
        gates: What the gates that failed say.
        quiet: One line.
        as_json: One JSON document.
        why: Why another judge graded than the one that was named; empty where none did.
    """
    from rubric_engine.cli import summary
    from rubric_engine.cli.output import note, print_json, say

    if as_json:
        print_json(document(report, code, gates, why))
    elif quiet:
        for gate in gates:
            note(f"gate: {gate}")
        say(summary.quiet_line(report, fell_back=bool(why)))
    else:
        summary.print_summary(report, code, gates)


def document(
    report: Report, code: int, gates: tuple[str, ...] = (), why: str = ""
) -> dict[str, Any]:
    """The one JSON document of a grading."""
    from rubric_engine.cli.ran import log_file
    from rubric_engine.cli.report_page import page_file
    from rubric_engine.metrics import metric_dicts

    run = report.run or ""
    facts = report.provenance
    return {
        "ok": code == 0,
        "score": report.score.model_dump(include={"value", "low", "high", "coverage"}),
        "missing": report.missing,
        "categories": report.category_rows(),
        "metrics": metric_dicts(report.metrics),
        "leaves": dict(report.statuses),
        "reasons": dict(report.reasons),
        "run": report.run,
        "files": {name: f"{run}/{name}" for name in _FILES} | log_file(report) | page_file(report),
        "execution": facts.get("execution"),
        "hashes": {
            "rubric": facts.get("rubric_sha256"),
            "paper": facts.get("paper_sha256"),
            "submission": facts.get("submission_sha256"),
            "judge": facts.get("judge", {}).get("fingerprint"),
        },
        "judge": {"name": facts.get("judge", {}).get("name"), "why": why or None},
        "mode": facts.get("mode"),
        "disqualified": report.disqualified,
        "injections": report.injections.model_dump(mode="json"),
        "canaries": report.canaries.to_dict() if report.canaries is not None else None,
        "monitor": report.monitor.model_dump(mode="json") if report.monitor else None,
        "cost": dict(report.cost),
        "stopped": report.stopped._asdict() if report.stopped else None,
        "gates": list(gates),
        "warnings": [warning._asdict() for warning in report.warnings],
        "exit_code": code,
    }
