"""The difference estimator: the judge's score, moved by what the labels say of its errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.audit.values import Audited
from rubric_engine.judgeeval.intervals import LEVEL, t_quantile
from rubric_engine.judgeeval.measures import Array


@dataclass(frozen=True, slots=True)
class Corrected:
    """A score corrected by labels.

    Attributes:
        value: Unbiased for any judge; may lie outside 0 to 1.
        clipped: The same cut to 0 and 1, which is biased.
        error: Its standard error; None below two labels.
        low: Lower end of Student's t interval, not cut.
        high: Upper end.
    """

    value: float
    clipped: float
    error: float | None
    low: float | None
    high: float | None


def difference_estimate(sample: Audited, *, level: float = LEVEL) -> Corrected:
    """Sum of worth times grade, plus the labelled errors over their chances.

    The variance is Deville's for draws with unequal chances and fixed size (1999). An interval
    by the normal or t distribution is too short where few leaves are labelled or all verdicts
    agree; the interval to print is that of `score_audit`. A leaf without a grade counts as a
    grade of 0 here, which costs precision and no bias.

    Args:
        sample: The labelled draw.
        level: Share of intervals that should hold the truth.
    """
    grade = np.nan_to_num(sample.grade)
    errors = sample.worth[sample.drawn] * (sample.label - grade[sample.drawn])
    expanded = errors / sample.chance[sample.drawn]
    value = math.fsum(sample.worth * grade) + math.fsum(expanded)
    loose = np.where(sample.certain, 0.0, 1 - sample.chance)[sample.drawn]
    return _corrected(value, *_deville(expanded, loose), level)


def _deville(expanded: Array, loose: Array) -> tuple[float | None, int]:
    count = int(np.count_nonzero(loose))
    if count == 0:
        return 0.0, 0
    if count == 1:
        return None, 1
    centre = math.fsum(loose * expanded) / math.fsum(loose)
    square = math.fsum(loose * (expanded - centre) ** 2)
    return math.sqrt(count / (count - 1) * square), count


def difference_with_replacement(
    judged: float, gaps: Sequence[float], *, level: float = LEVEL
) -> Corrected:
    """The same for leaves drawn one by one with replacement, in proportion to worth.

    Args:
        judged: The judge's root score.
        gaps: Label less grade of each drawn leaf; one that was drawn twice stands twice.
        level: Share of intervals that should hold the truth.

    Raises:
        UsageError: No leaf was drawn.
    """
    if not gaps:
        raise UsageError("no leaf was drawn")
    n = len(gaps)
    error = float(np.std(gaps, ddof=1)) / math.sqrt(n) if n > 1 else None
    return _corrected(judged + math.fsum(gaps) / n, error, n, level)


def _corrected(value: float, error: float | None, count: int, level: float) -> Corrected:
    clipped = min(max(value, 0.0), 1.0)
    if error is None:
        return Corrected(value, clipped, None, None, None)
    half = t_quantile(count - 1, level) * error if count > 1 else 0.0
    return Corrected(value, clipped, error, value - half, value + half)
