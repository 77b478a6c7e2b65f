"""Drawing groups of leaves anew: the parent bootstrap, stratified by submission.

Within each submission as many groups are drawn, with replacement, as it has. A measure needs the
four cells only, so a resample is a row of multinomial counts times the groups' cells: thousands
of resamples are one matrix product.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rubric_engine.judgeeval.intervals import ROUNDING, About, Interval, no_interval
from rubric_engine.judgeeval.measures import Array
from rubric_engine.judgeeval.pairs import Pairs

REPLICATES = 2_000
"""Resamples of a bootstrap."""

METHOD = "parent bootstrap, stratified by submission"

MOST_UNDEFINED = 0.05
"""Share of resamples that may lack a figure before its interval is given up."""


@dataclass(frozen=True, eq=False)
class Draws:
    """How often each group of leaves stands in each resample. One draw serves all judges.

    Attributes:
        times: By submission: one row a resample, one column a group, as in `Pairs.clusters`.
        replicates: How many resamples.
    """

    times: Mapping[str, Array]
    replicates: int

    @classmethod
    def of(cls, pairs: Pairs, *, seed: int = 0, replicates: int = REPLICATES) -> Draws:
        """Draw the groups of pairs.

        Args:
            pairs: Gives the groups and their submissions.
            seed: The same seed gives the same draws, whatever the order of rows or submissions.
            replicates: How many resamples.
        """
        found = {
            name: _generator(seed, name)
            .multinomial(count, np.full(count, 1 / count), size=replicates)
            .astype(np.float64)
            for name, count in Counter(submission for submission, _ in pairs.clusters).items()
        }
        return cls(found, replicates)

    def sums(self, pairs: Pairs, columns: Array) -> Array:
        """Sums of the groups' columns over resamples.

        Args:
            pairs: Pairs with these groups, in whole submissions.
            columns: One row for each of `pairs.clusters`, any columns that may be added up.

        Returns:
            Array of shape (submissions, replicates, columns), submissions as in
            `pairs.submissions`.
        """
        owners = np.array([submission for submission, _ in pairs.clusters], dtype=object)
        sums = np.empty((len(pairs.submissions), self.replicates, columns.shape[1]))
        for code, name in enumerate(pairs.submissions):
            sums[code] = self.times[name] @ columns[owners == name]
        return sums


def resampled(
    pairs: Pairs, columns: Array, *, seed: int = 0, replicates: int = REPLICATES
) -> Array:
    """Sums of the groups' columns over resamples, as `Draws.sums` gives them."""
    return Draws.of(pairs, seed=seed, replicates=replicates).sums(pairs, columns)


def bootstrap_interval(value: float | None, drawn: Array, groups: int, level: float) -> Interval:
    """The interval for these submissions, out of a figure's resamples.

    Args:
        value: The figure on the leaves as they are.
        drawn: Its values over resamples.
        groups: What `drawable` says.
        level: Share of such intervals that should hold the truth.
    """
    if value is None:
        return no_interval("these submissions", METHOD, groups, "the figure itself is undefined")
    if not groups:
        why = "no submission has two groups of leaves, so none can be drawn anew"
        return no_interval("these submissions", METHOD, groups, why)
    return middle_of(drawn, "these submissions", METHOD, groups, level)


def middle_of(drawn: Array, about: About, method: str, units: int, level: float) -> Interval:
    """The middle part of a figure's resamples, or why it is no interval.

    Args:
        drawn: Its values over resamples; NaN where a resample lacks it.
        about: What the interval speaks about.
        method: How the resamples were drawn.
        units: How many independent things were drawn from.
        level: Share of such intervals that should hold the truth.
    """
    undefined = float(np.isnan(drawn).mean())
    if undefined > MOST_UNDEFINED:
        why = f"{undefined:.0%} of the resamples have labels of one class only"
        return no_interval(about, method, units, why)
    low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    if high - low > ROUNDING:
        return Interval(float(low), float(high), about, method, units, level)
    why = "every resample gives the same value, so nothing shows how sure it is"
    return no_interval(about, method, units, why)


def drawable(pairs: Pairs) -> int:
    """How many groups of leaves there are; 0 where no submission has two to draw from."""
    return len(pairs.clusters) if len(pairs.clusters) > len(pairs.submissions) else 0


def _generator(seed: int, name: str) -> np.random.Generator:
    digest = hashlib.sha256(f"{seed}:{name}".encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))
