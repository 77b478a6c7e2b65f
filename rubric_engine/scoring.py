"""From grades to scores: pure functions, linear in the number of criteria.

A group's score is the weighted mean of its children's (arXiv 2504.01848, section 3): weights are
divided by the largest, then ``fsum(w * s) / fsum(w)``, which gives exactly 1.0 where every child
has 1. A leaf without a grade is an interval, 0 to 1; every aggregate is monotone, so the root's
interval is exact. Criteria that do not apply leave all sums. Where leaves carry the standard
deviation of an expected score, that of a mean follows as of independent ones: variances add up,
each by the square of its share.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rubric_engine.grading import Grade, Score
from rubric_engine.rubric import Rubric

Missing = Literal["zero", "renormalise"]

NOTHING = Score(value=None, low=None, high=None, coverage=0.0)
"""Score of a criterion under which nothing is left to score."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A criterion while scores roll up; `value` is None where the policy drops it.

    `variance` is that of `value`: 0 where nothing below is uncertain, NaN where nobody knows.
    """

    value: float | None
    low: float
    high: float
    coverage: float
    variance: float = 0.0


def propagate(
    rubric: Rubric, grades: Mapping[str, Grade], *, missing: Missing = "zero"
) -> dict[str, Score]:
    """Roll grades up the tree.

    Args:
        rubric: The tree, or a view of it.
        grades: Grade by key; a leaf that is left out counts as not graded.
        missing: What `value` makes of a leaf without a grade: ``zero`` counts it as 0, as
            PaperBench does; ``renormalise`` drops it and shares its weight among its siblings.

    Returns:
        A `Score` for every criterion. `low`, `high` and `coverage` do not depend on `missing`,
        but where it leaves nothing, all are None and coverage is 0.
    """
    parts: dict[str, _Part | None] = {}
    for key in reversed(rubric.order):
        if rubric.is_leaf(key):
            parts[key] = _leaf(grades.get(key), missing)
        else:
            parts[key] = _group(rubric, key, parts)
    return {key: _score(parts[key]) for key in rubric.order}


def _leaf(grade: Grade | None, missing: Missing) -> _Part | None:
    if grade is None or grade.status == "ungradeable":
        return _OPEN[missing]
    if grade.score is None:
        return None
    if grade.sd is None:
        return _certain(grade.score)
    return _Part(grade.score, grade.score, grade.score, 1.0, grade.sd**2)


_OPEN: Mapping[Missing, _Part] = {
    "zero": _Part(0.0, 0.0, 1.0, 0.0),
    "renormalise": _Part(None, 0.0, 1.0, 0.0),
}


@lru_cache(maxsize=1024)  # leaves share a few scores: one object each keeps the heap small
def _certain(score: float) -> _Part:
    return _Part(score, score, score, 1.0)


def _group(rubric: Rubric, key: str, parts: Mapping[str, _Part | None]) -> _Part | None:
    weighed = [
        (rubric[child].weight, part)
        for child in rubric.children(key)
        if (part := parts[child]) is not None and rubric[child].weight > 0
    ]
    if not weighed:
        return None
    aggregate = rubric[key].aggregate or "weighted_mean"
    combine = aggregator(aggregate)
    weights = [weight for weight, _ in weighed]
    counted = [(weight, part) for weight, part in weighed if part.value is not None]
    valued = [(weight, part.value) for weight, part in counted if part.value is not None]
    low = combine(weights, [part.low for _, part in weighed])
    high = combine(weights, [part.high for _, part in weighed])
    value = combine([w for w, _ in valued], [v for _, v in valued]) if valued else None
    if value is not None:
        # Rounding would put it outside its range where weights are 1e16 apart.
        value = min(max(value, low), high)
    coverage = weighted_mean(weights, [part.coverage for _, part in weighed])
    return _Part(value, low, high, coverage, _variance(aggregate, counted))


def _variance(aggregate: str, counted: Sequence[tuple[float, _Part]]) -> float:
    """Variance of a group's value; of no other aggregate than a mean does it follow from these."""
    if not any(part.variance for _, part in counted):
        return 0.0
    if aggregate != "weighted_mean":
        return math.nan
    largest = max(weight for weight, _ in counted)
    weights = [weight / largest for weight, _ in counted]
    whole = math.fsum(weights)
    return math.fsum(
        (weight / whole) ** 2 * part.variance
        for weight, (_, part) in zip(weights, counted, strict=True)
    )


@lru_cache(maxsize=4096)
def _score(part: _Part | None) -> Score:
    if part is None or part.value is None:
        return NOTHING
    known = part.variance > 0  # not so of NaN
    return Score(
        value=part.value,
        low=part.low,
        high=part.high,
        coverage=part.coverage,
        sd=math.sqrt(part.variance) if known else None,
    )


Combine = Callable[[Sequence[float], Sequence[float]], float]


def aggregator(name: str) -> Combine:
    """Return the function of (weights, scores) behind the name of an aggregate."""
    return _at_least(int(must_meet(name))) if name.startswith("at_least") else _AGGREGATES[name]


def must_meet(name: str) -> float:
    """How many children must score 1 under an aggregate that counts them; all where fewer are left.

    Args:
        name: ``all``, ``any`` or ``at_least(k)``.
    """
    at_least = re.fullmatch(r"at_least\(([0-9]+)\)", name)
    return int(at_least[1]) if at_least else {"all": math.inf, "any": 1}[name]


def weighted_mean(weights: Sequence[float], scores: Sequence[float]) -> float:
    """Mean of scores by weights that are not all 0; exactly 1.0 for all ones, and monotone."""
    largest = max(weights)
    parts = [weight / largest for weight in weights]
    mean = math.fsum(w * s for w, s in zip(parts, scores, strict=True)) / math.fsum(parts)
    return min(mean, 1.0)


def _at_least(wanted: int) -> Combine:
    def combine(_: Sequence[float], scores: Sequence[float]) -> float:
        # A view may leave fewer children than the author asked for; all of them is then enough.
        return float(sum(score == 1.0 for score in scores) >= min(wanted, len(scores)))

    return combine


_AGGREGATES: Mapping[str, Combine] = {
    "weighted_mean": weighted_mean,
    "all": lambda _, scores: float(all(score == 1.0 for score in scores)),
    "any": lambda _, scores: float(any(score == 1.0 for score in scores)),
    "min": lambda _, scores: min(scores),
    "product": lambda _, scores: math.prod(scores),
}
