"""Whether a score fell by more than it may. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from rubric_engine.comparing.comparison import Comparison
from rubric_engine.comparing.wording import said_of_holes

_TINY = 1e-7
"""Points by which rounding may pass a limit."""


@dataclass(frozen=True, slots=True)
class Regression:
    """A limit to how far a score may fall, from the low end of one range to that of the other.

    Both ends count leaves without a grade as 0, so what neither judge was asked about is no fall.
    A run in which leaves failed says too little of its low end for the limit to be held.

    Attributes:
        limit: Points of 100 by which the score may fall.
        fell: Points by which the low end fell, below 0 where it rose; None where there is none.
        undecided: Why nothing can be said; None where something can.
    """

    limit: float
    fell: float | None
    undecided: str | None

    @property
    def failed(self) -> bool:
        """Whether it fell by more."""
        return self.undecided is None and self.fell is not None and self.fell > self.limit + _TINY


def regression(found: Comparison, limit: float) -> Regression:
    """Hold a comparison against a limit.

    Args:
        found: The comparison.
        limit: Points of 100 by which the score of run B may be lower.
    """
    fell = found.gap.low_to_low
    holes = [
        said
        for name, report in (("A", found.first), ("B", found.second))
        if (said := said_of_holes(name, report))
    ]
    undecided = "; ".join(holes) or (found.gap.why if fell is None else None)
    return Regression(limit, None if fell is None else -fell, undecided)
