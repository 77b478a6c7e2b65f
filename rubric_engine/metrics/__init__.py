"""Metrics of submissions: what a rubric's header asks, true, false or undefined. Pure."""

from rubric_engine.metrics.changes import MetricChange, metric_changes
from rubric_engine.metrics.means import MetricMean, metric_means
from rubric_engine.metrics.ranks import decide
from rubric_engine.metrics.standing import Standing
from rubric_engine.metrics.values import MetricValue, metric_dicts, metric_values

__all__ = [
    "MetricChange",
    "MetricMean",
    "MetricValue",
    "Standing",
    "decide",
    "metric_changes",
    "metric_dicts",
    "metric_means",
    "metric_values",
]
