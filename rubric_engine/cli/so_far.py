"""What a grading that was told to stop says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.errors import RunError
from rubric_engine.kept import read_inputs
from rubric_engine.report import report_so_far
from rubric_engine.runs import KeptRun, kept_run

if TYPE_CHECKING:
    from rubric_engine.result import Report


def interrupted_lines(path: Path) -> Iterator[str]:
    """What a grading that was told to stop has done, and the command that goes on with it."""
    from rubric_engine.cli.costs import cost_lines
    from rubric_engine.cli.going_on import going_on
    from rubric_engine.cli.output import printable
    from rubric_engine.cli.report_page import keep_page, page_file
    from rubric_engine.cli.summary import quiet_line

    run = kept_run(path)
    if not run.is_resumable:
        yield "interrupted: nothing was run or graded yet"
        return
    report = report_so_far(run)
    keep_page(report)
    yield f"interrupted: {_done(run, report)}"
    yield f"score   {printable(quiet_line(replace(report, run=None)))}"
    yield from cost_lines(report.cost)
    yield f"run     {printable(str(path))}"
    yield from (f"page    {printable(page)}" for page in page_file(report).values())
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
