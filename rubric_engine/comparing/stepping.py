"""A group's score while its children change sides one by one; linear in their number. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rubric_engine.scoring import must_meet

Counted = tuple[float, float] | None
"""Weight and score of a child; None where it does not count."""


@dataclass(frozen=True, slots=True)
class _Tally:
    """What any aggregate but a mean needs to know of some children."""

    met: int = 0
    unmet: int = 0
    least: float = 1.0
    product: float = 1.0

    def __add__(self, other: _Tally) -> _Tally:
        return _Tally(
            self.met + other.met,
            self.unmet + other.unmet,
            min(self.least, other.least),
            self.product * other.product,
        )


def scores_on_the_way(
    aggregate: str, moving: Sequence[tuple[Counted, Counted]], still: Iterable[Counted]
) -> list[float | None]:
    """The group's score before any child changed, and after each.

    Args:
        aggregate: How the group puts its children together; no weighted mean.
        moving: The children that change, on the first side and on the second, in their order.
        still: Those that stay as they are.

    Returns:
        One score more than children change; None where no child counts.
    """
    rest = sum(map(_tally, still), _Tally())
    changed = list(accumulate((_tally(b) for _, b in moving), initial=_Tally()))
    # Added up from the end, so that swapped sides give the very same numbers.
    waiting = list(accumulate((_tally(a) for a, _ in reversed(moving)), initial=_Tally()))[::-1]
    return [
        _score(aggregate, done + left + rest) for done, left in zip(changed, waiting, strict=True)
    ]


def _tally(child: Counted) -> _Tally:
    if child is None:
        return _Tally()
    score = child[1]
    return _Tally(int(score == 1.0), int(score != 1.0), score, score)


def _score(aggregate: str, of: _Tally) -> float | None:
    if not of.met + of.unmet:
        return None
    if aggregate in ("min", "product"):
        return of.least if aggregate == "min" else of.product
    return float(of.met >= must_meet(aggregate) or not of.unmet)
