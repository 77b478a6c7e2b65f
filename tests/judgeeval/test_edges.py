"""The edge cases: None with a reason in place of NaN, an error of a library, or a lucky 1.0."""

from __future__ import annotations

import math

import pytest

from rubric_engine.errors import LabelsError, RubricEngineError, UsageError
from rubric_engine.grading import Grade
from rubric_engine.judgeeval import (
    Cells,
    Pairs,
    Rates,
    agreement,
    benchmark_mean,
    calibration,
    consistency,
    dawid_skene,
    estimates,
    figures,
    inclusion,
    kendall_tau,
    majority_error,
    mcnemar,
    pair_up,
    plan_audit,
    rogan_gladen,
    root_of,
    score_audit,
    slice_of,
    t_interval,
    transported,
)
from tests.judgeeval.rows import Score, pair, pairs
from tests.strategies import flat, group, leaf


def test_both_say_met_of_everything() -> None:
    row = figures(Cells(tp=4, fp=0, fn=0, tn=0))
    assert row.accuracy == 1
    assert row.f1 == 0.5  # scikit-learn infers one class and says 1.0
    assert row.degenerate
    assert row.constant_judge
    assert (row.met.recall, row.met.f1, row.met.support) == (1, 1, 4)
    assert (row.not_met.precision, row.not_met.recall, row.not_met.f1) == (None, None, None)
    assert row.balanced_accuracy is row.mcc is row.kappa is row.alpha is None
    assert row.ac1 == 1
    assert row.why["mcc"].startswith("all labels are met")
    assert row.why["not_met.recall"] == "no label is not met"
    assert row.why["alpha"] == "all labels and grades are the same"


def test_one_human_class_and_a_mixed_judge() -> None:
    row = figures(Cells(tp=2, fp=0, fn=1, tn=0))
    assert row.recall == pytest.approx(1 / 3)
    assert row.balanced_accuracy is row.mcc is row.kappa is None
    assert row.degenerate
    assert not row.constant_judge
    assert row.not_met.precision == 0
    assert row.not_met.recall is None
    assert set(row.why) == {
        "balanced_accuracy", "mcc", "kappa", "not_met.recall", "not_met.f1",
    }  # fmt: skip


def test_a_constant_judge_on_mixed_labels() -> None:
    row = figures(Cells(tp=3, fp=2, fn=0, tn=0))
    assert (row.mcc, row.kappa, row.balanced_accuracy) == (0, 0, 0.5)
    assert row.alpha is not None
    assert row.alpha < 0
    assert row.constant_judge
    assert not row.degenerate
    assert not row.why


def test_nothing_at_all() -> None:
    found = agreement(Pairs.of([]))
    row = found.pooled.headline
    assert row.n == 0
    assert {row.accuracy, row.f1, row.mcc, row.kappa, row.ac1, row.human_rate} == {None}
    assert row.why["accuracy"] == "no labelled leaf"
    assert not row.degenerate
    assert not row.constant_judge
    assert found.pooled.coverage.leaves == found.pooled.coverage.worth == 0
    assert found.root.n == 0
    assert found.root.why
    assert found.means["f1"].value is None
    assert found.means["f1"].why
    assert found.cost.per_leaf is None
    assert all(one.pooled.here.why for one in estimates(Pairs.of([])).values())


@pytest.mark.parametrize("grade", [1, 1.0, True, 1 + 1e-10])
def test_numbers_of_any_kind(grade: float) -> None:
    row = figures_of([1.0, 0, False], [grade, 0, -1e-10])
    assert row == (1, 1)


def figures_of(labels: list[Score], grades: list[Score]) -> tuple[Score, Score]:
    one = slice_of(pairs(labels, grades)).headline
    return one.accuracy, one.f1


@pytest.mark.parametrize(("threshold", "right"), [(0.5, 0.75), (0.6, 0.5), (0.25, 0.75)])
def test_fractions_are_met_from_the_threshold(threshold: float, right: float) -> None:
    rows = pairs([1.0, 1.0, 0.0, 0.0], [0.5, 1.0, 0.3, 0.9]).rows
    found = agreement(Pairs.of(rows, threshold=threshold))
    expected = right if threshold != 0.25 else 0.5
    assert found.pooled.headline.accuracy == expected
    assert found.root.roots[0].judge == pytest.approx(0.675)  # scores as they are


@pytest.mark.parametrize("nothing", [None, math.nan])
def test_a_leaf_without_grade_is_counted_and_never_imputed(nothing: Score) -> None:
    one = slice_of(pairs([1, 1, 0, 0], [1, nothing, nothing, 0]))
    assert (one.coverage.labelled, one.coverage.graded, one.coverage.leaves) == (4, 2, 0.5)
    assert one.headline.cells == Cells(tp=1, fp=1, fn=1, tn=1)
    assert one.graded.cells == Cells(tp=1, fp=0, fn=0, tn=1)
    assert one.best.cells == Cells(tp=2, fp=0, fn=0, tn=2)
    assert one.as_not_met.cells == Cells(tp=1, fp=0, fn=1, tn=2)


