"""What must hold for the charts of any evaluations, whatever their names and holes."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

from hypothesis import given, settings

from rubric_engine.judgeeval import Evaluation, draw_charts, to_html, to_svg
from rubric_engine.judgeeval.charts.marks import Circle, Figure, Mark, Polyline, Rect, Text
from rubric_engine.judgeeval.charts.web import page
from rubric_engine.judgeeval.charts.words import width
from tests.judgeeval.evaluations import HOSTILE, case, drawn_evaluations, evaluation

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "desc", "style", "polyline", "circle", "rect", "text"}
NUMBERS = re.compile(r"-?\d+(\.\d+)?([ ,]-?\d+(\.\d+)?)*")
WORDS = {"class", "role", "aria-label", "style", "fill", "text-anchor"}


@settings(max_examples=25)
@given(drawn_evaluations())
def test_every_chart_is_sound_or_says_why_there_is_none(evaluations: list[Evaluation]) -> None:
    charts = draw_charts(evaluations)
    assert [chart.name for chart in charts] == [
        "judges", "confusion", "cost", "reliability", "scores", "submissions",
    ]  # fmt: skip
    for chart in charts:
        assert (chart.figure is None) == bool(chart.why)
        if chart.figure is not None:
            check(chart.figure)
    assert "<script" not in page(charts)


def check(figure: Figure) -> None:
    """A drawing is whole: well-formed, finite, inside its plane, described, with its numbers."""
    root = ElementTree.fromstring(to_svg(figure))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == figure.title
    assert root.findtext(f"{SVG}desc")
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ELEMENTS
        for name, value in element.attrib.items():
            assert name in WORDS or NUMBERS.fullmatch(value), (name, value)
    for mark in figure.marks:
        left, top, right, bottom = extent(mark)
        assert min(left, top) >= -0.01, mark
        assert right <= figure.width + 0.01, mark
        assert bottom <= figure.height + 0.01, mark
    html = ElementTree.fromstring(to_html(figure))
    cells = [row.findall("td") for row in html.iterfind(".//tbody/tr")]
    assert len(cells) == len(figure.table.rows) > 0
    assert {len(row) for row in cells} == {len(figure.table.headers)}
    for row in figure.table.rows:
        assert all(math.isfinite(cell) for cell in row if isinstance(cell, float))


def extent(mark: Mark) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a mark."""
    match mark:
        case Polyline():
            xs, ys = zip(*mark.points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)
        case Circle():
            return mark.x - mark.r, mark.y - mark.r, mark.x + mark.r, mark.y + mark.r
        case Rect():
            return mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
        case Text():
            wide = width(mark.text, mark.size, bold=mark.bold)
            left = mark.x - wide * {"start": 0, "middle": 0.5, "end": 1}[mark.anchor]
            return left, mark.y - mark.size, left + wide, mark.y + 0.3 * mark.size


def test_hostile_names_stay_text_and_are_told_apart() -> None:
    judges = [evaluation(name, [case("c", 0)], []) for name in [*HOSTILE, "\ud800", *HOSTILE]]
    figure = draw_charts(judges)[0].figure
    assert figure is not None
    names = [row[0] for row in figure.table.rows[: len(judges)]]
    assert len(set(names)) == len(judges)
    assert not any(ord(char) < 32 for name in names for char in str(name))
    shown = [mark.text for mark in figure.marks if isinstance(mark, Text) and mark.tip]
    assert len(set(shown)) == len(figure.table.rows)
