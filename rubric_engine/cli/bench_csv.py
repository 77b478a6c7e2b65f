"""The figures of runs over sets as CSV, one a line."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.benchmarks.tasksets.summary import figures, summarise, summarise_by
from rubric_engine.replacing import replace_text
from rubric_engine.report.formats.rows import cell

if TYPE_CHECKING:
    from rubric_engine.benchmarks.tasksets.results import Results

COLUMNS = (
    "task_set", "task_set_sha256", "agent", "by", "group", "figure", "value", "n", "of", "why",
)  # fmt: skip


def write_figures(path: Path, found: Sequence[Results], by: Sequence[str]) -> None:
    """Write the figures of all tasks, and of those that have a fact in common.

    Args:
        path: The file.
        found: The runs.
        by: The facts.

    Raises:
        StorageError: It cannot be written.
    """
    out = StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in found:
        writer.writerows([cell(value) for value in row] for row in _rows(one, by))
    replace_text(path, out.getvalue())


def _rows(results: Results, by: Iterable[str]) -> Iterator[list[Any]]:
    """Every figure of every group: one row a figure, with its n."""
    facts = (results.task_set.name, results.task_set.sha256, results.agent.name)
    groups = [("all", (summarise(results),)), *((key, summarise_by(results, key)) for key in by)]
    for key, found in groups:
        for one in found:
            for name, f in figures(one).items():
                yield [*facts, key, one.name, name, f.value, f.n, f.of, f.why]
            ends = (("score_low", one.score_range.low), ("score_high", one.score_range.high))
            for name, value in ends:
                yield [*facts, key, one.name, name, value, one.score_range.n, "answers", None]
            yield [*facts, key, one.name, "missing", one.missing, one.missing, "answers", None]
