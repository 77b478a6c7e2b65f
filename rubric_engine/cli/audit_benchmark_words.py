"""The audit of many runs for a person."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rubric_engine.cli.audit_plan_words import drawn_line, expectation, how_to_label, submission_of
from rubric_engine.cli.audit_score_words import (
    evidence_lines,
    headline,
    judge_lines,
    judge_of,
    told_lines,
)
from rubric_engine.cli.output import fill, printable, table

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.judgeeval.planned_audit import PlannedAudit, ScoredAudit


def benchmark_plan_lines(made: PlannedAudit) -> Iterator[str | Table]:
    """How many leaves of each run are to be labelled."""
    yield drawn_line(made)
    yield ""
    rows = [
        [str(len(made.leaves[run.name])), printable(run.name), *submission_of(run)]
        for run in made.runs
    ]
    yield fill(table("leaves", "<run", "<submission", "<sha"), rows)
    yield ""
    yield from expectation(made)
    yield f"plan     {printable(str(made.file))}"
    yield f"labels   {printable(str(made.sheet))}"
    yield from how_to_label()
    folder = printable(shlex.quote(str(made.file.parent)))
    yield f"next     rubric-engine audit benchmark score {folder}"


def benchmark_score_lines(found: ScoredAudit) -> Iterator[str]:
    """What the labels give for the mean."""
    yield f"{headline(found.score)}   mean of {len(found.runs)} runs"
    yield ""
    yield from evidence_lines(found)
    yield from judge_lines(found)
    judges = len(set(map(judge_of, found.runs)))
    if judges > 1:
        yield f"note        the runs have {judges} judges: the mean is over all of them"
    yield from told_lines(found)