@pytest.mark.parametrize("nothing", [None, math.nan])
def test_a_leaf_without_label_is_counted_apart(nothing: Score) -> None:
    one = slice_of(pairs([1, nothing, 0, 0], [1, 1, 0, None]))
    assert (one.coverage.labelled, one.coverage.unlabelled, one.coverage.graded) == (3, 1, 2)
    assert one.headline.n == 3


@pytest.mark.parametrize("score", [2, -1, math.inf, 1.001])
def test_scores_out_of_range(score: float) -> None:
    with pytest.raises(LabelsError, match="labels are 0 to 1"):
        pairs([score], [1])
    with pytest.raises(UsageError, match="grades are 0 to 1"):
        pairs([1], [score])
    with pytest.raises(UsageError, match="grades are 0 to 1"):
        Pairs.of([pair(0, 1, 1, probability=score)])
    with pytest.raises(UsageError, match="worths are 0 to 1"):
        Pairs.of([pair(0, 1, 1, worth=score)])


def test_a_leaf_that_stands_twice() -> None:
    with pytest.raises(UsageError, match="stands twice"):
        Pairs.of([pair(0, 1, 1), pair(0, 1, 0)])
    assert len(Pairs.of([pair(0, 1, 1), pair(0, 1, 0, submission="t")])) == 2


@pytest.mark.parametrize("threshold", [0, -0.1, 1.1, math.nan])
def test_a_threshold_that_is_none(threshold: float) -> None:
    with pytest.raises(UsageError, match="threshold"):
        Pairs.of([], threshold=threshold)


def test_leaves_without_worth_have_no_figures_by_worth() -> None:
    rows = [pair(0, 1, 1, worth=0), pair(1, 0, 1, worth=0)]
    one = slice_of(Pairs.of(rows))
    assert one.headline.accuracy == 0.5
    assert one.by_worth.n == 2
    assert one.by_worth.accuracy is one.by_worth.f1 is None
    assert one.by_worth.why["f1"] == "no leaf here is worth anything"
    assert one.coverage.worth == 0


def test_leaves_without_worth_are_counted_and_never_drawn() -> None:
    chance = inclusion({"a": 0.5, "b": 0.0, "c": 0.5}, 1)
    assert chance == {"a": 0.5, "b": 0.0, "c": 0.5}
    assert all(plan_audit({"a": 1.0, "b": 0.0}, 2, seed=s).drawn == ("a",) for s in range(9))
    with pytest.raises(UsageError, match="leaves with worth"):
        inclusion({"a": 0.0}, 1)


def test_nothing_graded() -> None:
    found = agreement(pairs([1, 1, 0, 1], [None] * 4))
    one = found.pooled
    assert one.coverage.leaves == one.coverage.worth == 0
    assert one.headline.accuracy == one.headline.f1 == 0
    assert one.best.f1 == 1
    assert one.graded.f1 is None
    assert one.graded.why["f1"] == "no labelled leaf"
    (root,) = found.root.roots
    assert (root.judge, root.low, root.high) == (0, 0, 1)
    assert root.error == -0.75
    assert found.root.complete is None
    assert (found.root.bias, found.root.bias_range) == (-0.75, (-0.75, 0.25))
    assert "without a grade" in (found.root.bias_anew.why or "")


def test_an_invalid_group_leaves_its_leaves_without_grades() -> None:
    rubric = flat(leaf("a"), leaf("b"), leaf("c", weight=2))
    labels = dict.fromkeys("abc", Grade.graded(1))
    rows = pair_up(rubric, labels, {"a": Grade.graded(1)}, submission="s")
    assert [row.grade for row in rows] == [1, None, None]
    assert slice_of(Pairs.of(rows)).coverage.worth == 0.25


@pytest.mark.parametrize(("q1", "q0"), [(0.5, 0.5), (0.2, 0.3)])
def test_a_judge_that_tells_nothing_apart_corrects_nothing(q1: float, q0: float) -> None:
    with pytest.raises(UsageError, match="Youden's J"):
        rogan_gladen(0.5, q1, q0)
    target = pairs([None] * 4, [1, 0, 1, 0])
    found = transported(target, {"Code Development": Rates(q1, q0, 90, 90)}, transport=True)
    assert found.value is found.raw is found.low is None
    assert "Youden's J" in found.refused[0]


