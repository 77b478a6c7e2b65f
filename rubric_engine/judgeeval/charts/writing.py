"""Charts as files: each drawing with its numbers beside it, and one page with all of them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from rubric_engine.judgeeval.charts.buying import cost_chart
from rubric_engine.judgeeval.charts.by_submission import submissions_chart
from rubric_engine.judgeeval.charts.confusion import confusion_chart
from rubric_engine.judgeeval.charts.judges import judges_chart
from rubric_engine.judgeeval.charts.marks import Cell, Chart, Figure, Table
from rubric_engine.judgeeval.charts.plots import require_matplotlib, save
from rubric_engine.judgeeval.charts.reliability import reliability_chart
from rubric_engine.judgeeval.charts.scores import scores_chart
from rubric_engine.judgeeval.charts.subjects import Cast, cast_of
from rubric_engine.judgeeval.charts.svg import to_svg
from rubric_engine.judgeeval.charts.web import page
from rubric_engine.judgeeval.charts.words import plain
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.judge_table import Table as JudgeTable
from rubric_engine.rundir import storing
from rubric_engine.visible import UNSEEN

Format = Literal["svg", "png", "pdf"]

CHARTS: tuple[Callable[[Cast], Chart], ...] = (
    judges_chart,
    confusion_chart,
    cost_chart,
    reliability_chart,
    scores_chart,
    submissions_chart,
)
"""Every chart, in the order of their numbers."""

_FORMULA = re.compile(rf"{UNSEEN}*[=+\-@|%\uff1d\uff0b\uff0d\uff20]")

PAGE = "charts.html"


def draw_charts(
    evaluations: Sequence[Evaluation], *, table: JudgeTable | None = None
) -> tuple[Chart, ...]:
    """Draw every chart of these judges; one that cannot be drawn says why.

    Args:
        evaluations: What each judge said, in the order in which charts name them.
        table: What `table_of` makes of them, where it is at hand.
    """
    cast = cast_of(evaluations, table)
    return tuple(draw(cast) for draw in CHARTS)


def write_charts(
    evaluations: Sequence[Evaluation],
    folder: Path,
    *,
    format: Format = "svg",
    table: JudgeTable | None = None,
) -> list[Path]:
    """Write every chart with its numbers as CSV, and `charts.html` with all of them.

    What an earlier call left of a chart that is not drawn now goes, so that a folder never shows
    two states.

    Args:
        evaluations: What each judge said.
        folder: Where to; it is made if it is missing.
        format: Of the single files; the page always holds SVG.
        table: What `table_of` makes of them, where it is at hand.

    Returns:
        The files, in the order of the charts, the page last.

    Raises:
        UsageError: PNG or PDF is asked for, and matplotlib is not installed.
        StorageError: They cannot be written.
    """
    if format != "svg":
        require_matplotlib()
    charts = draw_charts(evaluations, table=table)
    with storing(folder, "name another folder with --plots DIR"):
        folder.mkdir(parents=True, exist_ok=True)
        written = [
            path
            for number, chart in enumerate(charts, 1)
            for path in _write(chart, folder / f"{number}-{chart.name}", format)
        ]
        (folder / PAGE).write_text(page(charts), encoding="utf-8")
    return [*written, folder / PAGE]


def _write(chart: Chart, stem: Path, format: Format) -> list[Path]:
    drawn, numbers = stem.with_suffix(f".{format}"), stem.with_suffix(".csv")
    if chart.figure is None:
        drawn.unlink(missing_ok=True)
        numbers.unlink(missing_ok=True)
        return []
    _draw(chart.figure, drawn)
    numbers.write_text(_csv(chart.figure.table), encoding="utf-8")
    return [drawn, numbers]


def _draw(figure: Figure, path: Path) -> None:
    if path.suffix == ".svg":
        path.write_text(to_svg(figure) + "\n", encoding="utf-8")
    else:
        save(figure, path)


def _csv(table: Table) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(map(_kept, table.headers))
    rows.writerows(map(_kept, row) for row in table.rows)
    return text.getvalue()


def _kept(cell: Cell) -> Cell:
    """A name that a spreadsheet would run as a formula is marked as text."""
    if not isinstance(cell, str):
        return cell
    text = plain(cell)
    return f"'{text}" if _FORMULA.match(text) else text
