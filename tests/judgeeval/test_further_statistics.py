"""Predicted bias of root scores, the two-stage bootstrap, sign flips, and orders of systems."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval import (
    HEADLINE,
    Pairs,
    Rates,
    estimates,
    pairwise_order,
    predicted_root_bias,
    rates_of,
    root_errors,
    sign_flip,
    soft_pairwise_accuracy,
    two_stage,
)
from rubric_engine.judgeeval.root import roots_of
from tests.judgeeval.conftest import TREES, Tree
from tests.judgeeval.rows import pair, pairs

close = pytest.approx

O3_MINI = {
    "Code Development": Rates(347 / 402, 67 / 114, 402, 114),
    "Code Execution": Rates(663 / 770, 1077 / 1330, 770, 1330),
    "Result Analysis": Rates(16 / 17, 58 / 60, 17, 60),
}


@pytest.mark.parametrize(("name", "bias"), list(zip(TREES, (0.0940, -0.1211, 0.0470), strict=True)))
def test_predicted_root_bias(name: str, bias: float, trees: dict[str, Tree]) -> None:
    tree = trees[name]
    rows = Pairs.of(tree.pair([None] * len(tree.scores)))
    assert predicted_root_bias(rows, O3_MINI)[name] == close(bias, abs=5e-5)


def test_predicted_root_bias_of_a_judges_own_rates_is_its_bias_where_worth_is_even() -> None:
    rows = pairs([1, 1, 1, 0, 0, 0, 1, 0], [1, 0, 1, 0, 1, 1, 1, 0])
    (root,) = root_errors(roots_of(rows)).roots
    assert predicted_root_bias(rows, rates_of(rows)) == {"s": close(root.error)}


def test_predicted_root_bias_that_is_not_known() -> None:
    rows = Pairs.of(
        [
            pair(1, 1, None, submission="no rates", category="other"),
            pair(2, None, 1, submission="no label"),
            pair(3, 1, 1, submission="no worth", worth=0.0),
        ]
    )
    assert set(predicted_root_bias(rows, O3_MINI).values()) == {None}


def test_two_stages_are_wider_than_one_and_know_no_order(
    judge_on_all: Callable[[str], Pairs],
) -> None:
    rows = judge_on_all("parent5")
    found, here = two_stage(rows, seed=3), estimates(rows, seed=3)
    assert list(found) == list(HEADLINE)
    wide, narrow = found["accuracy"].pooled, here["accuracy"].pooled.here
    assert wide.about == "new submissions"
    assert wide.units == 3
    assert None not in (wide.low, wide.high, narrow.low, narrow.high)
    assert wide.high - wide.low > narrow.high - narrow.low  # type: ignore[operator]
    assert found == two_stage(Pairs.of(reversed(rows.rows)), seed=3)
    assert found != two_stage(rows, seed=4)


def test_two_stages_draw_submissions_and_groups_as_by_hand() -> None:
    """Two submissions of two groups: every outcome counted, against the drawn shares."""
    labels = {"a": ([1, 1], [0, 1]), "b": ([1, 0], [0, 0])}  # right per leaf, by group
    rows = Pairs.of(
        pair(10 * g + i, 1, right, submission=s, parent=f"{s}{g}")
        for s, groups in labels.items()
        for g, group in enumerate(groups)
        for i, right in enumerate(group)
    )
    outcomes = [
        sum(sum(labels[s][g]) for s, gs in zip(two, groups, strict=True) for g in gs) / 8
        for two in itertools.product("ab", repeat=2)
        for groups in itertools.product(itertools.product((0, 1), repeat=2), repeat=2)
    ]
    for level in (0.5, 0.8, 0.95):  # none of the ends lies where the distribution jumps
        found = two_stage(rows, replicates=5_000, level=level)["accuracy"]
        ends = np.quantile(outcomes, [(1 - level) / 2, (1 + level) / 2])
        assert (found.pooled.low, found.pooled.high) == close(tuple(ends))
        assert (found.mean.low, found.mean.high) == close(tuple(ends))


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (pairs([], []), "no submission"),
        (pairs([1, 0], [1, 0]), "one submission"),
        (pairs([None, None], [1, 0]), "no submission"),
        (
            Pairs.of(
                pair(i, i % 2, i % 2, submission=s, parent=f"p{i}") for s in "ab" for i in range(9)
            ),
            "same value",
        ),
    ],
)
def test_two_stages_without_an_interval(rows: Pairs, why: str) -> None:
    found = two_stage(rows)["accuracy"]
    assert found.pooled.low is found.mean.low is None
    assert why in (found.pooled.why or "")


def test_two_stages_of_one_class_have_no_kappa() -> None:
    rows = Pairs.of(
        pair(i, 1, i % 3 > 0, submission=s, parent=f"p{i}") for s in "ab" for i in range(9)
    )
    assert "one class" in (two_stage(rows)["kappa"].pooled.why or "")
    assert two_stage(rows)["accuracy"].pooled.low is not None


@given(st.lists(st.integers(-3, 3), min_size=6, max_size=9))
def test_sign_flips_are_all_counted(values: list[int]) -> None:
    patterns = itertools.product((-1, 1), repeat=len(values))
    far = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True))) >= abs(sum(values))
        for signs in patterns
    ]
    assert sign_flip([value / 10 for value in values]).p == close(sum(far) / len(far))


def test_sign_flips_of_few_and_of_many() -> None:
    few = sign_flip([0.1] * 5)
    assert (few.p, few.n) == (None, 5)
    assert "0.0625" in (few.why or "")
    assert sign_flip([]).p is None
    assert sign_flip([0.1] * 6).p == close(2 / 64)
    many = np.random.default_rng(1).normal(0.35, 1, 30)
    drawn = sign_flip(many.tolist(), seed=2)
    assert not drawn.exact
    # At thirty differences Student's t and the permutation test all but agree.
    from scipy.stats import ttest_1samp

    assert drawn.p == close(ttest_1samp(many, 0).pvalue, abs=0.01)
    assert sign_flip([1.0] * 30).p == close(1 / 20_001)
    with pytest.raises(UsageError, match="finite"):
        sign_flip([math.nan] * 6)


SCORES = st.lists(st.integers(0, 4), min_size=8, max_size=10)


@given(SCORES, st.data())
def test_orders_of_systems_pair_by_pair(human: list[int], data: st.DataObject) -> None:
    size = len(human)
    judge = data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    found = pairwise_order(human, judge)
    ordered = [
        (h, j)
        for h, j in zip(
            itertools.combinations(human, 2), itertools.combinations(judge, 2), strict=True
        )
        if h[0] != h[1]
    ]
    if not ordered:
        assert found.value is None
        return
    right = [(h[0] < h[1] and j[0] < j[1]) or (h[0] > h[1] and j[0] > j[1]) for h, j in ordered]
    assert found.value == close(sum(right) / len(right))
    assert found.pairs == len(ordered)
    assert pairwise_order(human, human).value == 1
    assert pairwise_order(human, [-score for score in human]).value == 0


def test_soft_accuracy_of_orders() -> None:
    generator = np.random.default_rng(5)
    human = generator.random((9, 4))
    judge = human + generator.normal(0, 0.3, human.shape)

    def p_value(table: np.ndarray, i: int, j: int) -> float:
        gaps = table[i] - table[j]
        sums = [sum(s * g for s, g in zip(signs, gaps, strict=True))
                for signs in itertools.product((-1, 1), repeat=4)]  # fmt: skip
        found = sum(gaps)
        counted = [(s > found + 1e-9) + (abs(s - found) < 1e-9) / 2 for s in sums]
        return float(sum(counted) / len(sums))

    expected = [
        1 - abs(p_value(human, i, j) - p_value(judge, i, j))
        for i, j in itertools.combinations(range(9), 2)
    ]
    found = soft_pairwise_accuracy(human.tolist(), judge.tolist())
    assert found.value == close(sum(expected) / len(expected), abs=0.02)
    assert found.pairs == len(expected) == 36
    assert soft_pairwise_accuracy(human.tolist(), human.tolist()).value == 1
    flat = [[0.5] * 4] * 9
    assert soft_pairwise_accuracy(flat, flat).value == 1


def test_orders_that_say_little_or_do_not_match() -> None:
    assert "below 8" in (pairwise_order([1, 2, 3], [1, 2, 3]).why or "")
    assert "below 8" in (soft_pairwise_accuracy([[1], [2]], [[1], [2]]).why or "")
    assert "alike" in (pairwise_order([1] * 8, list(range(8))).why or "")
    with pytest.raises(UsageError, match="9 systems"):
        pairwise_order([1] * 9, [1] * 8)
    for human, judge in (([[1, 2], [3]], [[1, 2]]), ([[1]], [[1, 2]]), ([[math.nan]], [[1]])):
        with pytest.raises(UsageError):
            soft_pairwise_accuracy(human, judge)
