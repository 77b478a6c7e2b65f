"""Intervals, each labelled with what it speaks about.

"these submissions": had the rubrics of these very submissions asked other things of the same
kind, or the judge been asked again. Groups of leaves are drawn anew within each submission
(`resampling`), because leaves of one group are right or wrong together.

"new submissions": what to expect of submissions that nobody has seen. Each submission gives one
value, and Student's t with one degree of freedom less than there are submissions does the rest;
resampling whole submissions covers too seldom below ten of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from rubric_engine.errors import UsageError

About = Literal["these submissions", "new submissions", "these leaves", "new papers"]
Proportion = Literal["wilson", "jeffreys", "exact", "normal"]

LEVEL = 0.95
"""Share of intervals that should hold the truth."""

ROUNDING = 1e-12
"""Spread below which values are the same but for rounding."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A range for a figure, or the reason why there is none.

    Attributes:
        low: Lower end; None where there is no interval.
        high: Upper end; None likewise.
        about: What the interval speaks about.
        method: How it was found.
        units: How many independent things it rests on: groups of leaves, submissions or leaves.
        level: Share of such intervals that should hold the truth.
        why: Why there is none.
    """

    low: float | None
    high: float | None
    about: About
    method: str
    units: int
    level: float = LEVEL
    why: str | None = None

    def excludes(self, value: float) -> bool:
        """True where there is an interval and `value` lies outside it."""
        return self.low is not None and self.high is not None and not self.low <= value <= self.high


def no_interval(about: About, method: str, units: int, why: str) -> Interval:
    """The answer where no interval would be honest."""
    return Interval(None, None, about, method, units, why=why)


def t_interval(
    values: Sequence[float],
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    level: float = LEVEL,
) -> Interval:
    """Student's t around the mean of one value a submission.

    Args:
        values: One for each submission.
        bounds: What the figure cannot leave; the interval is cut there.
        level: Share of such intervals that should hold the truth.
    """
    n = len(values)
    if n < 2:
        why = "one submission says nothing of new ones" if n else "no submission has a value"
        return no_interval("new submissions", "t", n, why)
    mean, spread = mean_and_spread(values)
    if spread <= ROUNDING:
        why = "every submission has the same value, so nothing shows how far they differ"
        return no_interval("new submissions", "t", n, why)
    half = t_quantile(n - 1, level) * spread / math.sqrt(n)
    low, high = max(mean - half, bounds[0]), min(mean + half, bounds[1])
    return Interval(low, high, "new submissions", "t", n, level)


def mean_and_spread(values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation of two or more values; a spread up to `ROUNDING` is none."""
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


@cache
def t_quantile(df: int, level: float = LEVEL) -> float:
    """How many standard errors an interval reaches to each side."""
    from scipy.stats import t

    return float(t.ppf((1 + level) / 2, df))


def binomial_interval(
    hits: float, trials: float, *, method: Proportion = "wilson", level: float = LEVEL
) -> Interval:
    """An interval for a share of few independent trials.

    Args:
        hits: How many succeeded; may be fractional where `trials` is an effective number.
        trials: How many there were.
        method: ``wilson`` or ``jeffreys`` for figures; ``exact`` is Clopper and Pearson's;
            ``normal`` (Wald's) is here for comparison only, as it has no width at 0 and at 1.
        level: Share of such intervals that should hold the truth.

    Raises:
        UsageError: `hits` is not between 0 and `trials`.
    """
    if not 0 <= hits <= trials:
        raise UsageError(f"{hits!r} of {trials!r} is no share")
    if not trials:
        return no_interval("these leaves", method, 0, "no trial")
    low, high = _METHODS[method](hits, trials, level)
    return Interval(max(low, 0.0), min(high, 1.0), "these leaves", method, int(trials), level)


def _wilson(hits: float, trials: float, level: float) -> tuple[float, float]:
    z, share = z_quantile(level), hits / trials
    below = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / below
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials**2)) / below
    # Exact at the ends, which rounding would miss.
    return centre - half if hits else 0.0, centre + half if hits < trials else 1.0


def _jeffreys(hits: float, trials: float, level: float) -> tuple[float, float]:
    from scipy.stats import beta

    tail = (1 - level) / 2
    ends = beta.ppf([tail, 1 - tail], hits + 0.5, trials - hits + 0.5)
    return float(ends[0]), float(ends[1])


def _exact(hits: float, trials: float, level: float) -> tuple[float, float]:
    from scipy.stats import beta

    tail, missed = (1 - level) / 2, trials - hits
    low = float(beta.ppf(tail, hits, missed + 1)) if hits else 0.0
    high = float(beta.ppf(1 - tail, hits + 1, missed)) if missed else 1.0
    return low, high


def _normal(hits: float, trials: float, level: float) -> tuple[float, float]:
    share = hits / trials
    half = z_quantile(level) * math.sqrt(share * (1 - share) / trials)
    return share - half, share + half


_METHODS = {"wilson": _wilson, "jeffreys": _jeffreys, "exact": _exact, "normal": _normal}


def z_quantile(level: float = LEVEL) -> float:
    """How many standard errors a normal interval reaches to each side."""
    from scipy.stats import norm

    return float(norm.ppf((1 + level) / 2))
