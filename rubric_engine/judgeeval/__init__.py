# One import a module, though each name has an alias, by which type checkers know it as public.
# isort: skip_file

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
    from rubric_engine.labels import load_labels as load_labels
    from rubric_engine.judgeeval.audit.difference import (
        Corrected as Corrected,
        difference_with_replacement as difference_with_replacement,
    )
    from rubric_engine.judgeeval.audit.error_rates import Rates as Rates, rates_of as rates_of
    from rubric_engine.judgeeval.audit.frame import (
        Frame as Frame,
        frame_of as frame_of,
        part_scores as part_scores,
    )
    from rubric_engine.judgeeval.audit.planning import (
        expected_half_width as expected_half_width,
        labels_for as labels_for,
    )
    from rubric_engine.judgeeval.audit.rogan_gladen import (
        Transported as Transported,
        lee_interval as lee_interval,
        rogan_gladen as rogan_gladen,
        transported as transported,
    )
    from rubric_engine.judgeeval.audit.sampling import (
        AuditPlan as AuditPlan,
        inclusion as inclusion,
        plan_audit as plan_audit,
        plan_benchmark as plan_benchmark,
    )
    from rubric_engine.judgeeval.audit.verdict_beta import (
        AuditedScore as AuditedScore,
        score_audit as score_audit,
    )
    from rubric_engine.judgeeval.baseline import Baseline as Baseline, baselines as baselines
    from rubric_engine.judgeeval.case_result import (
        CanaryCount as CanaryCount,
        CaseResult as CaseResult,
        CaseRoot as CaseRoot,
        LeafResult as LeafResult,
    )
    from rubric_engine.judgeeval.cases import LabelledCase as LabelledCase, load_cases as load_cases
    from rubric_engine.judgeeval.charts.marks import Chart as Chart
    from rubric_engine.judgeeval.charts.svg import to_svg as to_svg
    from rubric_engine.judgeeval.charts.web import to_html as to_html
    from rubric_engine.judgeeval.charts.writing import (
        draw_charts as draw_charts,
        write_charts as write_charts,
    )
    from rubric_engine.judgeeval.comparing import (
        CategoryDifference as CategoryDifference,
        Comparison as Comparison,
        compare as compare,
        compare_all as compare_all,
    )
    from rubric_engine.judgeeval.consensus import Consensus as Consensus, dawid_skene as dawid_skene
    from rubric_engine.judgeeval.covering import (
        LabelCover as LabelCover,
        label_cover as label_cover,
    )
    from rubric_engine.judgeeval.cost import (
        Costs as Costs,
        Priced as Priced,
        costs as costs,
        front as front,
    )
    from rubric_engine.judgeeval.differences import Difference as Difference
    from rubric_engine.judgeeval.evaluating import aevaluate as aevaluate, evaluate as evaluate
    from rubric_engine.judgeeval.evaluation import (
        Evaluation as Evaluation,
        JudgeIdentity as JudgeIdentity,
        Sample as Sample,
    )
    from rubric_engine.judgeeval.intervals import (
        Interval as Interval,
        binomial_interval as binomial_interval,
        t_interval as t_interval,
    )
    from rubric_engine.judgeeval.judge_table import (
        LeafSet as LeafSet,
        Table as Table,
        table_of as table_of,
    )
    from rubric_engine.judgeeval.leaf_sets import require_same_leaves as require_same_leaves
    from rubric_engine.judgeeval.means import (
        BenchmarkMean as BenchmarkMean,
        benchmark_mean as benchmark_mean,
        kendall_tau as kendall_tau,
    )
    from rubric_engine.judgeeval.measures import HEADLINE as HEADLINE
    from rubric_engine.judgeeval.metrics import (
        Cells as Cells,
        ClassFigures as ClassFigures,
        Figures as Figures,
        figures as figures,
    )
    from rubric_engine.judgeeval.orders import (
        OrderAccuracy as OrderAccuracy,
        pairwise_order as pairwise_order,
        soft_pairwise_accuracy as soft_pairwise_accuracy,
    )
    from rubric_engine.judgeeval.paired_tests import (
        McNemar as McNemar,
        benjamini_hochberg as benjamini_hochberg,
        holm as holm,
        mcnemar as mcnemar,
    )
    from rubric_engine.judgeeval.pairs import Pair as Pair, Pairs as Pairs, pair_up as pair_up
    from rubric_engine.judgeeval.planted import (
        Planted as Planted,
        majority as majority,
        replay as replay,
    )
    from rubric_engine.judgeeval.probabilities import (
        Bin as Bin,
        Calibration as Calibration,
        RiskCoverage as RiskCoverage,
        brier as brier,
        calibration as calibration,
        reliability as reliability,
        risk_coverage as risk_coverage,
    )
    from rubric_engine.judgeeval.ranks import ranking as ranking
    from rubric_engine.judgeeval.repeats import (
        Consistency as Consistency,
        consistency as consistency,
        score_spread as score_spread,
        within_classes as within_classes,
    )
    from rubric_engine.judgeeval.resampled import Sampled as Sampled, sampled as sampled
    from rubric_engine.judgeeval.results import (
        load_evaluation as load_evaluation,
        save_evaluation as save_evaluation,
    )
    from rubric_engine.judgeeval.root import (
        Root as Root,
        RootErrors as RootErrors,
        root_errors as root_errors,
        root_of as root_of,
        roots_of as roots_of,
    )
    from rubric_engine.judgeeval.root_bias import predicted_root_bias as predicted_root_bias
    from rubric_engine.judgeeval.rows import Row as Row, lacking as lacking
    from rubric_engine.judgeeval.sign_flips import SignFlip as SignFlip, sign_flip as sign_flip
    from rubric_engine.judgeeval.slices import (
        Agreement as Agreement,
        Coverage as Coverage,
        Mean as Mean,
        Slice as Slice,
        agreement as agreement,
        coverage as coverage,
        slice_of as slice_of,
    )
    from rubric_engine.judgeeval.submission_gaps import (
        SubmissionDifference as SubmissionDifference,
        submission_differences as submission_differences,
    )
    from rubric_engine.judgeeval.table_warnings import (
        caveats as caveats,
        doubts as doubts,
        label_doubts as label_doubts,
    )
    from rubric_engine.judgeeval.tables import Ungraded as Ungraded
    from rubric_engine.judgeeval.two_stages import TwoStage as TwoStage, two_stage as two_stage
    from rubric_engine.judgeeval.uncertainty import (
        Estimate as Estimate,
        Estimates as Estimates,
        estimates as estimates,
    )
    from rubric_engine.judgeeval.verdicts import verdict as verdict
    from rubric_engine.judgeeval.voting import (
        Lead as Lead,
        lead_by as lead_by,
        majority_error as majority_error,
    )
    from rubric_engine.judgeeval.watching import Watcher as Watcher

