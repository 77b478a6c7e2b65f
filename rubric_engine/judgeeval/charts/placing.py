"""Labels beside dots, none over another: each takes the first free place near its dot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rubric_engine.judgeeval.charts.marks import Mark, Polyline, Text, line
from rubric_engine.judgeeval.charts.words import clip, width

SIZE = 11.0
TALL = 14.0
GAP = 9.0
NEAR = 16
"""Free places of a label that are tried for the one that lines cross least."""
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
    """Place labels so that none covers another or a dot; far ones get a line to their dot.

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
    marks: list[Mark] = []
    for one in labels:
        text = clip(one.text, ROOM, SIZE)
        places = [box for box in _places(one, width(text, SIZE)) if _free(box, taken, inside)]
        if places:
            # Better across a line than far away from the dot.
            box = min(places[:NEAR], key=lambda box: _met(box, lines))
            taken.append(box)
            marks += _label(one, text, box)
    return marks


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


def _places(one: Wanted, wide: float) -> Iterator[Box]:
    """Beside the dot, right before left, then ever farther below and above."""
    for step in range(40):
        for side in (1, -1):
            y = one.y + side * TALL * ((step + 1) // 2) if step else one.y
            for left in (one.x + GAP, one.x - GAP - wide):
                yield Box(left, y - TALL / 2, left + wide, y + TALL / 2)


def _label(one: Wanted, text: str, box: Box) -> Iterable[Mark]:
    on_right = box.left > one.x
    edge = box.left - 2 if on_right else box.right + 2
    middle = (box.top + box.bottom) / 2
    if abs(middle - one.y) > 1.5 * TALL:
        yield line(one.x, one.y, edge, middle, "muted", width=0.8)
    yield Text(
        box.left if on_right else box.right,
        middle + 4,
        text,
        size=SIZE,
        anchor="start" if on_right else "end",
        tip=(one.text,),
    )
