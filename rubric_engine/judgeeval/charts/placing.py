"""Labels beside dots, none over another: each takes the first free place near its dot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean

from rubric_engine.judgeeval.charts.marks import Mark, Polyline, Text, line
from rubric_engine.judgeeval.charts.words import clip, width

SIZE = 11.0
TALL = 14.0
LEADING = TALL + 0.1
GAP = 9.0
NEAR = 16
"""Free places of a label that are tried for the one that lines cross least."""
LEVEL = 2.0
"""Pixels by which a label may miss its dot's level without a line to it."""
ASIDE = 14.0
"""Further pixels to a label that is not on its dot's level, for its line."""
STEP = 8.0
"""Pixels of a line that one box covers."""
ROOM = 190.0
"""Pixels that a label may take."""


@dataclass(frozen=True, slots=True)
class Box:
    """A piece of the plane."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """They have a piece in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, other: Box) -> bool:
        """The other lies wholly inside."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """A label that a dot should get."""

    x: float
    y: float
    text: str


def placed(labels: Sequence[Wanted], *, inside: Box, avoid: Iterable[Box] = ()) -> list[Mark]:
    """Place labels so that none covers another or a dot, nor passes for another dot's.

    A label that does not stand level with its dot has a line to it.

    Args:
        labels: What is to be placed, the most important first.
        inside: Where labels may stand.
        avoid: What they may not cover besides.

    Returns:
        The marks. A label that finds no free place is left out: its dot still has its tooltip
        and its row in the table.
    """
    lines = list(avoid)
    taken = [Box(one.x - 6, one.y - 6, one.x + 6, one.y + 6) for one in labels]
    levels = spread(labels, inside)
    marks: list[Mark] = []
    for one in labels:
        text = clip(one.text, ROOM, SIZE)
        alone = not any(_near(one, levels[one], other) for other in labels)
        wanted = _places(one, width(text, SIZE), levels[one], alone=alone)
        places = [box for box in wanted if _free(box, taken, inside)]
        if places:
            # Better across a line than far away from the dot.
            box = min(
                places[:NEAR], key=lambda box: (_strangers(box, one, labels), _met(box, lines))
            )
            taken.append(box)
            label = _label(one, text, box)
            lines += covered(mark for mark in label if isinstance(mark, Polyline))
            marks += label
    return marks


def spread(labels: Sequence[Wanted], inside: Box) -> dict[Wanted, float]:
    """Levels for labels of dots that stand one above the other: in their order, each with room.

    Args:
        labels: What is to be placed.
        inside: Where labels may stand.
    """
    columns: dict[int, list[Wanted]] = {}
    for one in labels:
        columns.setdefault(round(one.x), []).append(one)
    levels: dict[Wanted, float] = {}
    for column in columns.values():
        column.sort(key=lambda one: one.y)
        found = _apart([one.y for one in column], inside.top + TALL / 2, inside.bottom - TALL / 2)
        levels |= zip(column, found, strict=True)
    return levels


def _apart(levels: Sequence[float], low: float, high: float) -> list[float]:
    """Ascending levels, moved as little as leaves each its room (isotonic regression)."""
    blocks: list[list[float]] = []
    for place, level in enumerate(levels):
        blocks.append([level - place * LEADING])
        while len(blocks) > 1 and mean(blocks[-2]) > mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    last = high - (len(levels) - 1) * LEADING
    means = [max(low, min(mean(block), last)) for block in blocks for _ in block]
    return [level + place * LEADING for place, level in enumerate(means)]


def _strangers(box: Box, own: Wanted, labels: Iterable[Wanted]) -> int:
    """Other dots that a label would stand beside."""
    middle = (box.top + box.bottom) / 2
    return sum(
        abs(one.y - middle) < TALL / 2
        and min(abs(box.left - one.x), abs(one.x - box.right)) <= GAP + 1
        for one in labels
        if (one.x, one.y) != (own.x, own.y)
    )


def _free(box: Box, taken: Iterable[Box], inside: Box) -> bool:
    return inside.holds(box) and not _met(box, taken)


def _met(box: Box, others: Iterable[Box]) -> int:
    return sum(box.meets(other) for other in others)


def covered(lines: Iterable[Polyline]) -> Iterator[Box]:
    """Small boxes along lines."""
    for (x1, y1), (x2, y2) in (piece for one in lines for piece in pairwise(one.points)):
        steps = max(1, round(max(abs(x2 - x1), abs(y2 - y1)) / STEP))
        dx, dy = (x2 - x1) / steps, (y2 - y1) / steps
        for step in range(steps):
            x, y = x1 + step * dx, y1 + step * dy
            yield Box(
                min(x, x + dx) - 1, min(y, y + dy) - 1, max(x, x + dx) + 1, max(y, y + dy) + 1
            )


def _near(one: Wanted, level: float, other: Wanted) -> bool:
    """Whether a label beside one dot would stand beside the other, too."""
    return other is not one and abs(other.x - one.x) < GAP and abs(other.y - level) < TALL / 2


def _places(one: Wanted, wide: float, level: float, *, alone: bool) -> Iterator[Box]:
    """Beside the dot at its level, right before left, then ever farther below and above."""
    out = 0.0 if alone and abs(level - one.y) <= LEVEL else ASIDE
    for left in (one.x + GAP + out, one.x - GAP - out - wide):
        yield Box(left, level - TALL / 2, left + wide, level + TALL / 2)
    for step in range(40):
        for side in (1, -1):
            y = one.y + side * TALL * ((step + 1) // 2) if step else one.y
            for left in (one.x + GAP, one.x - GAP - wide):
                yield Box(left, y - TALL / 2, left + wide, y + TALL / 2)


def _label(one: Wanted, text: str, box: Box) -> list[Mark]:
    on_right = box.left > one.x
    edge = box.left - 2 if on_right else box.right + 2
    middle = (box.top + box.bottom) / 2
    marks: list[Mark] = []
    if abs(middle - one.y) > LEVEL or abs(edge - one.x) > GAP:
        marks.append(line(one.x, one.y, edge, middle, "muted", width=0.8))
    marks.append(
        Text(
            box.left if on_right else box.right,
            middle + 4,
            text,
            size=SIZE,
            anchor="start" if on_right else "end",
            tip=(one.text,),
        )
    )
    return marks