def test_judges_that_are_right_on_the_same_leaves() -> None:
    assert mcnemar(0, 0).exact_p == mcnemar(0, 0).mid_p == 1


def test_an_order_of_constant_scores() -> None:
    assert kendall_tau([1, 1, 1], [1, 2, 3]) is None


def test_an_audit_without_disagreement_keeps_a_width() -> None:
    worth = {str(i): 0.01 for i in range(100)}
    grades = dict.fromkeys(worth, 0.0)
    plan = plan_audit(worth, 30, seed=1)
    found = score_audit(plan, grades, dict.fromkeys(plan.drawn, 0.0))
    assert found.difference.error == 0
    assert found.value == found.low == 0
    assert 0.02 < found.high < 0.2


def test_a_difference_estimate_out_of_range_stays_raw_beside_the_clipped() -> None:
    worth = dict(zip("abcde", (0.4, 0.3, 0.15, 0.1, 0.05), strict=True))
    labels = dict(zip("abcde", (1.0, 0.0, 1.0, 1.0, 0.0), strict=True))
    grades = dict(zip("abcde", (1.0, 1.0, 0.0, 1.0, 0.0), strict=True))
    plan = plan_audit(worth, 2)
    plan = type(plan)(2, 0, worth, plan.chance, ("a", "c"))
    found = score_audit(plan, grades, labels).difference
    assert found.value == pytest.approx(1.3)
    assert found.clipped == 1


def test_float_drift_of_worths_is_no_missing_worth() -> None:
    rows = [pair(i, 1, 1, worth=0.1) for i in range(10)]  # 0.1 ten times is not quite 1
    (root,) = agreement(Pairs.of(rows)).root.roots
    assert root.human == root.judge == 1


def test_raters_that_all_say_the_same() -> None:
    found = consistency([[1, 1], [1, 1]])
    assert found.agreement == 1
    assert found.fleiss_kappa is found.alpha is None
    assert set(found.why) == {"fleiss_kappa", "alpha"}
    assert consistency([[1], [None, 1]]).why["agreement"] == "no leaf has two verdicts"
    uneven = consistency([[1, 1, 0], [0, 1]])
    assert uneven.why == {"fleiss_kappa": "leaves differ in number of verdicts"}


def test_probabilities_that_nobody_gives() -> None:
    found = calibration(pairs([1, 0], [1, 0]))
    assert (found.n, found.without, found.brier, found.ece) == (0, 2, None, None)
    assert found.why


@pytest.mark.parametrize("values", [[], [0.5], [0.5, 0.5]])
def test_a_t_interval_that_nothing_supports(values: list[float]) -> None:
    found = t_interval(values)
    assert found.low is found.high is None
    assert found.why


def test_one_run_has_no_error_over_runs() -> None:
    found = benchmark_mean([[0.5], [0.7]])
    assert found.error_over_runs is found.half_over_runs is None
    assert found.error_over_papers is not None
    broken = benchmark_mean([[0.5, 0.6, None], [0.7, 0.8, 0.9]])
    assert (broken.runs, broken.incomplete) == (2, 1)
    assert benchmark_mean([[None]]).mean is None


def test_root_scores_where_nothing_weighs() -> None:
    rubric = flat(leaf("a", weight=0), leaf("b"))
    met = Grade.graded(1)
    assert root_of(rubric, {"a": met}, {"a": met}, submission="s") is None


def test_root_scores_follow_the_rubric_s_own_aggregates() -> None:
    rubric = flat(leaf("a"), leaf("b"), root=group("root", aggregate="all"))
    labels = {"a": Grade.graded(1), "b": Grade.graded(1)}
    found = root_of(rubric, labels, {"a": Grade.graded(1)}, submission="s")
    assert found is not None
    assert (found.human, found.low, found.high, found.leaf_error) == (1, 0, 1, 0.5)
    rows = Pairs.of(pair_up(rubric, labels, {"a": Grade.graded(1)}, submission="s"))
    assert agreement(rows, roots=[found]).root.largest == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: consistency([[2, 1]]),
        lambda: dawid_skene([[1, 0], [1, 0]]),
        lambda: dawid_skene([[1, None], [1, None], [0, None]]),
        lambda: dawid_skene([[1], [2], [0]]),
        lambda: majority_error(2, 0.1, 0.5),
        lambda: benchmark_mean([]),
        lambda: inclusion({"a": -1.0}, 1),
        lambda: plan_audit({"a": 1.0}, 0),
        lambda: transported(pairs([1], [1]), {}),
        lambda: transported(pairs([1], [None]), {}, transport=True),
    ],
)
def test_mistakes_are_errors_of_this_package(call: object) -> None:
    assert callable(call)
    with pytest.raises(RubricEngineError) as caught:
        call()
    assert caught.value.exit_code == 2
