"""Figures in words: none is made to look like nothing, and nothing has no sign."""

from __future__ import annotations

import pytest

from rubric_engine.figures import points, signed
from rubric_engine.page.plain_comparison import plain_comparison


@pytest.mark.parametrize(
    ("value", "one", "two"),
    [
        (0.0, "0.0", "0.00"),
        (0.004, "<0.1", "<0.01"),
        (0.06, "0.1", "0.06"),
        (100, "100.0", "100.00"),
    ],
)
def test_points_that_are_too_small_to_show_are_no_zero(value: float, one: str, two: str) -> None:
    assert (points(value), points(value, 2)) == (one, two)


@pytest.mark.parametrize(
    ("value", "one", "two"),
    [
        (0.0, "0.0", "0.00"),
        (-1e-17, "0.0", "0.00"),
        (0.004, "<+0.1", "<+0.01"),
        (-0.004, ">-0.1", ">-0.01"),
        (-0.06, "-0.1", "-0.06"),
        (12.25, "+12.2", "+12.25"),
    ],
)
def test_a_difference_has_a_sign_and_none_has_not(value: float, one: str, two: str) -> None:
    assert (signed(value), signed(value, 2)) == (one, two)


def test_a_page_without_scripts_writes_differences_as_the_others_do() -> None:
    bounds = {"low": 0.5, "high": 0.5}
    run = {
        "id": "r",
        "judge": {"name": "j"},
        "bounds": bounds,
        "disqualified": None,
        "holes": None,
        "said": {"headline": "50.0%", "lines": []},
    }
    found = {
        "a": run,
        "b": run,
        "said": [],
        "policy": "ungraded leaves count as 0 (missing=zero)",
        "words": {"same": "same verdict", "up": "met now"},
        "gap": {"low": -1e-17, "high": 0.004, "value": None, "why": None},
        "kinds": [{"kind": "same", "leaves": 1, "points": 0.0}],
        "changes": [],
    }
    text = plain_comparison(found)
    assert "between 0.00 and &lt;+0.01 points" in text
    assert "-0.00" not in text
