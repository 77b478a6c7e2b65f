"""The same marks drawn by matplotlib, for papers: PNG and PDF, on white."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.charts.colours import COLOURS
from rubric_engine.judgeeval.charts.marks import (
    Anchor,
    Circle,
    Figure,
    Mark,
    Polyline,
    Rect,
    Role,
    Text,
)
from rubric_engine.judgeeval.charts.words import plain

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure as Drawing

PER_INCH = 96
"""Pixels of a chart in an inch."""

SHARP = 192
"""Pixels of a PNG in an inch."""

POINTS = 72 / PER_INCH
"""Points of print in a pixel."""

FAMILIES = ("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "WenQuanYi Zen Hei", "Noto Sans")


def to_matplotlib(figure: Figure) -> Drawing:
    """Draw a chart with matplotlib, in the colours for light pages.

    Args:
        figure: The chart.

    Returns:
        A `matplotlib.figure.Figure` that fits the chart; ``savefig`` writes it.

    Raises:
        UsageError: matplotlib is not installed.
    """
    require_matplotlib()
    from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=(figure.width / PER_INCH, figure.height / PER_INCH))
    axes = drawing.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, figure.width)
    axes.set_ylim(figure.height, 0)
    axes.axis("off")
    families = _families()
    for place, mark in enumerate(figure.marks):
        axes.add_artist(_artist(mark, families)).set_zorder(place)
    return drawing


def require_matplotlib() -> None:
    """Make sure that matplotlib is there before anything is written.

    Raises:
        UsageError: It is not installed.
    """
    try:
        import matplotlib  # noqa: F401  only whether it is there
    except ImportError:
        raise UsageError(
            "PNG and PDF need matplotlib, which is not installed",
            code="E009",
            fix=["pip install 'rubric-engine[plots]'", "or --plot-format svg, which needs nothing"],
        ) from None


def save(figure: Figure, path: Path) -> None:
    """Write a chart as PNG or PDF, as the name ends; the same chart gives the same file."""
    drawing = to_matplotlib(figure)
    made = {"CreationDate": None} if path.suffix == ".pdf" else None
    with warnings.catch_warnings():
        # Names may hold characters that no font at hand has; they show as boxes.
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        drawing.savefig(path, dpi=SHARP, metadata=made)


def _families() -> list[str]:
    from matplotlib.font_manager import fontManager

    known = {font.name for font in fontManager.ttflist}
    return [name for name in FAMILIES if name in known]


def _artist(mark: Mark, families: list[str]) -> Artist:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle as Disc
    from matplotlib.patches import Rectangle

    match mark:
        case Polyline():
            x, y = zip(*mark.points, strict=True)
            style: Literal["--", "-"] = "--" if mark.dashed else "-"
            wide = mark.width * POINTS
            return Line2D(x, y, color=_light(mark.role), linewidth=wide, linestyle=style)
        case Circle():
            # Paper inside a dot, so that an interval below it does not look like a filling.
            inside = _light("paper" if mark.hollow else mark.role)
            edge = _light(mark.role)
            return Disc((mark.x, mark.y), mark.r, facecolor=inside, edgecolor=edge)
        case Rect():
            corner, colour = (mark.x, mark.y), _light(mark.role)
            if mark.hollow:
                return Rectangle(corner, mark.width, mark.height, fill=False, edgecolor=colour)
            shade = (colour, mark.opacity)
            return Rectangle(corner, mark.width, mark.height, facecolor=shade, edgecolor="none")
        case Text():
            return _written(mark, families)


def _written(mark: Text, families: list[str]) -> Artist:
    from matplotlib.text import Text as Written

    return Written(
        mark.x,
        mark.y,
        plain(mark.text),
        color=_light(mark.role),
        fontsize=mark.size * POINTS,
        fontweight="bold" if mark.bold else "normal",
        horizontalalignment=_ANCHORS[mark.anchor],
        verticalalignment="baseline",
        fontfamily=families,
        parse_math=False,  # a name with dollar signs is no formula
    )


_ANCHORS: Mapping[Anchor, Literal["left", "center", "right"]] = {
    "start": "left",
    "middle": "center",
    "end": "right",
}


def _light(role: Role) -> str:
    return COLOURS[role][0]
