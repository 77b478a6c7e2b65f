"""JudgeEval: how far a judge can be trusted, measured against human labels. Pure.

    from rubric_engine.judgeeval import Pairs, agreement, estimates, pair_up

    pairs = Pairs.of(pair_up(rubric, labels, grades, submission="rice"))
    agreement(pairs).pooled.headline.f1
    estimates(pairs)["f1"].mean.anew        # an interval for new submissions

Values in, frozen values out: a figure that is undefined is None and says why, a leaf without a
grade is never dropped in silence, and every interval says what it speaks about.

Names load when they are first used, so that nothing but JudgeEval waits for numpy and scipy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.judgeeval.audit.difference import Corrected, difference_with_replacement
    from rubric_engine.judgeeval.audit.frame import Frame, frame_of, part_scores
    from rubric_engine.judgeeval.audit.planning import expected_half_width, labels_for
    from rubric_engine.judgeeval.audit.rogan_gladen import (
        Rates,
        Transported,
        lee_interval,
        rates_of,
        rogan_gladen,
        transported,
    )
    from rubric_engine.judgeeval.audit.sampling import (
        AuditPlan,
        inclusion,
        plan_audit,
        plan_benchmark,
    )
    from rubric_engine.judgeeval.audit.verdict_beta import AuditedScore, score_audit
    from rubric_engine.judgeeval.baseline import Baseline, baselines
    from rubric_engine.judgeeval.comparing import (
        CategoryDifference,
        Comparison,
        compare,
        compare_all,
    )
    from rubric_engine.judgeeval.consensus import Consensus, dawid_skene
    from rubric_engine.judgeeval.cost import Costs, Priced, costs, front
    from rubric_engine.judgeeval.differences import Difference
    from rubric_engine.judgeeval.evaluation import (
        CaseResult,
        CaseRoot,
        Evaluation,
        JudgeIdentity,
        LeafResult,
        Sample,
    )
    from rubric_engine.judgeeval.intervals import Interval, binomial_interval, t_interval
    from rubric_engine.judgeeval.leaf_sets import require_same_leaves
    from rubric_engine.judgeeval.means import BenchmarkMean, benchmark_mean, kendall_tau
    from rubric_engine.judgeeval.measures import HEADLINE
    from rubric_engine.judgeeval.metrics import Cells, ClassFigures, Figures, figures
    from rubric_engine.judgeeval.orders import (
        OrderAccuracy,
        pairwise_order,
        soft_pairwise_accuracy,
    )
    from rubric_engine.judgeeval.paired_tests import McNemar, benjamini_hochberg, holm, mcnemar
    from rubric_engine.judgeeval.pairs import Pair, Pairs, pair_up
    from rubric_engine.judgeeval.probabilities import (
        Bin,
        Calibration,
        RiskCoverage,
        brier,
        calibration,
        reliability,
        risk_coverage,
    )
    from rubric_engine.judgeeval.ranks import ranking
    from rubric_engine.judgeeval.repeats import (
        Consistency,
        consistency,
        score_spread,
        within_classes,
    )
    from rubric_engine.judgeeval.results import load_evaluation, save_evaluation
    from rubric_engine.judgeeval.root import Root, RootErrors, root_errors, root_of, roots_of
    from rubric_engine.judgeeval.root_bias import predicted_root_bias
    from rubric_engine.judgeeval.sign_flips import SignFlip, sign_flip
    from rubric_engine.judgeeval.slices import (
        Agreement,
        Coverage,
        Mean,
        Slice,
        agreement,
        coverage,
        slice_of,
    )
    from rubric_engine.judgeeval.tables import Ungraded
    from rubric_engine.judgeeval.two_stages import TwoStage, two_stage
    from rubric_engine.judgeeval.uncertainty import Estimate, Estimates, estimates
    from rubric_engine.judgeeval.verdicts import verdict
    from rubric_engine.judgeeval.voting import Lead, lead_by, majority_error

_HOMES = {
    "Agreement": "slices",
    "AuditPlan": "audit.sampling",
    "AuditedScore": "audit.verdict_beta",
    "Baseline": "baseline",
    "BenchmarkMean": "means",
    "Bin": "probabilities",
    "Calibration": "probabilities",
    "CaseResult": "evaluation",
    "CaseRoot": "evaluation",
    "CategoryDifference": "comparing",
    "Cells": "metrics",
    "ClassFigures": "metrics",
    "Comparison": "comparing",
    "Consensus": "consensus",
    "Consistency": "repeats",
    "Corrected": "audit.difference",
    "Costs": "cost",
    "Coverage": "slices",
    "Difference": "differences",
    "Estimate": "uncertainty",
    "Estimates": "uncertainty",
    "Evaluation": "evaluation",
    "Figures": "metrics",
    "Frame": "audit.frame",
    "HEADLINE": "measures",
    "Interval": "intervals",
    "JudgeIdentity": "evaluation",
    "Lead": "voting",
    "LeafResult": "evaluation",
    "McNemar": "paired_tests",
    "Mean": "slices",
    "OrderAccuracy": "orders",
    "Pair": "pairs",
    "Pairs": "pairs",
    "Priced": "cost",
    "Rates": "audit.rogan_gladen",
    "RiskCoverage": "probabilities",
    "Root": "root",
    "RootErrors": "root",
    "Sample": "evaluation",
    "SignFlip": "sign_flips",
    "Slice": "slices",
    "Transported": "audit.rogan_gladen",
    "TwoStage": "two_stages",
    "Ungraded": "tables",
    "agreement": "slices",
    "baselines": "baseline",
    "benchmark_mean": "means",
    "benjamini_hochberg": "paired_tests",
    "binomial_interval": "intervals",
    "brier": "probabilities",
    "calibration": "probabilities",
    "compare": "comparing",
    "compare_all": "comparing",
    "consistency": "repeats",
    "costs": "cost",
    "coverage": "slices",
    "dawid_skene": "consensus",
    "difference_with_replacement": "audit.difference",
    "estimates": "uncertainty",
    "expected_half_width": "audit.planning",
    "figures": "metrics",
    "frame_of": "audit.frame",
    "front": "cost",
    "holm": "paired_tests",
    "inclusion": "audit.sampling",
    "kendall_tau": "means",
    "labels_for": "audit.planning",
    "lead_by": "voting",
    "lee_interval": "audit.rogan_gladen",
    "load_evaluation": "results",
    "majority_error": "voting",
    "mcnemar": "paired_tests",
    "pair_up": "pairs",
    "pairwise_order": "orders",
    "part_scores": "audit.frame",
    "plan_audit": "audit.sampling",
    "plan_benchmark": "audit.sampling",
    "predicted_root_bias": "root_bias",
    "ranking": "ranks",
    "rates_of": "audit.rogan_gladen",
    "reliability": "probabilities",
    "require_same_leaves": "leaf_sets",
    "risk_coverage": "probabilities",
    "rogan_gladen": "audit.rogan_gladen",
    "root_errors": "root",
    "root_of": "root",
    "roots_of": "root",
    "save_evaluation": "results",
    "score_audit": "audit.verdict_beta",
    "score_spread": "repeats",
    "sign_flip": "sign_flips",
    "slice_of": "slices",
    "soft_pairwise_accuracy": "orders",
    "t_interval": "intervals",
    "transported": "audit.rogan_gladen",
    "two_stage": "two_stages",
    "verdict": "verdicts",
    "within_classes": "repeats",
}

__all__ = [
    "HEADLINE",
    "Agreement",
    "AuditPlan",
    "AuditedScore",
    "Baseline",
    "BenchmarkMean",
    "Bin",
    "Calibration",
    "CaseResult",
    "CaseRoot",
    "CategoryDifference",
    "Cells",
    "ClassFigures",
    "Comparison",
    "Consensus",
    "Consistency",
    "Corrected",
    "Costs",
    "Coverage",
    "Difference",
    "Estimate",
    "Estimates",
    "Evaluation",
    "Figures",
    "Frame",
    "Interval",
    "JudgeIdentity",
    "Lead",
    "LeafResult",
    "McNemar",
    "Mean",
    "OrderAccuracy",
    "Pair",
    "Pairs",
    "Priced",
    "Rates",
    "RiskCoverage",
    "Root",
    "RootErrors",
    "Sample",
    "SignFlip",
    "Slice",
    "Transported",
    "TwoStage",
    "Ungraded",
    "agreement",
    "baselines",
    "benchmark_mean",
    "benjamini_hochberg",
    "binomial_interval",
    "brier",
    "calibration",
    "compare",
    "compare_all",
    "consistency",
    "costs",
    "coverage",
    "dawid_skene",
    "difference_with_replacement",
    "estimates",
    "expected_half_width",
    "figures",
    "frame_of",
    "front",
    "holm",
    "inclusion",
    "kendall_tau",
    "labels_for",
    "lead_by",
    "lee_interval",
    "load_evaluation",
    "majority_error",
    "mcnemar",
    "pair_up",
    "pairwise_order",
    "part_scores",
    "plan_audit",
    "plan_benchmark",
    "predicted_root_bias",
    "ranking",
    "rates_of",
    "reliability",
    "require_same_leaves",
    "risk_coverage",
    "rogan_gladen",
    "root_errors",
    "root_of",
    "roots_of",
    "save_evaluation",
    "score_audit",
    "score_spread",
    "sign_flip",
    "slice_of",
    "soft_pairwise_accuracy",
    "t_interval",
    "transported",
    "two_stage",
    "verdict",
    "within_classes",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rubric_engine.judgeeval' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"rubric_engine.judgeeval.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
