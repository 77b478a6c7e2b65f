"""Tests for two judges on the same leaves, and what many tests at once cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubric_engine.judgeeval.intervals import ROUNDING, mean_and_spread
from rubric_engine.judgeeval.measures import Array
from rubric_engine.judgeeval.pairs import Codes


@dataclass(frozen=True, slots=True)
class McNemar:
    """McNemar's test on the leaves that exactly one of two judges has right.

    It takes leaves for independent, which they are not; it stands here because readers expect it.

    Attributes:
        first_only: Leaves that only the first judge has right.
        second_only: Leaves that only the second has right.
        exact_p: Two-sided exact p-value; 1 where the judges are right on the same leaves.
        mid_p: The mid-p variant, less cautious.
    """

    first_only: int
    second_only: int
    exact_p: float
    mid_p: float


def mcnemar(first_only: int, second_only: int) -> McNemar:
    """McNemar's exact and mid-p test from the two discordant counts."""
    from scipy.stats import binom

    both, fewer = first_only + second_only, min(first_only, second_only)
    if not both:
        return McNemar(0, 0, 1.0, 1.0)
    twice = 2 * float(binom.cdf(fewer, both, 0.5))
    mid = twice - float(binom.pmf(fewer, both, 0.5))
    return McNemar(first_only, second_only, min(1.0, twice), min(1.0, mid))


def clustered_error(values: Array, clusters: Codes) -> float:
    """Standard error of a mean whose values hang together within clusters.

    Miller (arXiv 2411.00640), equation for clustered questions, without small-sample factor.

    Args:
        values: One for each leaf.
        clusters: The cluster of each, from 0.
    """
    if not len(values):
        return math.nan
    sums = np.bincount(clusters, values - values.mean())
    return float(np.sqrt(np.sum(sums**2)) / len(values))


def z_test(mean: float, error: float) -> float | None:
    """Two-sided p-value of a mean by the normal distribution; 1 for a mean of exactly 0.

    None where the error is no more than rounding: nothing then shows how far values differ.
    """
    from scipy.stats import norm

    if not mean:
        return 1.0
    return 2 * float(norm.sf(abs(mean) / error)) if error > ROUNDING else None


def t_test(values: Sequence[float]) -> float | None:
    """Two-sided p-value that values of submissions have mean 0; None below two or all alike."""
    from scipy.stats import t

    n = len(values)
    if n < 2:
        return None
    mean, spread = mean_and_spread(values)
    if spread <= ROUNDING:
        return None
    return 2 * float(t.sf(abs(mean) / (spread / math.sqrt(n)), n - 1))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjustment for a family of tests (Scandinavian Journal of Statistics 6, 1979).

    Returns:
        Adjusted p-values in the order given; each may be held against the level of one test.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * p_values[place]))
        adjusted[place] = highest
    return tuple(adjusted)


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Benjamini and Hochberg's adjustment, for tables that only explore."""
    from scipy.stats import false_discovery_control

    return tuple(float(p) for p in false_discovery_control(p_values)) if p_values else ()
