"""Every headline figure with its two intervals: for these submissions, and for new ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from rubric_engine.judgeeval.intervals import (
    LEVEL,
    Interval,
    binomial_interval,
    no_interval,
    t_interval,
)
from rubric_engine.judgeeval.measures import HEADLINE, Array, measured
from rubric_engine.judgeeval.pairs import Pairs, is_number
from rubric_engine.judgeeval.resampling import (
    REPLICATES,
    Draws,
    bootstrap_interval,
    drawable,
)
from rubric_engine.judgeeval.tables import tables

POOLED_ANEW = "a pooled figure has no sound interval for new submissions: see the mean over them"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its intervals.

    Attributes:
        value: The figure; None where it is undefined.
        here: Interval for these submissions.
        anew: Interval for new submissions.
    """

    value: float | None
    here: Interval
    anew: Interval


@dataclass(frozen=True, slots=True)
class Estimates:
    """One headline figure, put together in three ways.

    Attributes:
        pooled: Over all leaves.
        by_worth: Over all leaves, weighted by worth.
        mean: Mean of the submissions' figures; only this has an interval for new submissions.
    """

    pooled: Estimate
    by_worth: Estimate
    mean: Estimate


def estimates(
    pairs: Pairs,
    *,
    seed: int = 0,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    draws: Draws | None = None,
    names: Iterable[str] = HEADLINE,
) -> Mapping[str, Estimates]:
    """The headline figures, leaves without a grade counting as wrong, with intervals.

    Args:
        pairs: Labels and grades.
        seed: The same seed gives the same intervals.
        replicates: Resamples of the bootstrap.
        level: Share of such intervals that should hold the truth.
        draws: Resamples of the labelled leaves' groups, where they are at hand: another judge's
            on the same leaves, or of more submissions. They stand for `seed` and `replicates`.
        names: The figures wanted, of `HEADLINE`.

    Returns:
        Estimates by name of the figure.
    """
    known = labelled(pairs)
    drawn = Resamples.of(known, draws or Draws.of(known, seed=seed, replicates=replicates))
    return MappingProxyType({name: _estimates(name, drawn, level) for name in names})


def labelled(pairs: Pairs) -> Pairs:
    """The pairs that a human judged; all that intervals rest on."""
    return pairs.only(lambda row: is_number(row.label))


@dataclass(frozen=True, eq=False)
class Resamples:
    """Confusion tables of each submission, and the same over resamples.

    Attributes:
        groups: Groups that can be drawn anew.
        leaves: Cells that count leaves, (submissions, 4).
        worths: Cells that sum worths, (submissions, 4).
        drawn: Both over resamples, (submissions, replicates, 8).
    """

    groups: int
    leaves: Array
    worths: Array
    drawn: Array

    @classmethod
    def of(cls, pairs: Pairs, draws: Draws) -> Resamples:
        """The tables of labelled pairs, as they are and over draws of their groups."""
        count = len(pairs.submissions)
        leaves = tables(pairs, pairs.submission_codes, count)
        worths = tables(pairs, pairs.submission_codes, count, by_worth=True)
        columns = group_cells(pairs)
        return cls(drawable(pairs), leaves, worths, draws.sums(pairs, columns))


def group_cells(pairs: Pairs) -> Array:
    """Cells of each group of leaves, (groups, 8): counts of leaves, then sums of worth."""
    codes, count = pairs.cluster_codes, len(pairs.clusters)
    both = [tables(pairs, codes, count), tables(pairs, codes, count, by_worth=True)]
    return np.concatenate(both, axis=1)


def _estimates(name: str, drawn: Resamples, level: float) -> Estimates:
    sums = drawn.drawn.sum(axis=0)
    anew = no_interval("new submissions", "t", len(drawn.leaves), POOLED_ANEW)
    pooled = _here(name, drawn, drawn.leaves.sum(axis=0), measured(name, sums[:, :4]), level)
    by_worth = _here(name, drawn, drawn.worths.sum(axis=0), measured(name, sums[:, 4:]), level)
    return Estimates(
        pooled=Estimate(*pooled, anew),
        by_worth=Estimate(*by_worth, anew),
        mean=_mean(name, drawn, level),
    )


def _here(
    name: str, drawn: Resamples, cells: Array, over: Array, level: float
) -> tuple[float | None, Interval]:
    value = float(measured(name, cells))
    known = None if np.isnan(value) else value
    interval = bootstrap_interval(known, over, drawn.groups, level)
    return known, _all_alike(interval, known, level) if name == "accuracy" else interval


def _mean(name: str, drawn: Resamples, level: float) -> Estimate:
    single = measured(name, drawn.leaves)
    # A submission without this figure is left out of the mean; it stays out in every resample.
    defined = ~np.isnan(single)
    values = [float(value) for value in single[defined]]
    mean = math.fsum(values) / len(values) if values else None
    over = measured(name, drawn.drawn[defined, :, :4]).sum(axis=0) / max(len(values), 1)
    interval = bootstrap_interval(mean, over, drawn.groups, level)
    anew = t_interval(values, bounds=BOUNDS.get(name, (0.0, 1.0)), level=level)
    return Estimate(mean, interval, anew)


BOUNDS = dict.fromkeys(("mcc", "kappa", "rate_bias"), (-1.0, 1.0))
"""What a figure cannot leave, where that is not 0 to 1."""


def _all_alike(interval: Interval, accuracy: float | None, level: float) -> Interval:
    """Where a judge is right on every leaf, or wrong on every: no error seen is not no error."""
    if accuracy is None or 0 < accuracy < 1 or not interval.units:
        return interval
    found = binomial_interval(accuracy * interval.units, interval.units, level=level)
    return replace(found, about="these submissions", method="Wilson, one trial a group")
