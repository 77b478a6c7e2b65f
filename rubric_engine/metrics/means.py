"""Metrics over several submissions or runs: how many have them, each with its own denominator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rubric_engine.metrics.values import MetricValue


@dataclass(frozen=True, slots=True)
class MetricMean:
    """A metric over several submissions.

    Attributes:
        share: Share of those where it is defined that have it; None where it is nowhere.
        true: For how many it is true.
        defined: For how many it is true or false.
        undefined: For how many it is undefined; these are in no share.
    """

    share: float | None
    true: int
    defined: int
    undefined: int


def metric_means(results: Iterable[Mapping[str, MetricValue]]) -> dict[str, MetricMean]:
    """Take each metric over several submissions.

    Args:
        results: `Report.metrics` of each. One whose rubric has no metric of a name counts for it
            neither as defined nor as undefined.

    Returns:
        A `MetricMean` by name, in the order in which the names first occur.

    Examples:
        >>> met, open_ = MetricValue(True, "all met"), MetricValue(None, "no grade")
        >>> metric_means([{"All": met}, {"All": open_}])
        {'All': MetricMean(share=1.0, true=1, defined=1, undefined=1)}
    """
    values: dict[str, list[bool | None]] = {}
    for result in results:
        for name, found in result.items():
            values.setdefault(name, []).append(found.value)
    return {name: _mean(own) for name, own in values.items()}


def _mean(values: list[bool | None]) -> MetricMean:
    defined = [value for value in values if value is not None]
    true = sum(defined)
    share = true / len(defined) if defined else None
    return MetricMean(share, true, len(defined), len(values) - len(defined))
