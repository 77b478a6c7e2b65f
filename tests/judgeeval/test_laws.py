"""What must hold for any labels and grades."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    balanced_accuracy_score,
    cohen_kappa_score,
    matthews_corrcoef,
    precision_recall_fscore_support,
)

from rubric_engine.judgeeval import (
    Cells,
    Figures,
    Pairs,
    agreement,
    baselines,
    compare,
    estimates,
    figures,
    holm,
    mcnemar,
    ranking,
    slice_of,
)
from rubric_engine.judgeeval.measures import HEADLINE
from tests.judgeeval.rows import VERDICTS, drawn_pairs, pair

MAYBE = VERDICTS | st.none()
RISING = ("accuracy", "precision", "recall", "f1", "balanced_accuracy", "mcc", "kappa")
"""Figures that no wrong grade can raise."""


@given(drawn_pairs(fewest=1), st.booleans())
def test_figures_are_scikit_learn_s(pairs: Pairs, by_worth: bool) -> None:
    one = slice_of(pairs)
    found = one.by_worth if by_worth else one.headline
    weights = pairs.worth if by_worth else np.ones(len(pairs))
    if not weights.sum():
        assert found.f1 is None
        return
    y, r = pairs.met.astype(int), pairs.said.astype(int)
    macro = precision_recall_fscore_support(
        y, r, labels=[0, 1], average="macro", zero_division=0, sample_weight=weights
    )
    assert (found.precision, found.recall, found.f1) == pytest.approx(macro[:3], abs=1e-12)
    if found.mcc is None:
        assert found.degenerate
        return
    keep = weights > 0
    y, r, weights = y[keep], r[keep], weights[keep]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert found.mcc == pytest.approx(matthews_corrcoef(y, r, sample_weight=weights), abs=1e-9)
        kappa = cohen_kappa_score(y, r, labels=[0, 1], sample_weight=weights)
        balanced = balanced_accuracy_score(y, r, sample_weight=weights)
    assert found.kappa == pytest.approx(kappa, abs=1e-9)
    assert found.balanced_accuracy == pytest.approx(balanced, abs=1e-9)


@given(drawn_pairs(labels=MAYBE, grades=MAYBE))
def test_no_figure_is_ever_nan_and_none_has_its_reason(pairs: Pairs) -> None:
    found = agreement(pairs)
    for one in (found.pooled, *found.submissions.values(), *found.categories.values()):
        for row in (one.headline, one.graded, one.best, one.as_not_met, one.by_worth):
            for name in (*RISING, "ac1", "alpha", "human_rate", "judge_rate", "rate_bias"):
                value = getattr(row, name)
                assert (value is None) == (name in row.why), name
                assert value is None or math.isfinite(value)


@given(drawn_pairs(grades=MAYBE), st.data())
def test_a_judge_that_leaves_leaves_out_never_stands_above_itself(
    pairs: Pairs, data: st.DataObject
) -> None:
    lazy = Pairs.of(
        replace(row, grade=row.grade if data.draw(st.booleans()) else None) for row in pairs.rows
    )
    whole, part = slice_of(pairs), slice_of(lazy)
    for name in RISING:
        more, less = getattr(whole.headline, name), getattr(part.headline, name)
        assert (more is None) == (less is None)
        if more is not None:
            assert less <= more + 1e-12, name
    order = ranking({"part": lazy, "whole": pairs})
    assert order[0][0] == "whole" or order[0][1] == order[1][1]


@given(drawn_pairs(grades=MAYBE, fewest=1))
def test_the_headline_is_the_least_that_any_grades_could_bring(pairs: Pairs) -> None:
    one = slice_of(pairs)
    for name in RISING:
        low, high = getattr(one.headline, name), getattr(one.best, name)
        middle = getattr(one.as_not_met, name)
        if low is not None:
            assert low - 1e-12 <= middle <= high + 1e-12, name


def test_the_easy_half_is_not_enough() -> None:
    """The judge that all labels flatter: it grades what it knows and leaves the rest out."""
    rows = [pair(i, i % 2, i % 2 if i < 50 else (i + (i % 5 == 0)) % 2) for i in range(100)]
    whole = Pairs.of(rows)
    half = Pairs.of(replace(row, grade=row.grade if i < 50 else None) for i, row in enumerate(rows))
    assert slice_of(half).graded.f1 == 1
    assert [name for name, _ in ranking({"half": half, "whole": whole})] == ["whole", "half"]


def test_a_crash_on_one_submission_is_a_visible_hole() -> None:
    rows = [
        pair(i, float(i % 3 == 0), float(i % 3 == 0 or i % 7 == 0), submission=name, worth=0.05)
        for name in ("good", "poor")
        for i in range(20)
    ]
    whole = agreement(Pairs.of(rows))
    crashed = agreement(
        Pairs.of(
            replace(row, grade=None if row.submission == "poor" else row.grade) for row in rows
        )
    )
    for name in ("accuracy", "f1", "mcc"):
        assert crashed.means[name].n == 2
        assert (crashed.means[name].value or 0) < (whole.means[name].value or 0)
    assert crashed.submissions["poor"].coverage.graded == 0
    assert crashed.root.mae is not None
    assert whole.root.mae is not None
    assert crashed.root.mae > whole.root.mae
    assert crashed.root.complete is not None
    assert crashed.root.complete.n == 1


@given(drawn_pairs(labels=MAYBE, grades=MAYBE), st.randoms(use_true_random=False))
def test_the_order_of_rows_is_no_matter(pairs: Pairs, random: object) -> None:
    rows = list(pairs.rows)
    assert hasattr(random, "shuffle")
    random.shuffle(rows)
    other = Pairs.of(rows)
    first, second = estimates(pairs, replicates=50), estimates(other, replicates=50)
    for name in HEADLINE:
        for way in ("pooled", "by_worth", "mean"):
            one, two = getattr(first[name], way), getattr(second[name], way)
            assert one.value == pytest.approx(two.value, abs=1e-12)
            assert one.here.low == pytest.approx(two.here.low, abs=1e-12)


@given(drawn_pairs(grades=MAYBE, fewest=2), st.integers(0, 9))
def test_intervals_lie_where_figures_can(pairs: Pairs, seed: int) -> None:
    for name, row in estimates(pairs, seed=seed, replicates=100).items():
        lowest = -1 if name in ("mcc", "kappa", "rate_bias") else 0
        for one in (row.pooled, row.by_worth, row.mean):
            for interval in (one.here, one.anew):
                assert (interval.low is None) == (interval.why is not None)
                if interval.low is not None and interval.high is not None:
                    assert lowest <= interval.low <= interval.high <= 1


@given(drawn_pairs(grades=MAYBE, fewest=1))
def test_a_judge_against_itself(pairs: Pairs) -> None:
    found = compare(pairs, pairs, replicates=50)
    assert not found.shown_here
    assert not found.shown_anew
    assert found.mcnemar.exact_p == found.clustered_p == 1
    assert all(row.value in (0, None) for row in found.differences.values())


@given(drawn_pairs(grades=MAYBE, fewest=1), drawn_pairs(grades=MAYBE, fewest=1))
def test_comparing_the_other_way_round(first: Pairs, second: Pairs) -> None:
    grades = dict(enumerate(row.grade for row in second.rows))
    other = Pairs.of(replace(row, grade=grades.get(i)) for i, row in enumerate(first.rows))
    one, two = compare(first, other, replicates=50), compare(other, first, replicates=50)
    for name in HEADLINE:
        a, b = one.differences[name], two.differences[name]
        assert a.value == pytest.approx(None if b.value is None else -b.value)
        assert a.here_p == pytest.approx(b.here_p)
        assert a.anew_p == pytest.approx(b.anew_p)
    assert one.mcnemar.exact_p == two.mcnemar.exact_p


@given(drawn_pairs(fewest=1))
def test_baselines(pairs: Pairs) -> None:
    rows = baselines(pairs)
    assert list(rows) == ["always met", "always not met", "coin", "category majority"]
    positive, total = int(pairs.met.sum()), len(pairs)
    coin = rows["coin"].pooled
    expected = 0.5 * (
        positive / (positive + total / 2) + (total - positive) / (total - positive + total / 2)
    )
    assert coin.f1 == pytest.approx(expected)
    assert coin.accuracy == pytest.approx(0.5)
    best = max(rows["always met"].pooled.accuracy or 0, rows["always not met"].pooled.accuracy or 0)
    assert (rows["category majority"].pooled.accuracy or 0) >= best - 1e-12


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_a_p_value(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_a_test(first: int, second: int) -> None:
    found = mcnemar(first, second)
    assert 0 <= found.mid_p <= found.exact_p <= 1
    assert found.exact_p == mcnemar(second, first).exact_p


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_cells_give_the_same_in_any_scale(tp: int, fp: int, fn: int, tn: int) -> None:
    whole = figures(Cells(tp, fp, fn, tn))
    small = figures(Cells(tp / 7, fp / 7, fn / 7, tn / 7), n=whole.n)
    for name in (*RISING, "ac1"):
        assert getattr(small, name) == pytest.approx(getattr(whole, name), abs=1e-9), name


def test_published_coin() -> None:
    cells = Cells(1189 / 2, 1504 / 2, 1189 / 2, 1504 / 2)
    row: Figures = figures(cells)
    assert row.f1 == pytest.approx(0.498284, abs=1e-6)
