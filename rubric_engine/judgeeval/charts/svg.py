"""A chart as SVG text that stands alone and fits into a page: no script, nothing fetched."""

from __future__ import annotations

from html import escape

from rubric_engine.judgeeval.charts.colours import COLOURS
from rubric_engine.judgeeval.charts.marks import Circle, Figure, Mark, Polyline, Rect, Text, Tip
from rubric_engine.judgeeval.charts.words import plain

LONG = 4_000
"""Characters of a description."""


def to_svg(figure: Figure) -> str:
    """Render a chart as SVG.

    Colours follow the reader's light or dark setting; a page may set its own by the custom
    properties ``--chart-ink``, ``--chart-paper`` and so on, one for each role.

    Args:
        figure: The chart.

    Returns:
        One ``svg`` element, well-formed XML as well as HTML.
    """
    w, h = _number(figure.width), _number(figure.height)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="rubric-chart" role="img" '
            f'viewBox="0 0 {w} {h}" width="{w}" height="{h}" aria-label="{_text(figure.title)}">',
            f"<title>{_text(figure.title)}</title>",
            f"<desc>{_text(figure.description, LONG)}</desc>",
            f"<style>{STYLE}</style>",
            *map(_mark, figure.marks),
            "</svg>",
        ]
    )


def _style() -> str:
    def colours(place: int) -> str:
        return "".join(
            f"--c-{role}:var(--chart-{role},{pair[place]});" for role, pair in COLOURS.items()
        )

    # A style element inside a page speaks to the whole page: every rule names the class.
    return (
        f".rubric-chart{{{colours(0)}max-width:100%;height:auto;"
        "font-family:system-ui,'Helvetica Neue',Arial,sans-serif}"
        f"@media (prefers-color-scheme:dark){{.rubric-chart{{{colours(1)}}}}}"
        ".rubric-chart text{unicode-bidi:isolate;white-space:pre}"
    )


STYLE = _style()


def _mark(mark: Mark) -> str:
    match mark:
        case Polyline():
            points = " ".join(f"{_number(x)},{_number(y)}" for x, y in mark.points)
            dashes = ' stroke-dasharray="5 4"' if mark.dashed else ""
            stroke = f'{_paint("stroke", mark.role)} stroke-width="{_number(mark.width)}"'
            return _closed("polyline", f'points="{points}" fill="none" {stroke}{dashes}', mark.tip)
        case Circle():
            place = f'cx="{_number(mark.x)}" cy="{_number(mark.y)}" r="{_number(mark.r)}"'
            return _closed("circle", f"{place} {_filled(mark)}", mark.tip)
        case Rect():
            place = f'x="{_number(mark.x)}" y="{_number(mark.y)}" '
            size = f'width="{_number(mark.width)}" height="{_number(mark.height)}"'
            opacity = "" if mark.opacity == 1 else f' fill-opacity="{_number(mark.opacity)}"'
            return _closed("rect", f"{place}{size} {_filled(mark)}{opacity}", mark.tip)
        case Text():
            return _written(mark)


def _written(mark: Text) -> str:
    bold = ' font-weight="600"' if mark.bold else ""
    anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
    place = f'x="{_number(mark.x)}" y="{_number(mark.y)}" font-size="{_number(mark.size)}"'
    looks = f"{place}{anchor}{bold} {_paint('fill', mark.role)}"
    return f"<text {looks}>{_tip(mark.tip)}{_text(mark.text)}</text>"


def _filled(mark: Circle | Rect) -> str:
    if not mark.hollow:
        return _paint("fill", mark.role)
    # Paper inside a dot, so that an interval below it does not look like a filling.
    inside = "var(--c-paper)" if isinstance(mark, Circle) else "none"
    return f'style="fill:{inside};stroke:var(--c-{mark.role})" stroke-width="1.8"'


def _paint(what: str, role: str) -> str:
    return f'style="{what}:var(--c-{role})"'


def _closed(name: str, attributes: str, tip: Tip) -> str:
    return f"<{name} {attributes}>{_tip(tip)}</{name}>" if tip else f"<{name} {attributes}/>"


def _tip(tip: Tip) -> str:
    return f"<title>{chr(10).join(map(_text, tip))}</title>" if tip else ""


def _text(text: str, limit: int = 300) -> str:
    return escape(plain(text, limit), quote=True)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
