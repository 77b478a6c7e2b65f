"""Chart 2: what each judge says of leaves that are met and of those that are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rubric_engine.figures import percent
from rubric_engine.judgeeval.charts.colours import tint
from rubric_engine.judgeeval.charts.layout import INSIDE, MARGIN, SMALL, TOP, finished
from rubric_engine.judgeeval.charts.marks import Cell, Chart, Mark, Rect, Role, Table, Text
from rubric_engine.judgeeval.charts.subjects import NOBODY, Cast, remarks
from rubric_engine.judgeeval.charts.words import clip, counted, whole_percent
from rubric_engine.judgeeval.rows import Measured
from rubric_engine.judgeeval.slices import Slice, slice_of

TITLE = "What judges say, by category"
ACROSS = 3
PANEL = INSIDE / ACROSS
SIDE, ROW = 44.0, 36.0
TALL = 124.0
NOTES = (
    "Each row is what the human said, each column what the judge said; a cell has the share of "
    "its row, and how many leaves that is. Rows sum to 100 %.",
    "A judge whose left column is the fuller one is lenient, one whose right column is harsh.",
)


@dataclass(frozen=True, slots=True)
class Panel:
    """What a judge said of a category.

    Attributes:
        judge: Its name.
        category: The category.
        cells: Leaves by (human, judge), each "met" or "not met"; the judge's also "no grade".
    """

    judge: str
    category: str
    cells: Mapping[tuple[str, str], int]

    def total(self, human: str) -> int:
        """Leaves of which the human said so."""
        return sum(self.cells[human, said] for said in SAID)

    @property
    def open(self) -> bool:
        """Some leaf has no grade."""
        return any(self.cells[human, "no grade"] for human in HUMAN)


HUMAN = ("met", "not met")
SAID = ("met", "not met", "no grade")


def confusion_chart(cast: Cast) -> Chart:
    """Draw a confusion table for each judge and category; leaves without a grade stand apart."""
    judges = cast.judges
    panels = {judge.name: _panels(judge) for judge in judges}
    if not any(panels.values()):
        return Chart("confusion", TITLE, None, "no leaf has a label" if judges else NOBODY)
    marks: list[Mark] = []
    bottom = TOP - 20
    for name, row in panels.items():
        marks += [Text(MARGIN, bottom + 22, clip(name, INSIDE, 13, bold=True), size=13, bold=True)]
        marks += _block(row, bottom + 32)
        bottom += 32 + TALL * -(-len(row) // ACROSS)
    rows = [cells for row in panels.values() for panel in row for cells in _rows(panel)]
    table = Table(("judge", "category", "human says", "judge says", "leaves", "share"), tuple(rows))
    described = (
        f"Confusion tables of {counted(len(judges), 'judge')} by category: the share of leaves "
        "that the judge calls met, out of those that the human calls met, and out of the others."
    )
    notes = (*NOTES, *remarks(judges))
    figure = finished(TITLE, described, marks, bottom=bottom - 6, notes=notes, table=table)
    return Chart("confusion", TITLE, figure)


def _panels(judge: Measured) -> list[Panel]:
    parts = judge.pairs.by(lambda row: row.category)
    slices = {name: slice_of(part) for name, part in parts.items()}
    return [
        Panel(judge.name, name, _cells(one))
        for name, one in slices.items()
        if one.coverage.labelled
    ]


def _cells(one: Slice) -> Mapping[tuple[str, str], int]:
    graded, every = one.graded.cells, one.headline
    met, not_met = every.met.support, every.not_met.support
    found = {
        ("met", "met"): graded.tp,
        ("met", "not met"): graded.fn,
        ("met", "no grade"): met - graded.tp - graded.fn,
        ("not met", "met"): graded.fp,
        ("not met", "not met"): graded.tn,
        ("not met", "no grade"): not_met - graded.fp - graded.tn,
    }
    return {place: round(count) for place, count in found.items()}


def _block(panels: Sequence[Panel], top: float) -> list[Mark]:
    return [
        mark
        for number, panel in enumerate(panels)
        for mark in _panel(
            panel, MARGIN + PANEL * (number % ACROSS), top + TALL * (number // ACROSS)
        )
    ]


def _panel(panel: Panel, left: float, top: float) -> list[Mark]:
    said = SAID if panel.open else SAID[:2]
    wide = (PANEL - SIDE - 14) / len(said)
    marks: list[Mark] = [
        Text(left, top + 14, clip(panel.category, PANEL - 12, 12), tip=(panel.category,)),
        Text(left, top + 32, "human", "muted", 10),
    ]
    for column, words in enumerate(said):
        x = left + SIDE + wide * (column + 0.5)
        marks.append(Text(x, top + 32, words, "muted", 10, "middle"))
    for row, human in enumerate(HUMAN):
        y = top + 38 + ROW * row
        marks.append(Text(left, y + 22, human, "muted", 10))
        for column, words in enumerate(said):
            box = (left + SIDE + wide * column, y, wide - 2, ROW - 2)
            marks += _cell(panel, human, words, box)
    return marks


def _cell(
    panel: Panel, human: str, said: str, box: tuple[float, float, float, float]
) -> list[Mark]:
    x, y, wide, high = box
    total, count = panel.total(human), panel.cells[human, said]
    if not total:
        return [
            Rect(x, y, wide, high, "grid", hollow=True),
            Text(x + wide / 2, y + 21, "none", "muted", 10, "middle"),
        ]
    share = count / total
    tip = (
        panel.judge,
        panel.category,
        f"human {human}, judge {said}: {count:,} of {counted(total, 'leaf')} ({percent(share)})",
    )
    role: Role = "here" if said == human else "bad" if said != "no grade" else "muted"
    return [
        Rect(x, y, wide, high, role, tint(share), tip=tip),
        Text(
            x + wide / 2,
            y + 15,
            whole_percent(share),
            anchor="middle",
            size=SMALL,
            bold=True,
            tip=tip,
        ),
        Text(x + wide / 2, y + 28, f"{count:,}", anchor="middle", size=10, tip=tip),
    ]


def _rows(panel: Panel) -> list[tuple[Cell, ...]]:
    return [
        (panel.judge, panel.category, human, said, count, _share(count, panel.total(human)))
        for (human, said), count in panel.cells.items()
    ]


def _share(count: int, total: int) -> float | None:
    return count / total if total else None
