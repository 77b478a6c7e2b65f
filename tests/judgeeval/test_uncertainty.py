"""Intervals, comparisons and their words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval import (
    Pairs,
    agreement,
    benjamini_hochberg,
    binomial_interval,
    calibration,
    compare,
    compare_all,
    costs,
    estimates,
    front,
    holm,
    majority_error,
    ranking,
    reliability,
    score_spread,
    t_interval,
    verdict,
    within_classes,
)
from rubric_engine.judgeeval.baseline import human
from rubric_engine.judgeeval.paired_tests import clustered_error, t_test, z_test
from rubric_engine.judgeeval.resampling import Draws
from tests.judgeeval.rows import Score, pair, pairs

close = pytest.approx


def crowd(right: Callable[[int], bool], *, submissions: int = 4, leaves: int = 60) -> Pairs:
    """A judge that is right where it says, on submissions that differ a little."""
    return Pairs.of(
        pair(
            i,
            y := float((i + s) % 3 == 0),
            y if right(i * 7 + s * 13) else 1 - y,
            submission=f"s{s}",
            parent=f"p{i // 4}",
            worth=1 / leaves,
        )
        for s in range(submissions)
        for i in range(leaves)
    )


def test_shared_draws_change_no_number() -> None:
    judges = {str(k): crowd(lambda i, k=k: i % (k + 3) != 0) for k in range(3)}  # type: ignore[misc]
    for found in compare_all(judges, seed=5, replicates=200):
        alone = compare(
            judges[found.first],
            judges[found.second],
            names=(found.first, found.second),
            seed=5,
            replicates=200,
        )
        assert alone == replace(
            found, adjusted_p=alone.adjusted_p, adjusted_anew_p=alone.adjusted_anew_p
        )
    draws = Draws.of(judges["0"])
    part = judges["1"].only(lambda row: row.submission == "s2")
    assert estimates(part, draws=draws) == estimates(part)
    assert estimates(part, names=["f1"])["f1"] == estimates(part)["f1"]


def test_the_same_seed_gives_the_same_intervals() -> None:
    judge = crowd(lambda i: i % 6 != 0)
    first, again = estimates(judge, seed=3)["f1"], estimates(judge, seed=3)["f1"]
    other = estimates(judge, seed=4)["f1"]
    assert first == again
    assert first.pooled.here != other.pooled.here
    assert first.pooled.value == other.pooled.value


def test_both_intervals_say_what_they_speak_about() -> None:
    found = estimates(crowd(lambda i: i % 6 != 0))["accuracy"]
    assert found.pooled.here.about == found.mean.here.about == "these submissions"
    assert found.mean.anew.about == "new submissions"
    assert (found.pooled.here.units, found.mean.anew.units) == (60, 4)
    assert found.pooled.anew.low is None
    assert "see the mean" in (found.pooled.anew.why or "")
    assert found.pooled.here.low is not None
    assert found.pooled.here.high is not None
    assert found.pooled.here.low < (found.pooled.value or 0) < found.pooled.here.high


def test_the_bootstrap_has_the_spread_that_theory_gives() -> None:
    judge = crowd(lambda i: i % 6 != 0, submissions=1, leaves=400)
    right = (judge.met == judge.said).astype(float)
    error = clustered_error(right, judge.cluster_codes)
    found = estimates(judge, replicates=4000)["accuracy"].pooled.here
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / (2 * 1.96) == close(error, rel=0.05)


def test_a_judge_without_errors_is_not_beyond_doubt() -> None:
    found = estimates(crowd(lambda i: True))
    assert found["accuracy"].pooled.here.method == "Wilson, one trial a group"
    assert found["accuracy"].pooled.here.high == 1
    assert 0.9 < (found["accuracy"].pooled.here.low or 0) < 1
    for row in (found["f1"].pooled.here, found["f1"].mean.anew):
        assert row.low is None
        assert "same value" in (row.why or "")


def test_one_group_or_one_submission_has_no_interval() -> None:
    rows = [pair(i, i % 2, 1) for i in range(6)]
    found = estimates(Pairs.of(rows))["accuracy"]
    assert "two groups" in (found.pooled.here.why or "")
    assert "one submission" in (found.mean.anew.why or "")


def test_rare_classes_have_no_interval() -> None:
    rows = [pair(i, float(i == 0), i % 2, parent=f"p{i}") for i in range(20)]
    found = estimates(Pairs.of(rows))["mcc"]
    assert found.pooled.value is not None
    assert "one class only" in (found.pooled.here.why or "")


def test_submissions_without_a_figure_are_named() -> None:
    rows = [pair(i, i % 2, i % 2, submission="a", parent=f"p{i}") for i in range(6)]
    rows += [pair(i, 1, i % 2, submission="b", parent=f"p{i}") for i in range(6)]
    found = agreement(Pairs.of(rows)).means["mcc"]
    assert (found.value, found.n, found.undefined) == (1, 1, ("b",))


def test_t_interval() -> None:
    found = t_interval([0.7, 0.8, 0.9])
    assert (found.low, found.high) == close((0.8 - 0.248414, 1.0), abs=1e-6)
    assert t_interval([0.7, 0.8, 0.9], bounds=(-1, 2)).high == close(0.8 + 0.248414, abs=1e-6)


@pytest.mark.parametrize("hits", [-1, 5])
def test_a_share_that_is_none(hits: int) -> None:
    with pytest.raises(UsageError, match="no share"):
        binomial_interval(hits, 4)


def test_no_trials() -> None:
    assert binomial_interval(0, 0).why == "no trial"
    assert holm([]) == benjamini_hochberg([]) == ()


GOOD = crowd(lambda i: i % 9 != 0)
POOR = crowd(lambda i: i % 3 != 0)


def test_a_clear_difference_is_shown() -> None:
    found = compare(GOOD, POOR, names=("good", "poor"))
    gap = found.differences["f1"]
    assert found.shown_here
    assert found.shown_anew
    assert gap.here.low is not None
    assert gap.here.low > 0
    assert verdict(found).startswith("good is better than poor on these submissions (macro F1 +0.")
    assert "good should be better than poor on new submissions, too" in verdict(found)
    turned = compare(POOR, GOOD, names=("poor", "good"))
    assert verdict(turned).startswith("good is better than poor on these submissions (macro F1 +0.")


def test_no_clear_difference_is_said_so() -> None:
    near = Pairs.of(
        replace(row, grade=1 - row.grade) if i in (5, 9) and row.grade is not None else row
        for i, row in enumerate(GOOD.rows)
    )
    found = compare(GOOD, near, names=("a", "b"))
    assert not found.shown_here
    assert verdict(found).startswith("No clear difference between b and a on these ")
    assert "No clear difference between b and a is to be expected on new" in verdict(found)


def test_what_cannot_be_compared_is_said_so() -> None:
    nothing = Pairs.of([])
    assert verdict(compare(nothing, nothing)) == "Nothing is labelled, so nothing is compared."
    one = pairs([1, 0, 1, 0], [1, 0, 0, 0])
    assert "Nothing is shown for new submissions: one submission" in verdict(compare(one, one))


def test_leaves_without_grades_are_named_in_the_verdict() -> None:
    lazy = Pairs.of(replace(row, grade=None) if i < 10 else row for i, row in enumerate(GOOD.rows))
    found = compare(lazy, GOOD, names=("lazy", "good"))
    assert found.ungraded == (10, 0)
    assert "lazy left 10 and good left 0 of 240 leaves without a grade; these count as wrong." in (
        verdict(found)
    )


@pytest.mark.parametrize(
    ("change", "looked"),
    [
        (lambda row: replace(row, label=1 - (row.label or 0)), "another label, worth, group"),
        (lambda row: replace(row, worth=0.5), "another label, worth, group"),
        (lambda row: replace(row, key=f"x{row.key}"), "only 'b' was measured on 240 leaves"),
        (lambda row: replace(row, label=None), "only 'a' was measured on 240 leaves"),
    ],
)
def test_judges_on_unlike_leaves_are_refused(change: Callable[..., object], looked: str) -> None:
    other = Pairs.of(change(row) for row in GOOD.rows)  # type: ignore[misc]
    for call in (
        lambda: compare(GOOD, other, names=("a", "b")),
        lambda: compare_all({"a": GOOD, "b": other}),
        lambda: ranking({"a": GOOD, "b": other}),
    ):
        with pytest.raises(UsageError, match="not measured on the same") as caught:
            call()
        assert any(looked in line for line in caught.value.looked)
        assert caught.value.fix


def test_judges_by_unlike_thresholds_are_refused() -> None:
    other = Pairs.of(GOOD.rows, threshold=0.8)
    with pytest.raises(UsageError) as caught:
        ranking({"a": GOOD, "b": other})
    assert caught.value.looked == ("the threshold from which a score is met",)


def test_the_order_of_leaves_does_not_part_judges() -> None:
    other = Pairs.of(reversed(POOR.rows))
    one, two = compare(GOOD, POOR), compare(GOOD, other)
    assert one.mcnemar == two.mcnemar
    assert one.differences["f1"].here == two.differences["f1"].here


def test_a_family_of_comparisons_is_adjusted() -> None:
    middle = crowd(lambda i: i % 8 != 0)
    found = compare_all({"good": GOOD, "middle": middle, "poor": POOR})
    assert [(one.first, one.second) for one in found] == [
        ("good", "middle"), ("good", "poor"), ("middle", "poor"),
    ]  # fmt: skip
    plain = [one.differences["f1"].here_p for one in found]
    assert holm([p for p in plain if p is not None]) == close(
        tuple(one.adjusted_p for one in found)
    )
    assert [name for name, _ in ranking({"poor": POOR, "good": GOOD})] == ["good", "poor"]
    assert not compare_all({})
    assert not ranking({})


def test_small_categories_get_no_test() -> None:
    rows = [pair(i, float(i < 4), i % 2, category="few") for i in range(20)]
    rows += [pair(i, i % 2, 1, category="many") for i in range(20, 40)]
    found = compare(Pairs.of(rows), Pairs.of(rows)).categories
    assert (found["few"].met, found["few"].not_met, found["few"].mcnemar) == (4, 16, None)
    assert found["few"].why == "fewer than 5 labels of a class"
    assert found["many"].mcnemar is not None


def test_clustered_error_is_that_of_clustered_least_squares(
    judge_on_all: Callable[[str], Pairs],
) -> None:
    judge = judge_on_all("parent5")
    right = (judge.met == judge.said).astype(float)
    single = clustered_error(right, np.arange(len(right)))
    assert single == close(float(right.std()) / len(right) ** 0.5)
    # Whole groups are right or wrong together: leaves say less than they seem to.
    assert clustered_error(right, judge.cluster_codes) > 1.5 * single


def test_p_values_of_means() -> None:
    assert z_test(0.0, 0.0) == 1
    assert z_test(0.1, 0.0) is None
    assert z_test(1.959964, 1.0) == close(0.05, abs=1e-6)
    assert t_test([1.0]) is t_test([1.0, 1.0]) is None
    assert t_test([4.302653 / 3**0.5 + d for d in (-1, 0, 1)]) == close(0.05, abs=1e-6)
    assert np.isnan(clustered_error(np.array([]), np.array([], dtype=np.intp)))


def test_human_against_human_is_over_what_both_judged() -> None:
    first = pairs([1, 0, 1, None], [0, 0, 0, 0])
    second: dict[tuple[str, str], Score] = {("s", "n0"): 1, ("s", "n1"): 1, ("s", "n3"): 0}
    found = human(first, second)
    assert [(row.key, row.label, row.grade) for row in found.rows] == [
        ("n0", 1, 1), ("n1", 0, 1), ("n3", None, 0),
    ]  # fmt: skip


def test_costs() -> None:
    rows = [pair(i, 1, 1, submission=f"s{i % 2}", cost=0.5) for i in range(4)]
    found = costs(Pairs.of(rows))
    assert (found.known, found.unpriced, found.per_submission, found.per_leaf) == (2, 0, 1, 0.5)
    found = costs(Pairs.of([*rows, pair(9, 1, 1)]))
    assert (found.known, found.unpriced, found.per_submission, found.per_leaf) == (2, 1, None, None)


def test_the_front_of_published_judges() -> None:
    published = [
        ("gpt-4o", 119.9, 0.7298), ("gpt-4o-mini", 8.01, 0.5900), ("o1", 830.16, 0.8420),
        ("o3-mini", 66.04, 0.8266), ("o1-mini", 71.74, 0.7752),
    ]  # fmt: skip
    found = front(published)
    assert [one.judge for one in found] == ["gpt-4o-mini", "o3-mini", "o1"]
    assert [one.per_hundredth for one in found] == [None, close(2.45, abs=0.01), close(496, abs=1)]
    assert front([]) == ()


def test_reliability() -> None:
    chart = reliability([0.05, 0.1, 0.12, 1.0], [False, False, True, True])
    assert [one.n for one in chart] == [1, 2, 0, 0, 0, 0, 0, 0, 0, 1]
    assert (chart[1].said, chart[1].was) == close((0.11, 0.5))
    assert chart[2].said is chart[2].was is None
    with pytest.raises(UsageError, match="do not go with"):
        reliability([], [])


def test_calibration_of_a_judge() -> None:
    rows = [
        pair(0, 1, 1, probability=0.9, worth=0.5),
        pair(1, 0, 0, probability=0.2, worth=0.5),
        pair(2, 0, 1, probability=0.6, worth=0.0),
        pair(3, 1, 1),
        pair(4, None, 1, probability=0.5),
    ]
    found = calibration(Pairs.of(rows))
    assert (found.n, found.without) == (3, 1)
    assert found.brier == close((0.01 + 0.04 + 0.36) / 3)
    assert found.ece == close((0.1 + 0.2 + 0.6) / 3)
    assert found.risk is not None
    assert found.risk.risk == close((0, 0, 1 / 3))
    assert found.risk_by_worth is not None
    assert found.risk_by_worth.risk == (0, 0)
    assert found.risk_by_worth.auroc is None


def test_errors_that_never_repeat_are_binomial() -> None:
    assert majority_error(3, 465 / 2693, 0.0) == close(0.079148, abs=1e-6)


def test_habits_inside_a_class() -> None:
    rows = [[1, 1, 1], [0, 0, 1], [0, 0, 0], [1, 0, 0]]
    found = within_classes(rows, [1, 1, 0, None])
    assert found == {"met": close(0.25), "not_met": None}
    assert score_spread([0.5]) is None
    assert score_spread([0.4, 0.6]) == close(0.141421, abs=1e-6)
