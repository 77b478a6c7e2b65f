"""What grading cost, and which judges no cheaper one beats."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from rubric_engine.judgeeval.pairs import Pairs, is_number


@dataclass(frozen=True, slots=True)
class Costs:
    """Dollars over all leaves, labelled or not.

    Attributes:
        known: Sum over leaves whose cost is known.
        unpriced: Leaves whose cost is not known; the whole costs more by them.
        per_submission: The sum by submission; None while leaves are unpriced.
        per_leaf: The sum by leaf; None while leaves are unpriced.
    """

    known: float
    unpriced: int
    per_submission: float | None
    per_leaf: float | None


def costs(pairs: Pairs) -> Costs:
    """Sum what is known; an unknown price is never a 0."""
    known = [row.cost for row in pairs.rows if row.cost is not None and is_number(row.cost)]
    unpriced = len(pairs) - len(known)
    whole = bool(known) and not unpriced
    total = math.fsum(known)
    return Costs(
        known=total,
        unpriced=unpriced,
        per_submission=total / len(pairs.submissions) if whole else None,
        per_leaf=total / len(pairs) if whole else None,
    )


@dataclass(frozen=True, slots=True)
class Priced:
    """A judge by what it costs and how good it is.

    Attributes:
        judge: Its name.
        cost: Dollars for all submissions.
        value: The figure that counts, such as macro F1; higher is better.
        per_hundredth: Dollars for each further 0.01 over the next cheaper judge of the front;
            None for the cheapest.
    """

    judge: str
    cost: float
    value: float
    per_hundredth: float | None = None


def front(judges: Iterable[tuple[str, float, float]]) -> tuple[Priced, ...]:
    """The judges that no other beats at the same or a lower cost, cheapest first.

    Args:
        judges: Name, cost and value of each.
    """
    kept: list[Priced] = []
    for judge, cost, value in sorted(judges, key=lambda row: (row[1], -row[2])):
        if not kept:
            kept.append(Priced(judge, cost, value))
        elif value > kept[-1].value:
            gain = 100 * (value - kept[-1].value)
            kept.append(Priced(judge, cost, value, (cost - kept[-1].cost) / gain))
    return tuple(kept)
