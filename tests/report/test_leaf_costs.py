"""What it costs a judge to grade each leaf."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.report.leaf_costs import leaf_prices

CALLS = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("asked", "prices", "expected"),
    [
        ({"x": ("a",), "y": ("b",)}, {"a": 1.0, "b": 2.0}, {"x": 1.0, "y": 2.0}),
        ({"x": ("a",), "y": ("a",)}, {"a": 1.0}, {"x": 0.5, "y": 0.5}),
        ({"x": ("a",), "y": ()}, {"a": 1.0, "ranks": 0.4}, {"x": 1.2, "y": 0.2}),
        ({"x": ("a",), "y": ("b",)}, {"a": None, "b": 2.0}, {"x": None, "y": 2.0}),
        ({"x": ("gone",)}, {}, {"x": None}),
        ({"x": (), "y": ()}, {"ranks": None}, {"x": None, "y": None}),
    ],
)
def test_calls_are_spread_over_the_leaves_they_served(
    asked: dict[str, tuple[str, ...]],
    prices: dict[str, float | None],
    expected: dict[str, float | None],
) -> None:
    assert leaf_prices(asked, prices) == {
        key: None if value is None else pytest.approx(value) for key, value in expected.items()
    }


@given(
    st.dictionaries(st.text(max_size=3), st.lists(st.sampled_from(CALLS)).map(tuple), min_size=1),
    st.dictionaries(st.sampled_from((*CALLS, "rank")), st.floats(0, 1e3)),
)
def test_nothing_is_lost_or_counted_twice(
    asked: dict[str, tuple[str, ...]], prices: dict[str, float]
) -> None:
    whole = {call: prices.get(call, 0.0) for call in (*CALLS, "rank")}
    found = leaf_prices(asked, whole)
    total = math.fsum(value or 0.0 for value in found.values())
    assert total == pytest.approx(math.fsum(whole.values()), abs=1e-9)
