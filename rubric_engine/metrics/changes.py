"""Metrics that two runs do not share, or that differ between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.metrics.values import MetricValue


@dataclass(frozen=True, slots=True)
class MetricChange:
    """A metric that is not the same in two runs.

    Attributes:
        name: Its name.
        a: What it is in the first; None where its rubric has no metric of the name.
        b: What it is in the second.
    """

    name: str
    a: MetricValue | None
    b: MetricValue | None


def metric_changes(
    first: Mapping[str, MetricValue], second: Mapping[str, MetricValue]
) -> tuple[MetricChange, ...]:
    """List the metrics whose value differs, or that one of two runs lacks.

    Args:
        first: `Report.metrics` of the first run.
        second: The same of the second.
    """
    pairs = ((name, first.get(name), second.get(name)) for name in dict.fromkeys([*first, *second]))
    return tuple(
        MetricChange(name, a, b)
        for name, a, b in pairs
        if a is None or b is None or a.value is not b.value
    )
