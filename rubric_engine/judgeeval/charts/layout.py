"""What all charts share: the title, the key, axes, and notes below."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rubric_engine.judgeeval.charts.marks import (
    Circle,
    Figure,
    Key,
    Mark,
    Polyline,
    Rect,
    Role,
    Sign,
    Table,
    Text,
    line,
)
from rubric_engine.judgeeval.charts.scales import Scale
from rubric_engine.judgeeval.charts.words import clip, plain, width, wrap

WIDTH, MARGIN = 880.0, 20.0
TOP = 64.0
"""Where the body of a chart begins, below its title and key."""

INSIDE = WIDTH - 2 * MARGIN
SMALL = 11.0
DIAMOND = 5.0


def finished(
    title: str,
    description: str,
    body: Iterable[Mark],
    *,
    bottom: float,
    notes: Sequence[str],
    table: Table,
) -> Figure:
    """Put title and notes around a chart.

    Args:
        title: What it is.
        description: What it shows, in words.
        body: Its marks, from `TOP` to `bottom`.
        bottom: Where they end.
        notes: Sentences that stand below.
        table: The numbers.
    """
    below = [text for note in notes for text in wrap(note, INSIDE, SMALL)]
    marks = [
        Text(MARGIN, 27, clip(title, INSIDE, 16, bold=True), size=16, bold=True),
        *body,
        *(
            Text(MARGIN, bottom + 20 + 16 * row, text, "muted", SMALL)
            for row, text in enumerate(below)
        ),
    ]
    height = bottom + 20 + 16 * len(below)
    background = Rect(0, 0, WIDTH, height, "paper")
    return Figure(plain(title), description, WIDTH, height, (background, *marks), table)


def key(entries: Key) -> list[Mark]:
    """Signs and what they mean, in one line below the title."""
    marks: list[Mark] = []
    x = MARGIN
    for sign, role, text in entries:
        marks += [*signed(sign, role, x + 7, 46), Text(x + 18, 50, text, "muted", SMALL)]
        x += 18 + width(text, SMALL) + 14
    return marks


def signed(sign: Sign, role: Role, x: float, y: float) -> list[Mark]:
    """A sign of the key."""
    signs: dict[Sign, Mark] = {
        "dot": Circle(x, y, 4, role),
        "hollow": Circle(x, y, 4, role, hollow=True),
        "diamond": diamond(x, y, role),
        "dashed": line(x - 7, y, x + 7, y, role, dashed=True),
    }
    return [signs[sign]]


def diamond(x: float, y: float, role: Role, tip: tuple[str, ...] = ()) -> Polyline:
    """A hollow diamond."""
    r = DIAMOND
    corners = ((x - r, y), (x, y - r), (x + r, y), (x, y + r), (x - r, y))
    return Polyline(corners, role, 1.8, tip=tip)


def ticks_below(
    scale: Scale, ticks: Sequence[float], top: float, bottom: float, say: Callable[[float], str]
) -> list[Mark]:
    """Grid lines over the whole height, and their values below."""
    marks: list[Mark] = []
    for tick in ticks:
        x = scale.at(tick)
        marks += [
            line(x, top, x, bottom, "grid"),
            Text(x, bottom + 14, say(tick), "muted", SMALL, "middle"),
        ]
    return marks


def ticks_left(
    scale: Scale, ticks: Sequence[float], left: float, right: float, say: Callable[[float], str]
) -> list[Mark]:
    """Grid lines over the whole width, and their values to the left."""
    marks: list[Mark] = []
    for tick in ticks:
        y = scale.at(tick)
        marks += [
            line(left, y, right, y, "grid"),
            Text(left - 6, y + 4, say(tick), "muted", SMALL, "end"),
        ]
    return marks


def spanned(
    scale: Scale,
    low: float | None,
    high: float | None,
    y: float,
    role: Role,
    tip: tuple[str, ...] = (),
) -> list[Mark]:
    """An interval as a line with ends; nothing where there is none."""
    if low is None or high is None:
        return []
    a, b = scale.at(low), scale.at(high)
    return [
        line(a, y, b, y, role, width=2, tip=tip),
        line(a, y - 4, a, y + 4, role, width=1.5),
        line(b, y - 4, b, y + 4, role, width=1.5),
    ]
