"""Two judges' headline figures, one less the other, with paired intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric_engine.judgeeval.intervals import Interval, t_interval
from rubric_engine.judgeeval.measures import HEADLINE, Array
from rubric_engine.judgeeval.paired_tests import t_test
from rubric_engine.judgeeval.resampled_judge import ResampledJudge
from rubric_engine.judgeeval.resampling import bootstrap_interval, drawable

DIFFERENCE_BOUNDS = (-2.0, 2.0)
"""What the difference of two headline figures cannot leave."""


@dataclass(frozen=True, slots=True)
class Difference:
    """First judge less second in one headline figure.

    Attributes:
        value: Over all leaves; None where the figure is undefined.
        here: Interval for these submissions, by resampling both judges' groups together.
        here_p: Two-sided p-value of the same resamples; None where there is no interval.
        mean: Mean over submissions of the differences.
        anew: Interval of that mean for new submissions.
        anew_p: Its two-sided p-value by Student's t; None where there is no interval.
    """

    value: float | None
    here: Interval
    here_p: float | None
    mean: float | None
    anew: Interval
    anew_p: float | None


def differences(
    first: ResampledJudge, second: ResampledJudge, *, level: float
) -> dict[str, Difference]:
    """The difference in each headline figure.

    Args:
        first: One judge.
        second: The other, on the same leaves and by the same draws.
        level: Share of such intervals that should hold the truth.
    """
    groups = drawable(first.pairs)
    return {name: _difference(name, first, second, groups, level) for name in HEADLINE}


def _difference(
    name: str, first: ResampledJudge, second: ResampledJudge, groups: int, level: float
) -> Difference:
    whole = first.whole[name] - second.whole[name]
    value = None if np.isnan(whole) else whole
    over = first.drawn[name] - second.drawn[name]
    interval = bootstrap_interval(value, over, groups, level)
    gaps = first.each[name] - second.each[name]
    known = [float(gap) for gap in gaps[~np.isnan(gaps)]]
    return Difference(
        value=value,
        here=interval,
        here_p=None if interval.low is None else two_sided(over),
        mean=sum(known) / len(known) if known else None,
        anew=t_interval(known, bounds=DIFFERENCE_BOUNDS, level=level),
        anew_p=t_test(known),
    )


def two_sided(drawn: Array) -> float:
    """Twice the smaller share of resamples on either side of 0, never exactly 0."""
    defined = drawn[~np.isnan(drawn)]
    smaller = min(np.count_nonzero(defined <= 0), np.count_nonzero(defined >= 0))
    return min(1.0, 2 * (smaller + 1) / (len(defined) + 1))
