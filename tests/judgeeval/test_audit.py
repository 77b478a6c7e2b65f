"""Audited scores: the draw, the interval, its guards, and planning."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import LabelsError, UsageError
from rubric_engine.judgeeval import (
    Pair,
    Pairs,
    Rates,
    difference_with_replacement,
    expected_half_width,
    inclusion,
    labels_for,
    plan_audit,
    plan_benchmark,
    rates_of,
    score_audit,
    transported,
)
from tests.judgeeval.conftest import Tree
from tests.judgeeval.rows import Score, pair

close = pytest.approx

WORTHS = st.lists(st.integers(0, 20), min_size=1, max_size=40).filter(any)


def shares(weights: list[int]) -> dict[int, float]:
    return {i: weight / sum(weights) for i, weight in enumerate(weights)}


@given(WORTHS, st.integers(1, 50))
def test_chances_sum_to_the_labels_and_follow_worth(weights: list[int], labels: int) -> None:
    worth = shares(weights)
    chance = inclusion(worth, labels)
    assert math.fsum(chance.values()) == close(min(labels, sum(map(bool, weights))))
    assert all(0 <= value <= 1 for value in chance.values())
    assert all((chance[key] > 0) == (share > 0) for key, share in worth.items())
    order = sorted(worth, key=worth.__getitem__)
    assert all(chance[a] <= chance[b] + 1e-12 for a, b in pairwise(order))


@given(WORTHS, st.integers(1, 50), st.integers(0, 99))
def test_a_draw_has_as_many_leaves_as_were_asked_for(
    weights: list[int], labels: int, seed: int
) -> None:
    plan = plan_audit(shares(weights), labels, seed=seed)
    assert len(plan.drawn) == min(labels, sum(map(bool, weights)))
    assert len(set(plan.drawn)) == len(plan.drawn)
    assert list(plan.drawn) == sorted(plan.drawn)
    assert all(plan.chance[key] > 0 for key in plan.drawn)
    assert all(key in plan.drawn for key, value in plan.chance.items() if value == 1)
    assert plan == plan_audit(shares(weights), labels, seed=seed)


def test_leaves_are_drawn_as_often_as_their_chances_say() -> None:
    worth = shares([1, 2, 3, 4, 10])
    plans = [plan_audit(worth, 2, seed=seed) for seed in range(4000)]
    for key, chance in plans[0].chance.items():
        assert sum(key in plan.drawn for plan in plans) / 4000 == close(chance, abs=0.03)


@given(WORTHS, st.data())
def test_all_labels_give_the_human_score(weights: list[int], data: st.DataObject) -> None:
    worth = shares(weights)
    labels: dict[int, Score] = {key: float(data.draw(st.booleans())) for key in worth}
    grades: dict[int, Score] = {key: data.draw(st.sampled_from([0, 1, None])) for key in worth}
    found = score_audit(plan_audit(worth, len(worth)), grades, labels)
    truth = math.fsum(worth[key] * (labels[key] or 0) for key in worth)
    assert found.value == found.low == close(truth)
    assert found.high == close(truth)
    assert found.difference.value == close(truth)
    assert found.difference.error == 0
    assert not found.warnings


@given(WORTHS, st.integers(1, 12), st.integers(0, 9), st.data())
def test_an_audited_score_lies_in_its_interval(
    weights: list[int], count: int, seed: int, data: st.DataObject
) -> None:
    worth = shares(weights)
    grades: dict[int, Score] = {key: data.draw(st.sampled_from([0, 0.5, 1, None])) for key in worth}
    plan = plan_audit(worth, count, seed=seed)
    labels: dict[int, Score] = {key: float(data.draw(st.booleans())) for key in plan.drawn}
    found = score_audit(plan, grades, labels)
    assert -1e-9 <= found.low <= found.value + 1e-9 <= found.high + 2e-9 <= 1 + 3e-9
    assert found.judged_low <= found.judged_high <= 1 + 1e-9
    assert bool(found.warnings) == (found.certain < 1 - 1e-9)


@given(WORTHS, st.integers(1, 50), st.data())
def test_other_sizes_keep_a_fifth_of_the_chance_that_worth_gives(
    weights: list[int], labels: int, data: st.DataObject
) -> None:
    worth = shares(weights)
    size = {key: data.draw(st.floats(0, 9)) * share for key, share in worth.items()}
    size[max(worth, key=worth.__getitem__)] += 0.1
    chance = inclusion(worth, labels, size=size)
    assert math.fsum(chance.values()) == close(min(labels, sum(map(bool, weights))))
    assert all(value >= min(1, 0.2 * labels * worth[key]) - 1e-9 for key, value in chance.items())
    assert all((chance[key] > 0) == (share > 0) for key, share in worth.items())
    assert inclusion(worth, labels, size=worth) == close(inclusion(worth, labels))


def test_estimates_stay_unbiased_with_other_sizes() -> None:
    worth = shares([1, 2, 3, 4, 5, 6, 7, 8])
    unsure = {key: share * (0.1 + 0.3 * (key % 3)) for key, share in worth.items()}
    truth = {key: float(key % 2) for key in worth}
    grades: dict[int, Score] = {key: float(key % 4 > 1) for key in worth}
    plans = [plan_audit(worth, 4, seed=seed, size=unsure) for seed in range(3000)]
    for key, chance in plans[0].chance.items():
        assert sum(key in plan.drawn for plan in plans) / 3000 == close(chance, abs=0.03)
    found = [
        score_audit(plan, grades, {key: truth[key] for key in plan.drawn}).difference.value
        for plan in plans
    ]
    human = math.fsum(worth[key] * truth[key] for key in worth)
    error = math.sqrt(sum((value - human) ** 2 for value in found) / 3000 / 3000)
    assert sum(found) / 3000 == close(human, abs=4 * error)
    assert error < 0.01


@pytest.mark.parametrize(
    ("size", "message"),
    [({0: 1.0}, "no size"), ({0: 1.0, 1: -1.0}, "negative"), ({0: 0.0, 1: 0.0}, "with size")],
)
def test_sizes_that_are_none(size: dict[int, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        inclusion(shares([1, 1]), 1, size=size)


def test_a_drawn_leaf_without_a_verdict_is_an_error() -> None:
    plan = plan_audit(shares([1] * 10), 4, seed=0)
    labels: dict[int, Score] = dict.fromkeys(plan.drawn[1:], 1.0)
    for missing in ({}, {plan.drawn[0]: None}, {plan.drawn[0]: math.nan}):
        with pytest.raises(LabelsError, match="1 of 4 drawn leaves have no verdict") as caught:
            score_audit(plan, {}, labels | missing)
        assert caught.value.code == "E503"


@pytest.mark.parametrize("score", [-0.5, 1.5])
def test_scores_out_of_range(score: float) -> None:
    plan = plan_audit(shares([1, 1]), 2)
    with pytest.raises(UsageError, match="between 0 and 1"):
        score_audit(plan, {0: score}, {0: 1, 1: 1})


def test_leaves_without_grades_are_a_stratum_of_their_own() -> None:
    worth = dict.fromkeys(range(100), 0.01)
    grades: dict[int, Score] = {i: 1.0 if i < 50 else None for i in range(100)}
    plan = plan_audit(worth, 40, seed=5)
    found = score_audit(plan, grades, {i: float(i < 50) for i in plan.drawn})
    assert (found.judged_low, found.judged_high) == close((0.5, 1.0))
    assert found.value == close(0.5, abs=0.01)
    assert found.high - found.low < 0.15


def test_labels_of_leaves_that_were_not_drawn_change_nothing() -> None:
    plan = plan_audit(shares([1] * 30), 10, seed=2)
    labels: dict[int, Score] = dict.fromkeys(plan.drawn, 1.0)
    more = dict.fromkeys(range(30), 0.0) | labels
    assert score_audit(plan, {}, labels) == score_audit(plan, {}, more)


def test_an_audit_of_a_benchmark_gives_the_mean_score(trees: dict[str, Tree]) -> None:
    worths = {name: tree.worth for name, tree in trees.items()}
    truth = {
        (name, key): score
        for name, tree in trees.items()
        for key, score in zip(tree.rubric.leaves(), tree.scores, strict=True)
    }
    grades: dict[tuple[str, str], Score] = {
        (name, key): score
        for name, tree in trees.items()
        for key, score in zip(tree.rubric.leaves(), tree.judged("flip7"), strict=True)
    }
    mean = (0.18568121693121692 + 0.91 + 0.48152958152958153) / 3
    found = [
        score_audit(plan := plan_benchmark(worths, 60, seed=seed), grades, {
            key: truth[key] for key in plan.drawn
        })
        for seed in range(40)
    ]  # fmt: skip
    assert sum(one.value for one in found) / 40 == close(mean, abs=0.02)
    assert sum(one.low <= mean <= one.high for one in found) >= 35
    everything = score_audit(plan_benchmark(worths, 10_000), grades, dict(truth))
    assert everything.value == close(mean)


def test_difference_with_replacement() -> None:
    found = difference_with_replacement(0.8, [0, 0, -1, 0, 1, 0, -1, 0])
    assert found.value == close(0.8 - 1 / 8)
    assert found.error == close(math.sqrt(23 / 56 / 8))
    assert difference_with_replacement(0.8, [1]).low is None
    with pytest.raises(UsageError, match="no leaf"):
        difference_with_replacement(0.8, [])


PUBLISHED = {
    "Code Development": Rates(347 / 402, 67 / 114, 402, 114),
    "Code Execution": Rates(663 / 770, 1077 / 1330, 770, 1330),
}


def submission(share: float) -> Pairs:
    """One category, of whose leaves the judge calls a share met."""
    return Pairs.of(pair(i, None, float(i < share * 100)) for i in range(100))


def test_a_score_is_not_corrected_by_rates_from_elsewhere_unasked() -> None:
    with pytest.raises(UsageError, match="seldom carry over") as caught:
        transported(submission(0.6), PUBLISHED)
    assert caught.value.code == "E006"


def test_a_score_is_corrected_where_the_guards_allow_it() -> None:
    found = transported(submission(0.6), PUBLISHED, transport=True)
    j = 347 / 402 + 67 / 114 - 1
    assert found.judged == close(0.6)
    assert found.value == found.raw == close((0.6 + 67 / 114 - 1) / j)
    assert not found.refused
    assert found.low is not None
    assert found.high is not None
    assert 0.2 < found.high - found.low < 0.6


@pytest.mark.parametrize(
    ("share", "rates", "reason"),
    [
        (0.1, PUBLISHED, "outside the 0.412 to 0.863"),
        (0.9, PUBLISHED, "they do not carry over"),
        (0.6, {"Code Development": Rates(0.8, 0.39, 90, 90)}, "Youden's J is 0.190, below 0.2"),
        (0.6, {"Code Development": Rates(0.8, 0.8, 90, 19)}, "fewer than 20"),
        (0.6, {}, "no rates are known"),
    ],
)
def test_guards_refuse_with_a_reason_and_keep_the_raw_value(
    share: float, rates: dict[str, Rates], reason: str
) -> None:
    found = transported(submission(share), rates, transport=True)
    assert found.value is found.low is found.high is None
    assert any(reason in line for line in found.refused)
    assert (found.raw is None) == (not rates)


def test_a_category_without_worth_needs_no_rates() -> None:
    rows = [*submission(0.6).rows, pair(200, None, 1, category="new", worth=0.0)]
    assert transported(Pairs.of(rows), PUBLISHED, transport=True).value is not None


def test_rates_come_from_graded_labels_of_both_classes() -> None:
    rows = [pair(i, float(i < 6), float(i % 3 > 0)) for i in range(10)]
    rows += [pair(10, 1, None), pair(11, 1, 1, category="one class")]
    assert rates_of(Pairs.of(rows)) == {"Code Development": Rates(4 / 6, 2 / 4, 6, 4, ungraded=1)}


def test_partial_credit_is_not_corrected_as_if_it_were_met() -> None:
    found = transported(
        Pairs.of(pair(i, None, 0.6, worth=0.1) for i in range(10)), PUBLISHED, transport=True
    )
    assert found.judged == close(0.6)
    assert found.raw is found.value is None
    assert "partial credit, where rates are of met and not met: 10" in found.refused[0]
    weightless = [*submission(0.6).rows, pair(200, None, 0.5, worth=0.0)]
    assert transported(Pairs.of(weightless), PUBLISHED, transport=True).value is not None


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ([pair(100 + i, 1, None) for i in range(30)], "which rates leave out: 30"),
        ([pair(100, 0.6, 1)], "behind the rates: 1"),
        ([pair(100, 1, 0.6)], "behind the rates: 1"),
    ],
)
def test_rates_that_do_not_speak_of_all_labels_are_refused(more: list[Pair], reason: str) -> None:
    rows = [pair(i, float(i % 2), float(i % 2 if i > 8 else not i % 2)) for i in range(80)]
    target = submission(0.5)
    assert transported(target, rates_of(Pairs.of(rows)), transport=True).value is not None
    found = transported(target, rates_of(Pairs.of(rows + more)), transport=True)
    assert found.value is None
    assert any(reason in line for line in found.refused)


def test_more_labels_narrow_the_interval(trees: dict[str, Tree]) -> None:
    for name, most in (("rice", 0.11), ("semantic-self-consistency", 0.08)):
        tree = trees[name]
        grades: dict[str, Score] = dict(zip(tree.worth, tree.judged("flip7"), strict=True))
        widths = [expected_half_width(tree.worth, grades, n) for n in (10, 20, 40, 60)]
        assert widths == sorted(widths, reverse=True)
        assert widths[2] < most
        wanted = labels_for(tree.worth, grades, 0.05)
        assert expected_half_width(tree.worth, grades, wanted) <= 0.05
        assert expected_half_width(tree.worth, grades, wanted - 1) > 0.05


def test_planning_at_the_ends() -> None:
    worth = shares([1, 1, 1, 0])
    assert expected_half_width(worth, {}, 3) == 0
    assert labels_for(worth, {}, 1e-9) == 3
    with pytest.raises(UsageError, match="half-width"):
        labels_for(worth, {}, 0)


def test_a_plan_is_a_value() -> None:
    plan = plan_audit(shares([1, 2]), 1)
    with pytest.raises(AttributeError):
        plan.seed = 3  # type: ignore[misc]
    assert replace(plan, seed=3).seed == 3
