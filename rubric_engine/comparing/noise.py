"""Whether a difference is more than a judge's own noise. Pure but for numpy and scipy.

The tests look at leaves that ask for the same on both sides and have a grade on both: what other
weights or texts do is no chance, and a missing grade is no verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rubric_engine.comparing.causes import Cause
from rubric_engine.comparing.kinds import LeafKind
from rubric_engine.judgeeval.differences import two_sided
from rubric_engine.judgeeval.intervals import LEVEL, Interval
from rubric_engine.judgeeval.measures import Array
from rubric_engine.judgeeval.paired_tests import mcnemar
from rubric_engine.judgeeval.pairs import Pair, Pairs
from rubric_engine.judgeeval.resampling import Draws, bootstrap_interval, drawable
from rubric_engine.judgeeval.sign_flips import FEWEST_FLIPPED, MOST_EXACT, sign_flip
from rubric_engine.result import Report

GRADED_ALIKE = frozenset({"same", "up", "down", "part", "weight_changed"})
"""Kinds of leaves that ask for the same on both sides; those with a grade on both are tested."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two runs on the leaves that both graded, and that ask for the same in both.

    Attributes:
        leaves: How many these are.
        up: Of these, how many only the second run calls met.
        down: How many only the first run calls met.
        exact_p: McNemar's exact two-sided p-value of these two, which takes leaves for independent.
        mid_p: Its mid-p variant.
        points: What other grades on these leaves do to the score, in points of 100.
        interval: Of `points`, by drawing groups of leaves anew.
        p: Two-sided p-value of `points`: exact, by turning round the signs of the groups' points,
            where few groups moved, else of the same draws; None where there is none.
        why: Why there is no p-value, where there is an interval.
    """

    leaves: int
    up: int
    down: int
    exact_p: float
    mid_p: float
    points: float
    interval: Interval
    p: float | None
    why: str | None = None

    @property
    def shown(self) -> bool:
        """Whether the grades differ by more than what drawing other leaves would bring."""
        return bool(self.interval.excludes(0.0) and self.p is not None and self.p <= 1 - LEVEL)

    @property
    def flips(self) -> float | None:
        """Share of the leaves whose verdict is another one; None where there is no leaf."""
        return (self.up + self.down) / self.leaves if self.leaves else None


def paired_test(
    first: Report,
    second: Report,
    kinds: Sequence[LeafKind],
    causes: Sequence[Cause],
    *,
    seed: int = 0,
) -> PairedTest:
    """Test two runs on the leaves that both graded.

    Args:
        first: One run.
        second: The other one.
        kinds: What happened to each leaf.
        causes: What that did to the score; empty where a score is undefined.
        seed: The same seed gives the same interval.
    """
    both = Pairs.of(_paired(first, second, kinds))
    up, down = (int(np.sum(both.said & ~both.met)), int(np.sum(both.met & ~both.said)))
    test = mcnemar(down, up)
    points = {one.a: 0.0 for one in kinds}
    for cause in causes:
        if cause.kind in ("up", "down", "part"):
            points[cause.a] = points.get(cause.a, 0.0) + cause.points
    moved = np.array([points[row.key] for row in both.rows], dtype=np.float64)
    total = float(moved.sum())
    interval, drawn = _drawn(both, moved, total, seed)
    p, why = (None, None) if interval.low is None else _p_value(both, moved, drawn)
    return PairedTest(len(both), up, down, test.exact_p, test.mid_p, total, interval, p, why)


def _paired(first: Report, second: Report, kinds: Sequence[LeafKind]) -> Iterator[Pair]:
    for one in kinds:
        if one.a is None or one.b is None or one.kind not in GRADED_ALIKE:
            continue
        a, b = first.grades.get(one.a), second.grades.get(one.b)
        if a is not None and b is not None and a.score is not None and b.score is not None:
            yield Pair(
                key=one.a,
                submission="",
                parent=first.rubric.parent(one.a) or one.a,
                category="",
                worth=min(1.0, (first.rubric.worth(one.a) + second.rubric.worth(one.b)) / 2),
                label=a.score,
                grade=b.score,
            )


def _drawn(both: Pairs, moved: Array, total: float, seed: int) -> tuple[Interval, Array]:
    """The interval of the points by drawing groups anew, each with its worth; and the draws."""
    worth = float(both.worth.sum())
    if not worth:
        return bootstrap_interval(None, moved, 0, LEVEL), moved
    columns = np.stack([_by_group(both, moved), _by_group(both, both.worth)], axis=1)
    sums = Draws.of(both, seed=seed).sums(both, columns)[0]
    # The share first: of the tiniest weights, a product would be nothing, or a quotient endless.
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        drawn = np.where(sums[:, 1] > 0, worth * (sums[:, 0] / sums[:, 1]), np.nan)
    drawn = np.where(np.isfinite(drawn), drawn, np.nan)
    return bootstrap_interval(total, drawn, drawable(both), LEVEL), drawn


def _p_value(both: Pairs, moved: Array, drawn: Array) -> tuple[float | None, str | None]:
    """Draws of few groups miss all that moved too seldom, so there signs are counted."""
    groups = [points for points in _by_group(both, moved) if points]
    if len(groups) > MOST_EXACT:
        return two_sided(drawn), None
    if len(groups) < FEWEST_FLIPPED:
        changed = f"{len(groups)} group{'' if len(groups) == 1 else 's'} of leaves changed"
        return None, f"{changed}, and fewer than {FEWEST_FLIPPED} show nothing"
    return sign_flip(groups).p, None


def _by_group(both: Pairs, column: Array) -> Array:
    sums = np.bincount(both.cluster_codes, column, len(both.clusters))
    return sums.astype(np.float64)
