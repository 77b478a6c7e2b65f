"""How the difference of one group's score is shared among its children. Pure.

A group has children on either side of a comparison. Whatever happens between the sides is one of
four things: a child scores otherwise, a child starts or stops to count, the weights among those
that count on both sides are others, or the group puts its children together otherwise. The shares
add up to the difference, whatever the order of the children, and change their sign alone where the
sides are swapped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rubric_engine.comparing.stepping import Counted, scores_on_the_way
from rubric_engine.scoring import aggregator

MEAN = "weighted_mean"


@dataclass(frozen=True, slots=True)
class Share:
    """What one child does to the score of its group.

    Attributes:
        scored: By another score of its own.
        counted: By counting on one side only.
        factor: What `scored` is for each point of the child's; None where the group is no mean,
            so that no such number holds.
    """

    scored: float = 0.0
    counted: float = 0.0
    factor: float | None = None


@dataclass(frozen=True, slots=True)
class Shares:
    """The difference of a group's score, in parts.

    Attributes:
        children: One share for each child, in their order.
        weights: What other weights among the children that count on both sides do.
        aggregate: What another way of putting them together does.
    """

    children: tuple[Share, ...]
    weights: float
    aggregate: float


def share_out(pairs: Sequence[tuple[Counted, Counted]], aggregates: tuple[str, str]) -> Shares:
    """Share the difference of a group's score.

    Args:
        pairs: Each child on the first side and on the second; on each side some child counts.
        aggregates: How the group puts its children together, on either side.

    Returns:
        The shares. Where the aggregates differ, those of the children are the mean of what they
        are under either.
    """
    first, second = aggregates
    if first == second:
        return _under(first, pairs)
    one, other = _under(first, pairs), _under(second, pairs)
    before, after = [a for a, _ in pairs], [b for _, b in pairs]
    gains = [_combined(second, side) - _combined(first, side) for side in (before, after)]
    return Shares(
        children=tuple(
            Share((a.scored + b.scored) / 2, (a.counted + b.counted) / 2)
            for a, b in zip(one.children, other.children, strict=True)
        ),
        weights=(one.weights + other.weights) / 2,
        aggregate=math.fsum(gains) / 2,
    )


def _under(aggregate: str, pairs: Sequence[tuple[Counted, Counted]]) -> Shares:
    return _of_mean(pairs) if aggregate == MEAN else _of_other(aggregate, pairs)


def _of_mean(pairs: Sequence[tuple[Counted, Counted]]) -> Shares:
    """Of a weighted mean: who leaves goes first, who comes comes last.

    In between are the children that count on both sides. With q for their portions of one another,
    q1 s1 - q0 s0 = (s1 - s0)(q0 + q1)/2 + (q1 - q0)(s0 + s1)/2. A child that comes adds its
    portion of all, times what its score is above their mean; one that leaves likewise.
    """
    whole = [_portions([pair[side] for pair in pairs]) for side in (0, 1)]
    stay = [pair if None not in pair else (None, None) for pair in pairs]
    before, after = (_portions([pair[side] for pair in stay]) for side in (0, 1))
    levels = _levels(stay, (before, after), pairs, whole)
    middle = sum(levels) / 2
    shares, reweighed = [], []
    for at, (a, b) in enumerate(pairs):
        if a is not None and b is not None:
            factor = (before[at] + after[at]) / 2
            shares.append(Share(factor * (b[1] - a[1]), factor=factor))
            reweighed.append((after[at] - before[at]) * ((a[1] + b[1]) / 2 - middle))
        elif a is not None:
            shares.append(Share(counted=whole[0][at] * (levels[0] - a[1])))
        else:
            shares.append(Share(counted=whole[1][at] * (b[1] - levels[1]) if b else 0.0))
    return Shares(tuple(shares), math.fsum(reweighed), 0.0)


def _levels(
    stay: Sequence[tuple[Counted, Counted]],
    among: Sequence[Sequence[float]],
    pairs: Sequence[tuple[Counted, Counted]],
    whole: Sequence[Sequence[float]],
) -> tuple[float, float]:
    """What children that come or leave are held against: the mean of those that stay."""
    if any(a is not None for a, _ in stay):
        return _mean(stay, among, 0), _mean(stay, among, 1)
    both = (_mean(pairs, whole, 0) + _mean(pairs, whole, 1)) / 2
    return both, both


def _mean(
    pairs: Sequence[tuple[Counted, Counted]], portions: Sequence[Sequence[float]], side: int
) -> float:
    scores = [one[1] if (one := pair[side]) is not None else 0.0 for pair in pairs]
    return math.fsum(p * s for p, s in zip(portions[side], scores, strict=True))


def _portions(side: Sequence[Counted]) -> list[float]:
    """Each child's part of the weight; 0 for those that do not count."""
    largest = max((one[0] for one in side if one is not None), default=1.0)
    # Divided by the largest first: sums of huge weights would overflow.
    parts = [one[0] / largest if one is not None else 0.0 for one in side]
    total = math.fsum(parts) or 1.0
    return [part / total for part in parts]


def _of_other(aggregate: str, pairs: Sequence[tuple[Counted, Counted]]) -> Shares:
    """Of any other aggregate: children change sides one by one, in an order and in its mirror.

    The order is by how far they rise; children that do the same share alike.
    """
    moving = [at for at, (a, b) in enumerate(pairs) if _score(a) != _score(b)]
    moving.sort(key=lambda at: _rise(*pairs[at]))
    gains = dict.fromkeys(moving, 0.0)
    for order in (moving, moving[::-1]):
        for at, gain in zip(order, _gains(aggregate, pairs, order), strict=True):
            gains[at] += gain / 2
    alike: dict[tuple[float, float], list[float]] = {}
    for at, gain in gains.items():
        alike.setdefault(_ends(*pairs[at]), []).append(gain)
    shares = []
    for a, b in pairs:
        same = alike.get(_ends(a, b), [0.0])
        gain = math.fsum(same) / len(same)
        stays = a is not None and b is not None
        shares.append(Share(scored=gain) if stays else Share(counted=gain))
    return Shares(tuple(shares), 0.0, 0.0)


def _gains(
    aggregate: str, pairs: Sequence[tuple[Counted, Counted]], order: Sequence[int]
) -> list[float]:
    """What each change of side adds, in this order; where no child counts, the group is midway."""
    moving = set(order)
    still = [a for at, (a, _) in enumerate(pairs) if at not in moving]
    scores = scores_on_the_way(aggregate, [pairs[at] for at in order], still)
    midway = ((scores[0] or 0.0) + (scores[-1] or 0.0)) / 2
    met = [midway if score is None else score for score in scores]
    return [after - before for before, after in pairwise(met)]


def _combined(aggregate: str, side: Sequence[Counted]) -> float:
    counted = [one for one in side if one is not None]
    return aggregator(aggregate)([w for w, _ in counted], [s for _, s in counted])


def _score(one: Counted) -> float:
    return _ABSENT if one is None else one[1]


def _ends(a: Counted, b: Counted) -> tuple[float, float]:
    return _score(a), _score(b)


def _rise(a: Counted, b: Counted) -> tuple[Fraction, Fraction]:
    """Sorts changes so that swapping the sides turns the order round.

    Exactly: rounded, two changes that differ by little would stand as they came.
    """
    before, after = map(Fraction, _ends(a, b))
    return after - before, (after - before) * (after + before)


_ABSENT = -1.0
"""Stands for the score of a child that does not count, where children are put in order."""
