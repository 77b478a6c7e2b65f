"""Labels of charts stand where nobody takes them for another dot's."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine.judgeeval import draw_charts
from rubric_engine.judgeeval.charts.marks import Polyline, Text
from rubric_engine.judgeeval.charts.placing import LEVEL, TALL, Box, Wanted, placed
from tests.judgeeval.judged import evaluation, wrong_on

PLANE = Box(0, 0, 600, 400)


@given(st.lists(st.floats(60, 340), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_labels_of_a_column_stand_in_its_order_each_level_or_with_a_line(
    ys: list[float],
) -> None:
    dots = [Wanted(100, y, f"judge {place}") for place, y in enumerate(ys)]
    marks = placed(dots, inside=PLANE)
    texts = {mark.text: mark for mark in marks if isinstance(mark, Text)}
    lines = [mark for mark in marks if isinstance(mark, Polyline)]
    assert len(texts) == len(dots)
    column = [texts[dot.text].y for dot in sorted(dots, key=lambda dot: dot.y)]
    assert all(low + TALL - 1e-6 <= high for low, high in pairwise(column))
    led = {mark.points[0] for mark in lines}
    for dot in dots:
        if (dot.x, dot.y) not in led:
            assert texts[dot.text].y - 4 == pytest.approx(dot.y, abs=LEVEL)
            assert all(
                abs(other.y - texts[dot.text].y + 4) >= TALL / 2 - 1e-9
                for other in dots
                if other is not dot
            )


def test_a_displaced_number_has_a_line_to_its_dot() -> None:
    dots = [Wanted(100 + 8 * (i % 3), 100 + 8 * (i // 3), str(i)) for i in range(9)]
    marks = placed(dots, inside=PLANE)
    texts = {mark.text: mark for mark in marks if isinstance(mark, Text)}
    starts = [mark.points[0] for mark in marks if isinstance(mark, Polyline)]
    for dot in dots:
        away = abs(texts[dot.text].y - 4 - dot.y) > LEVEL
        assert (dot.x, dot.y) in starts or not away


@pytest.mark.parametrize("words", ["human's score", "judge's score"])
def test_both_axes_of_the_scores_chart_have_a_title(words: str) -> None:
    charts = {chart.name: chart for chart in draw_charts([evaluation("x", wrong_on([1]))])}
    figure = charts["scores"].figure
    assert figure is not None
    assert words in [mark.text for mark in figure.marks if isinstance(mark, Text)]


def test_the_judges_chart_says_what_no_mean_can_reach() -> None:
    cases = {"a": ([1.0] * 4, [1.0] * 4), "b": wrong_on([])["b"]}
    charts = {chart.name: chart for chart in draw_charts([evaluation("x", cases)])}
    figure = charts["judges"].figure
    assert figure is not None
    said = " ".join(mark.text for mark in figure.marks if isinstance(mark, Text))
    assert "one class only on 1 of 2 submissions: no judge's mean can pass 0.75." in said
