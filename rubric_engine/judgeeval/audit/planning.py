"""How many labels an audit needs."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from rubric_engine.errors import UsageError
from rubric_engine.grading import MET_FROM
from rubric_engine.judgeeval.audit.sampling import CERTAIN, Key, inclusion
from rubric_engine.judgeeval.intervals import LEVEL, z_quantile
from rubric_engine.judgeeval.measures import Array

LIKELY_MET = 0.8
LIKELY_NOT_MET = 0.2
"""Share of leaves that are truly met among those that a fair judge calls met, and not met."""


def expected_half_width(
    worth: Mapping[Key, float],
    grades: Mapping[Key, float | None],
    labels: int,
    *,
    right_if_met: float = LIKELY_MET,
    met_if_not: float = LIKELY_NOT_MET,
    level: float = LEVEL,
) -> float:
    """Half the width to expect of an audited score's interval.

    Args:
        worth: Share of the root's score by leaf.
        grades: The judge's scores by leaf; a leaf without one is as likely met as not.
        labels: How many leaves would be labelled.
        right_if_met: Share that is truly met among leaves that the judge calls met.
        met_if_not: Share that is truly met among leaves that it calls not met.
        level: Share of intervals that should hold the truth.

    Returns:
        In shares of the root's score; 0 where every leaf with worth would be labelled.

    Raises:
        UsageError: As in `inclusion`.
    """
    chance = np.array(list(inclusion(worth, labels).values()), dtype=np.float64)
    size = np.array(list(worth.values()), dtype=np.float64)
    graded = [grades.get(key) for key in worth]
    truly = np.array(
        [0.5 if g is None else right_if_met if g >= MET_FROM else met_if_not for g in graded]
    )
    loose = (chance < CERTAIN) & (size > 0)
    strata = ((share, loose & (truly == share)) for share in set(truly.tolist()))
    parts = [_variance(share, size[here], chance[here]) for share, here in strata if here.any()]
    return z_quantile(level) * math.sqrt(math.fsum(parts))


def _variance(share: float, size: Array, chance: Array) -> float:
    """Worth squared, over the labels of equal weight to expect, times what stays unseen."""
    unseen = math.fsum(size * (1 - chance)) / math.fsum(size)
    return share * (1 - share) * math.fsum(size**2 / chance) * unseen


def labels_for(
    worth: Mapping[Key, float],
    grades: Mapping[Key, float | None],
    half_width: float,
    *,
    level: float = LEVEL,
) -> int:
    """The fewest labels for which an interval of this half-width is to be expected.

    Args:
        worth: Share of the root's score by leaf.
        grades: The judge's scores by leaf.
        half_width: Wanted, in shares of the root's score, above 0.
        level: Share of intervals that should hold the truth.

    Raises:
        UsageError: `half_width` is not above 0, or no leaf has worth.
    """
    if not half_width > 0:
        raise UsageError(f"a half-width lies above 0, got {half_width!r}")
    low, high = 1, max(1, sum(value > 0 for value in worth.values()))
    while low < high:
        middle = (low + high) // 2
        if expected_half_width(worth, grades, middle, level=level) <= half_width:
            high = middle
        else:
            low = middle + 1
    return low
