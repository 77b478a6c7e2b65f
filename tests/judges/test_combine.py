from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.grading import CheckResult, Reason
from rubric_engine.judges.rules.combine import combined, explain, grade_of
from tests.judges.desk import leaf_of


def result(score: float | None, reason: Reason | None = None) -> CheckResult:
    return CheckResult(check="number", looked_for="one", found="two", score=score, reason=reason)


NO, YES, HALF = result(0.0), result(1.0), result(0.5)
LIMIT, WRONG, IDLE = (
    result(None, "check_limit"),
    result(None, "rubric_error"),
    result(None, "not_run"),
)

TABLE = [
    ([YES, YES], None, 1.0),
    ([YES, NO], None, 0.0),
    ([YES, HALF], None, 0.5),
    ([YES, HALF], "all", 0.0),
    ([YES, LIMIT], None, "check_limit"),
    ([NO, LIMIT], None, 0.0),
    ([NO, LIMIT], "all", 0.0),
    ([YES, LIMIT], "all", "check_limit"),
    ([YES, LIMIT], "any", 1.0),
    ([NO, LIMIT], "any", "check_limit"),
    ([NO, YES], "any", 1.0),
    ([NO, YES, YES], "weighted_mean", 2 / 3),
    ([NO, LIMIT], "weighted_mean", "check_limit"),
    ([NO, LIMIT], "product", 0.0),
    ([HALF, HALF], "product", 0.25),
    ([HALF, YES], "min", 0.5),
    ([YES, YES, LIMIT], "at_least(2)", 1.0),
    ([YES, NO, LIMIT], "at_least(2)", "check_limit"),
    ([NO, NO, LIMIT], "at_least(2)", 0.0),
    ([IDLE, YES], None, "not_run"),
    ([IDLE, LIMIT], None, "check_limit"),
    ([NO, WRONG], None, "rubric_error"),
    ([YES, WRONG], "any", "rubric_error"),
    ([LIMIT, WRONG], None, "rubric_error"),
]


@pytest.mark.parametrize(("results", "aggregate", "expected"), TABLE)
def test_results_combine(
    results: list[CheckResult], aggregate: str | None, expected: float | str
) -> None:
    grade = grade_of(leaf_of([], aggregate=aggregate), results)
    assert (grade.reason or grade.score) == expected
    assert grade.checks == tuple(results)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([1, 1, 1], 1.0),
        ([1, 1, 0], 0.5),
        ([1, 0, 0], 1 / 3),
        ([0, 0, 0], 0.0),
        ([0.99, 1, 1], 0.5),
    ],
)
def test_a_score_goes_down_to_the_step_that_it_reaches(
    scores: list[float], expected: float
) -> None:
    steps = [{"score": score, "says": "so"} for score in (0.5, 1.0, 0.0, 1 / 3)]
    leaf = leaf_of([], aggregate="weighted_mean", scale=steps)
    assert grade_of(leaf, [result(score) for score in scores]).score == expected


def test_a_scale_may_decide_what_is_open() -> None:
    steps = [{"score": score, "says": "so"} for score in (0.0, 0.5)]
    leaf = leaf_of([], aggregate="weighted_mean", scale=steps)
    assert grade_of(leaf, [YES, LIMIT]).score == 0.5


AGGREGATES = ["all", "any", "min", "product", "weighted_mean", "at_least(2)"]


@given(
    scores=st.lists(st.sampled_from([0.0, 0.5, 1.0, None]), min_size=1, max_size=4),
    aggregate=st.sampled_from(AGGREGATES),
)
def test_a_score_stands_exactly_where_no_unknown_can_change_it(
    scores: list[float | None], aggregate: str
) -> None:
    results = [result(score, None if score is not None else "check_limit") for score in scores]
    ways = [
        combined([result(score) for score in way], aggregate)
        for way in product(*[(0.0, 1.0) if score is None else (score,) for score in scores])
    ]
    expected = ways[0] if len(set(ways)) == 1 else None
    assert combined(results, aggregate) == expected


@given(
    results=st.lists(st.sampled_from([NO, YES, HALF, LIMIT, WRONG, IDLE]), min_size=1),
    aggregate=st.sampled_from(AGGREGATES),
)
def test_the_order_of_checks_does_not_matter(results: list[CheckResult], aggregate: str) -> None:
    assert combined(results, aggregate) == combined(results[::-1], aggregate)


def test_an_explanation_says_what_was_looked_for_and_found() -> None:
    assert explain([YES, NO, HALF, LIMIT]).splitlines() == [
        "1 of 4 checks hold.",
        "[yes] number: one -> two",
        "[no] number: one -> two",
        "[0.5] number: one -> two",
        "[check_limit] number: one -> two",
    ]
    assert explain([YES]).startswith("1 of 1 check holds.")
    many: list[Any] = [YES] * 1000
    assert len(explain(many)) <= 2000