_HOMES = {
    ".labels": "load_labels",
    "audit.difference": "Corrected difference_with_replacement",
    "audit.error_rates": "Rates rates_of",
    "audit.frame": "Frame frame_of part_scores",
    "audit.planning": "expected_half_width labels_for",
    "audit.rogan_gladen": "Transported lee_interval rogan_gladen transported",
    "audit.sampling": "AuditPlan inclusion plan_audit plan_benchmark",
    "audit.verdict_beta": "AuditedScore score_audit",
    "baseline": "Baseline baselines",
    "case_result": "CanaryCount CaseResult CaseRoot LeafResult",
    "cases": "LabelledCase load_cases",
    "charts.marks": "Chart",
    "charts.svg": "to_svg",
    "charts.web": "to_html",
    "charts.writing": "draw_charts write_charts",
    "comparing": "CategoryDifference Comparison compare compare_all",
    "consensus": "Consensus dawid_skene",
    "covering": "LabelCover label_cover",
    "cost": "Costs Priced costs front",
    "differences": "Difference",
    "evaluating": "aevaluate evaluate",
    "evaluation": "Evaluation JudgeIdentity Sample",
    "intervals": "Interval binomial_interval t_interval",
    "judge_table": "LeafSet Table table_of",
    "leaf_sets": "require_same_leaves",
    "means": "BenchmarkMean benchmark_mean kendall_tau",
    "measures": "HEADLINE",
    "metrics": "Cells ClassFigures Figures figures",
    "orders": "OrderAccuracy pairwise_order soft_pairwise_accuracy",
    "paired_tests": "McNemar benjamini_hochberg holm mcnemar",
    "pairs": "Pair Pairs pair_up",
    "planted": "Planted majority replay",
    "probabilities": "Bin Calibration RiskCoverage brier calibration reliability risk_coverage",
    "ranks": "ranking",
    "repeats": "Consistency consistency score_spread within_classes",
    "resampled": "Sampled sampled",
    "results": "load_evaluation save_evaluation",
    "root": "Root RootErrors root_errors root_of roots_of",
    "root_bias": "predicted_root_bias",
    "rows": "Row lacking",
    "sign_flips": "SignFlip sign_flip",
    "slices": "Agreement Coverage Mean Slice agreement coverage slice_of",
    "submission_gaps": "SubmissionDifference submission_differences",
    "table_warnings": "caveats doubts label_doubts",
    "tables": "Ungraded",
    "two_stages": "TwoStage two_stage",
    "uncertainty": "Estimate Estimates estimates",
    "verdicts": "verdict",
    "voting": "Lead lead_by majority_error",
    "watching": "Watcher",
}
"""Public names by the module that holds them, as of this package."""

_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'rubric_engine.judgeeval' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
