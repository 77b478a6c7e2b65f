"""A chart as a value: marks on a plane, what each says in words, and the numbers behind them.

Lengths are pixels of 1/96 inch, y grows downwards. Renderers (`svg`, `plots`) draw the same marks
in order, the first at the bottom.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["ink", "muted", "grid", "paper", "here", "anew", "baseline", "bad"]
"""What a colour stands for; `colours` has one for light and one for dark pages."""

Anchor = Literal["start", "middle", "end"]

Tip = tuple[str, ...]
"""Lines that show where a pointer rests; untrusted names stand on a line of their own."""

Cell = str | float | int | None

Sign = Literal["dot", "hollow", "diamond", "dashed"]
"""Shape of a sign in a key."""

Key = tuple[tuple[Sign, Role, str], ...]
"""Signs, their colours, and what they mean."""


@dataclass(frozen=True, slots=True)
class Polyline:
    """A line through points; a straight line has two."""

    points: tuple[tuple[float, float], ...]
    role: Role = "ink"
    width: float = 1.0
    dashed: bool = False
    tip: Tip = ()


def line(
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    role: Role = "ink",
    *,
    width: float = 1.0,
    dashed: bool = False,
    tip: Tip = (),
) -> Polyline:
    """A straight line."""
    return Polyline(((x1, y1), (x2, y2)), role, width, dashed, tip)


@dataclass(frozen=True, slots=True)
class Circle:
    """A dot; a hollow one says that something is missing."""

    x: float
    y: float
    r: float
    role: Role = "here"
    hollow: bool = False
    tip: Tip = ()


@dataclass(frozen=True, slots=True)
class Rect:
    """A box from its upper left corner; a hollow one has an outline only."""

    x: float
    y: float
    width: float
    height: float
    role: Role = "here"
    opacity: float = 1.0
    hollow: bool = False
    tip: Tip = ()


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text on its baseline."""

    x: float
    y: float
    text: str
    role: Role = "ink"
    size: float = 12.0
    anchor: Anchor = "start"
    bold: bool = False
    tip: Tip = ()


Mark = Polyline | Circle | Rect | Text


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of a chart.

    Attributes:
        headers: Names of the columns.
        rows: Cells as wide as the headers; None where there is no number.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing.

    Attributes:
        title: What it is.
        description: What it shows, for those who do not see it.
        width: Of the plane.
        height: Of the plane.
        marks: What is drawn, the lowest first; all of it inside the plane.
        table: The numbers.
    """

    title: str
    description: str
    width: float
    height: float
    marks: tuple[Mark, ...]
    table: Table


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart of a set.

    Attributes:
        name: What its files are called.
        title: What it is.
        figure: The drawing; None where there is nothing to draw.
        why: Why there is none.
    """

    name: str
    title: str
    figure: Figure | None
    why: str | None = None
