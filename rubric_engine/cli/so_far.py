"""A run that did not finish, as far as it came: its grades, and what it has paid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.connection import paid_so_far
from rubric_engine.errors import RubricEngineError, RunError, StorageError
from rubric_engine.kept import read_inputs
from rubric_engine.runs import KeptRun, kept_run, load_report

if TYPE_CHECKING:
    from rubric_engine.grading import Score
    from rubric_engine.result import Report


def report_so_far(run: KeptRun) -> Report:
    """The report of a run; of one that did not finish, with what it has paid.

    Raises:
        RunError: It is no run, or damaged.
    """
    report = load_report(run.path)
    return report if report.cost else replace(report, cost=paid(run))


def score_so_far(run: KeptRun) -> Score | None:
    """The score of a run, which one that did not finish has in its grades; None where it cannot."""
    if run.score is not None or not run.is_resumable:
        return run.score
    with suppress(RubricEngineError):
        return load_report(run.path).bounds
    return None


def paid(run: KeptRun) -> Mapping[str, float]:
    """What a run of ours has paid, as the ledger has it; empty where that cannot be told."""
    if not run.is_resumable:
        return {}
    with suppress(RunError, StorageError):
        caps = read_inputs(run.path).caps
        cost = paid_so_far(run.path, max_cost=caps.max_cost, max_tokens=caps.max_tokens)
        return cost if cost.get("attempts") else {}
    return {}


def interrupted_lines(path: Path) -> Iterator[str]:
    """What a grading that was told to stop has done, and the command that goes on with it."""
    from rubric_engine.cli.costs import cost_lines
    from rubric_engine.cli.going_on import going_on
    from rubric_engine.cli.output import printable
    from rubric_engine.cli.summary import quiet_line

    run = kept_run(path)
    if not run.is_resumable:
        yield "interrupted: nothing was run or graded yet"
        return
    report = report_so_far(run)
    yield f"interrupted: {_done(run, report)}"
    yield f"score   {printable(quiet_line(replace(report, run=None)))}"
    yield from cost_lines(report.cost)
    yield f"run     {printable(str(path))}"
    yield from (f"next    {printable(line)}" for line in going_on(report, stopped=True))


def interrupted_document(path: Path) -> dict[str, Any]:
    """The same as plain JSON values."""
    run = kept_run(path)
    if not run.is_resumable:
        return {"run": None}
    report = report_so_far(run)
    return {
        "run": str(path),
        "score": report.score.model_dump(include={"value", "low", "high", "coverage"}),
        "leaves": dict(report.statuses),
        "cost": dict(report.cost),
    }


def _done(run: KeptRun, report: Report) -> str:
    graded, total = report.statuses["graded"], len(report.rubric.leaves())
    if graded:
        return f"{graded:,} of {total:,} leaves are graded, and kept"
    with suppress(RunError):
        inputs = read_inputs(run.path)
        if inputs.sandbox is not None and inputs.execution(run.path) is None:
            return "reproduce.sh had not ended, so nothing is graded; a resume runs it again"
    return f"none of {total:,} leaves is graded yet"
