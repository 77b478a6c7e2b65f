"""The metrics in a rubric's header: what each asks of the categories, read from its text. Pure."""

from rubric_engine.formulas.formula import And, Formula, Named, Not, Or, Passes
from rubric_engine.formulas.metrics import Metrics, MetricsFlaw, read_metrics, require_metrics

__all__ = [
    "And",
    "Formula",
    "Metrics",
    "MetricsFlaw",
    "Named",
    "Not",
    "Or",
    "Passes",
    "read_metrics",
    "require_metrics",
]
