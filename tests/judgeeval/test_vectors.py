"""Every value of the vectors, through the public names, on the public labelled trees."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from rubric_engine.grading import Grade
from rubric_engine.judgeeval import (
    AuditPlan,
    Cells,
    Figures,
    Pairs,
    Rates,
    agreement,
    benchmark_mean,
    benjamini_hochberg,
    binomial_interval,
    brier,
    consistency,
    dawid_skene,
    figures,
    holm,
    inclusion,
    kendall_tau,
    lead_by,
    lee_interval,
    majority_error,
    mcnemar,
    risk_coverage,
    rogan_gladen,
    roots_of,
    score_audit,
    slice_of,
)
from rubric_engine.judgeeval.intervals import Proportion, t_quantile
from rubric_engine.scoring import propagate
from rubric_engine.stats import rubric_stats
from tests.judgeeval.conftest import TREES, Tree, Vectors

close = pytest.approx


def exact(value: Any) -> Any:
    """Equal within 1e-9."""
    return pytest.approx(value, rel=1e-9, abs=1e-9)


CASES = [f"{tree}|{judge}" for tree in TREES for judge in ("ones", "zeros", "flip7")] + [
    f"{tree}:{category}|flip7"
    for tree in TREES
    for category in ("Code Development", "Code Execution", "Result Analysis")
]
UNDEFINED_IN_ONE_CLASS = {"balanced_accuracy", "mcc", "kappa"}


def test_no_case_of_the_vectors_is_forgotten(vectors: Vectors) -> None:
    assert sorted(vectors["agreement"]) == sorted(CASES)


@pytest.mark.parametrize("case", CASES)
def test_agreement(case: str, vectors: Vectors, trees: dict[str, Tree]) -> None:
    place, judge = case.split("|")
    name, _, category = place.partition(":")
    pairs = Pairs.of(trees[name].pair(trees[name].judged(judge)))
    found = agreement(pairs)
    one = found.categories[category] if category else found.pooled
    expected = vectors["agreement"][case]
    same_figures(one.headline, expected["leaf"])
    if not category:
        same_figures(one.by_worth, expected["effective_weight"])
        (root,) = found.root.roots
        assert root.human == exact(expected["leaf"]["root_human"])
        assert root.judge == exact(expected["leaf"]["root_judge"])
        assert root.error == exact(expected["leaf"]["root_error"])
        assert root.leaf_error == exact(expected["leaf"]["weighted_abs_leaf_error"])


def same_figures(found: Figures, expected: dict[str, float]) -> None:
    """Each expected figure, or None with a reason where one class has no labels."""
    ours = {
        "n": found.n,
        "tp": found.cells.tp,
        "fp": found.cells.fp,
        "fn": found.cells.fn,
        "tn": found.cells.tn,
        "precision_macro": found.precision,
        "recall_macro": found.recall,
        "f1_macro": found.f1,
        **{f"{name}_1": getattr(found.met, name) for name in ("precision", "recall", "f1")},
        **{f"{name}_0": getattr(found.not_met, name) for name in ("precision", "recall", "f1")},
    }
    for name, value in expected.items():
        if name.startswith(("root_", "weighted_")):
            continue
        mine = ours[name] if name in ours else getattr(found, name)
        if mine is None:
            # Libraries give a number that means nothing here.
            assert found.degenerate
            assert name in UNDEFINED_IN_ONE_CLASS or name.endswith(("_0", "_1"))
            assert found.why
        else:
            assert mine == close(value, rel=1e-9, abs=1e-9 if name != "ac1" else 1e-11), name


def test_the_published_counts() -> None:
    row = figures(Cells(tp=1026, fp=302, fn=163, tn=1202))
    assert row.f1 == close(0.8265894392858434, rel=1e-12)
    assert row.n == 2693
    assert (row.met.recall, row.not_met.recall) == close((0.862910, 0.799202), abs=1e-6)
    assert row.balanced_accuracy == close(0.831056, abs=1e-6)
    assert row.balanced_accuracy is not None
    assert 2 * row.balanced_accuracy - 1 == close(0.662112, abs=1e-6)
    assert (row.mcc, row.kappa, row.ac1) == close((0.657629, 0.654104, 0.656129), abs=1e-6)
    assert row.rate_bias == close(0.051615, abs=1e-6)


@pytest.mark.parametrize(
    ("cells", "sensitivity", "specificity", "mcc", "kappa", "ac1", "bias"),
    [
        ((418, 220, 771, 1284), 0.351556, 0.853723, 0.239742, 0.215749, 0.332993, -0.204605),
        ((718, 230, 471, 1274), 0.603869, 0.847074, 0.468851, 0.460723, 0.500675, -0.089491),
        ((971, 202, 218, 1302), 0.816653, 0.865691, 0.683357, 0.683307, 0.692722, -0.005941),
    ],
)
def test_the_other_published_rows(
    cells: tuple[int, int, int, int],
    sensitivity: float,
    specificity: float,
    mcc: float,
    kappa: float,
    ac1: float,
    bias: float,
) -> None:
    row = figures(Cells(*cells))
    found = (row.met.recall, row.not_met.recall, row.mcc, row.kappa, row.ac1, row.rate_bias)
    assert found == close((sensitivity, specificity, mcc, kappa, ac1, bias), abs=1e-6)


@pytest.mark.parametrize("name", TREES)
def test_audited_scores(name: str, vectors: Vectors, trees: dict[str, Tree]) -> None:
    tree, expected = trees[name], vectors["verdict_beta"][name]
    keys = tree.rubric.leaves()
    chance = inclusion(tree.worth, expected["n"])
    assert [chance[keys[i]] for i in expected["S"]] == exact(expected["pi_of_S"])
    drawn = tuple(keys[i] for i in expected["S"])
    plan = AuditPlan(expected["n"], 0, tree.worth, chance, drawn)
    grades = dict(zip(keys, tree.judged(expected["judge"]), strict=True))
    found = score_audit(plan, grades, dict(zip(keys, tree.scores, strict=True)))
    assert found.value == exact(expected["point"])
    assert found.error == exact(expected["post_sd"])
    assert (found.low, found.high) == exact(tuple(expected["interval95"]))
    assert found.difference.value == exact(expected["difference_est"])
    assert found.difference.error == exact(expected["difference_se"])
    ends = (found.difference.low, found.difference.high)
    assert ends == exact(tuple(expected["difference_t_interval95"]))
    assert found.warnings == ()


TOY = "toy w=(.4,.3,.15,.1,.05) y=(1,0,1,1,0) r=(1,1,0,1,0) n=2"


def test_the_difference_estimator_is_unbiased(vectors: Vectors) -> None:
    expected = vectors["misc"][TOY]
    worth = dict(enumerate((0.4, 0.3, 0.15, 0.1, 0.05)))
    labels: dict[int, float | None] = dict(enumerate((1.0, 0.0, 1.0, 1.0, 0.0)))
    grades: dict[int, float | None] = dict(enumerate((1.0, 1.0, 0.0, 1.0, 0.0)))
    chance = inclusion(worth, 2)
    assert list(chance.values()) == exact(expected["pi"])

    def estimate(drawn: tuple[int, ...]) -> tuple[float, float | None]:
        plan = AuditPlan(2, 0, worth, chance, drawn)
        found = score_audit(plan, grades, labels).difference
        return found.value, found.error

    value, error = estimate((0, 2))
    assert value == exact(expected["S={0,2}"]["est"])
    assert error == exact(expected["S={0,2}"]["se"])
    # Any design with these chances will do; this one draws systematically over all orders.
    mean = _mean_over_systematic_draws(chance, estimate)
    assert mean == exact(expected["design mean of the difference estimator"])
    assert score_audit(AuditPlan(2, 0, worth, chance, (0, 1)), grades, labels).judged_low == exact(
        expected["naive"]
    )


def _mean_over_systematic_draws(
    chance: dict[int, float], estimate: Callable[[tuple[int, ...]], tuple[float, float | None]]
) -> float:
    """Mean of an estimate over every start of the draw, in document order."""
    reached = [math.fsum(list(chance.values())[: i + 1]) for i in range(len(chance))]
    edges = sorted({0.0, 1.0, *(value % 1 for value in reached)})
    total = 0.0
    for low, high in pairwise(edges):
        start = (low + high) / 2
        drawn = tuple(
            next(i for i, value in enumerate(reached) if value > start + step) for step in (0, 1)
        )
        total += (high - low) * estimate(drawn)[0]
    return total


def test_mcnemar(vectors: Vectors) -> None:
    misc = vectors["misc"]
    found = mcnemar(9, 2)
    assert found.exact_p == exact(misc["mcnemar [[30,9],[2,12]]"]["exact_p"])
    assert found.mid_p == exact(misc["mcnemar [[30,9],[2,12]]"]["midp"])
    assert mcnemar(0, 0).exact_p == misc["mcnemar b=c=0"]["exact_p"]
    assert mcnemar(3, 3).exact_p == misc["mcnemar b=c=3"]["exact_p"]


def test_order_of_systems(vectors: Vectors) -> None:
    expected = vectors["misc"]["kendall tau-b [1,2,2,4,5] vs [1,3,2,2,5]"]
    found = kendall_tau([1, 2, 2, 4, 5], [1, 3, 2, 2, 5])
    assert found is not None
    assert found.tau == exact(expected["tau_b"])
    assert found.p == exact(expected["p"])
    assert kendall_tau([1, 1, 1], [1, 2, 3]) is vectors["misc"]["kendall constant judge"]["tau_b"]


def test_inclusion_probabilities(vectors: Vectors, trees: dict[str, Tree]) -> None:
    expected = vectors["misc"]["pps inclusion semantic-self-consistency n=20"]
    chance = list(inclusion(trees["semantic-self-consistency"].worth, 20).values())
    assert math.fsum(chance) == exact(expected["sum"])
    assert sum(value == 1 for value in chance) == expected["n_certainty"]
    assert chance[:5] == exact(expected["first5"])
    assert (max(chance), min(chance)) == exact((expected["max"], expected["min"]))


def test_rogan_gladen(vectors: Vectors) -> None:
    for name, expected in vectors["misc"]["rogan-gladen q1=1026/1189 q0=1202/1504"].items():
        found = rogan_gladen(float(name.removeprefix("p=")), 1026 / 1189, 1202 / 1504)
        assert found == exact(expected)


def test_interval_with_estimated_rates(vectors: Vectors) -> None:
    expected = vectors["misc"]["lee ci"]
    found = lee_interval(0.6, Rates(0.9, 0.8, 50, 50), 100)
    assert found == exact(tuple(expected["p=.6,q0=.8,q1=.9,n=100,m0=m1=50"]))
    published = Rates(1026 / 1189, 1202 / 1504, 1189, 1504)
    found = lee_interval(0.493130, published, 2693)
    wanted = tuple(expected["p=.493130,o3-mini,n=2693,m0=1504,m1=1189"])
    assert found == exact(wanted)


@pytest.mark.parametrize("name", TREES)
def test_bounds_of_ungraded_leaves(name: str, vectors: Vectors, trees: dict[str, Tree]) -> None:
    tree, misc = trees[name], vectors["misc"]
    expected = misc["bounds, leaves i%10==9 ungraded, human scores"][name]
    scores = [None if i % 10 == 9 else y for i, y in enumerate(tree.scores)]
    pairs = Pairs.of(tree.pair(scores))
    (root,) = roots_of(pairs)
    cover = slice_of(pairs).coverage
    assert cover.labelled - cover.graded == expected["n_ungraded"]
    assert 1 - cover.worth == exact(expected["ungraded_weight"])
    assert (root.low, root.high) == exact((expected["lower"], expected["upper"]))
    assert root.human == exact(expected["full"])
    assert root.low / cover.worth == exact(expected["global_renorm"])
    grades = {
        key: Grade.graded(score)
        for key, score in zip(tree.rubric.leaves(), scores, strict=True)
        if score is not None
    }
    siblings = propagate(tree.rubric, grades, missing="renormalise")[tree.rubric.root].value
    assert siblings == exact(expected["sibling_renorm"])


def test_means_over_papers_and_runs(vectors: Vectors) -> None:
    (name,) = (key for key in vectors["misc"] if key.startswith("seeds papers x runs"))
    expected = vectors["misc"][name]
    rows = [[0.10, 0.12, 0.11], [0.30, 0.26, 0.34], [0.05, 0.05, 0.08], [0.55, 0.50, 0.60]]
    found = benchmark_mean(rows)
    assert found.by_run == exact(tuple(expected["ars"]))
    assert found.mean == exact(expected["mean"])
    assert found.error_over_runs == exact(expected["se_over_seeds"])
    assert found.error_over_papers == exact(expected["se_over_papers"])
    assert found.half_over_runs == exact(expected["t_half_seeds"])
    assert found.half_over_papers == exact(expected["t_half_papers"])


def test_t_quantiles(vectors: Vectors) -> None:
    for df, expected in vectors["misc"]["t quantiles .975 by df"].items():
        assert t_quantile(int(df)) == exact(expected)


@pytest.mark.parametrize(("hits", "trials"), [(16, 17), (0, 20)])
@pytest.mark.parametrize(
    ("name", "method"),
    [("normal", "normal"), ("wilson", "wilson"), ("beta", "exact"), ("jeffreys", "jeffreys")],
)
def test_intervals_of_shares(
    name: str, method: Proportion, hits: int, trials: int, vectors: Vectors
) -> None:
    expected = vectors["misc"][f"binomial {hits} of {trials}"][name]
    found = binomial_interval(hits, trials, method=method)
    assert (found.low, found.high) == exact(tuple(expected))


def test_adjusted_p_values(vectors: Vectors) -> None:
    expected = vectors["misc"]["multiple tests [.01,.04,.03,.005]"]
    assert holm([0.01, 0.04, 0.03, 0.005]) == exact(tuple(expected["holm"]))
    found = benjamini_hochberg([0.01, 0.04, 0.03, 0.005])
    assert found == exact(tuple(expected["fdr_bh"]))


def test_abstention(vectors: Vectors) -> None:
    (name,) = (key for key in vectors["misc"] if key.startswith("abstention"))
    expected = vectors["misc"][name]
    sure, wrong = [0.99, 0.95, 0.9, 0.8, 0.8, 0.6, 0.6, 0.55], [0, 0, 1, 0, 0, 1, 0, 1]
    found = risk_coverage(sure, [bool(error) for error in wrong])
    assert found.risk == exact(tuple(expected["risk_at_coverage"]))
    assert found.aurc == exact(expected["aurc"])
    assert found.auroc == exact(expected["auroc_conf_vs_correct"])
    assert brier(sure, [not error for error in wrong]) == exact(expected["brier"])


@pytest.mark.parametrize("name", TREES)
def test_effective_number_of_leaves(name: str, vectors: Vectors, trees: dict[str, Tree]) -> None:
    expected = vectors["misc"]["kish n_eff"][name]
    assert rubric_stats(trees[name].rubric).effective_leaves == exact(expected)


def test_repeats(vectors: Vectors) -> None:
    name = "fleiss kappa [[1,1,1],[1,0,1],[0,0,0],[0,1,0],[1,1,1],[0,0,1]]"
    expected = vectors["misc"][name]
    rows = [[1, 1, 1], [1, 0, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]]
    found = consistency(rows)
    assert found.fleiss_kappa == exact(expected["kappa"])
    assert found.agreement == exact(expected["pairwise_agreement"])
    assert found.alpha == exact(expected["krippendorff_alpha"])


def test_alpha_with_gaps(vectors: Vectors) -> None:
    name = "krippendorff alpha [[1,1,0,0,1,None,1,0],[1,0,0,0,1,1,None,0]]"
    raters = [[1, 1, 0, 0, 1, None, 1, 0], [1, 0, 0, 0, 1, 1, None, 0]]
    found = consistency(list(zip(*raters, strict=True)))
    assert found.alpha == exact(vectors["misc"][name])


def test_published_f1(vectors: Vectors) -> None:
    (name,) = (key for key in vectors["misc"] if key.startswith("published"))
    found = figures(Cells(1026, 302, 163, 1202)).f1
    assert found == exact(vectors["misc"][name]["f1_macro"])


def test_voting(vectors: Vectors) -> None:
    expected = vectors["misc"]["majority of k, betabinomial e=465/2693, rho=.6"]
    for samples in (1, 3, 5, 9):
        found = majority_error(samples, 465 / 2693, 0.6)
        assert found == close(expected[f"k{samples}"], abs=5e-7)  # rounded to six digits there
    for lead in (2, 3):
        wanted = vectors["misc"]["lead-by-d, p=.83"][f"d{lead}"]
        got = lead_by(lead, 0.83)
        assert (got.right, got.calls) == close((wanted["p_correct"], wanted["calls"]), abs=5e-7)


def test_consensus(vectors: Vectors) -> None:
    (name,) = (key for key in vectors["misc"] if key.startswith("dawid-skene"))
    expected = vectors["misc"][name]
    rows = [
        [int(value) for value in part.split("]")[0].split(",")] for part in name.split("=[")[1:]
    ]
    found = dawid_skene(rows)
    assert found.probability == close(tuple(expected["p"]), abs=0.02)
    assert found.prior == close(expected["prior"], abs=0.02)


def test_all_of_misc_is_used(vectors: Vectors) -> None:
    assert len(vectors["misc"]) == 23
    assert set(vectors) == {"meta", "agreement", "verdict_beta", "misc"}
