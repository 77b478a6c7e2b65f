"""Where the points went: of 100, how many each criterion and each category lost.

Pure, and about one set of scores at a time. Give it scores of ``propagate(..., missing="zero")``:
there a criterion without numbers is one that does not apply. It has left all sums, so its weight
is with its siblings. Points are `lost` where a grade took them, and `open` where nobody decided.

Under a group that is no weighted mean, no single child can say which points it cost: they belong
to the group.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rubric_engine.categories import BUILT_IN
from rubric_engine.grading import Score
from rubric_engine.rubric import Rubric
from rubric_engine.scoring import NOTHING, weighted_mean
from rubric_engine.worth import shares


@dataclass(frozen=True, slots=True)
class Loss:
    """What a criterion was worth and what of it is gone, in points of 100.

    Attributes:
        worth: Its share of the root's score among the criteria that apply.
        lost: Points that grades took away.
        open: Points that leaves without a grade may still give or take.
    """

    worth: float
    lost: float
    open: float


@dataclass(frozen=True, slots=True)
class CategoryScore:
    """How the leaves of one category did.

    Attributes:
        score: Mean of the leaves' scores by worth; `NOTHING` where none of worth applies.
        points: What the category is worth, of 100.
        leaves: How many leaves it has.
        graded: How many of them have a grade.
        not_applicable: How many do not apply.
        lost: Points that grades took away.
        open: Points that leaves without a grade may still give or take.
    """

    score: Score
    points: float
    leaves: int
    graded: int
    not_applicable: int
    lost: float
    open: float


def points_lost(rubric: Rubric, scores: Mapping[str, Score]) -> dict[str, Loss]:
    """Say for every criterion what it lost.

    Args:
        rubric: The tree, or a view of it.
        scores: Its scores, by ``propagate(rubric, grades, missing="zero")``.

    Returns:
        A `Loss` by key in document order. Criteria that do not apply have none, nor has what lies
        under a group that is no weighted mean. Over the leaves and the groups that own their
        points, ``lost + open`` adds up to 100 less what the root has for certain.
    """
    worth = _worth(rubric, scores)
    owner = _owners(rubric)
    return {
        key: _loss(100 * share, scores[key]) for key, share in worth.items() if owner[key] == key
    }


def category_scores(rubric: Rubric, scores: Mapping[str, Score]) -> dict[str, CategoryScore]:
    """Split the score by category: the built-in ones first, then in document order.

    Args:
        rubric: The tree, or a view of it.
        scores: Its scores, by ``propagate(rubric, grades, missing="zero")``.

    Returns:
        A `CategoryScore` by name. `points` add up to 100 unless nothing applies; `lost` and
        `open` add up to the root's, because a group that owns its points shares what it lost
        among its leaves by their worth.
    """
    worth = _worth(rubric, scores)
    shared = _leaf_losses(rubric, scores, worth)
    groups: dict[str, list[str]] = {name: [] for name in BUILT_IN}
    for leaf in rubric.leaves():
        groups.setdefault(rubric[leaf].task_category or "", []).append(leaf)
    return {name: _category(leaves, scores, shared) for name, leaves in groups.items() if leaves}


def is_mean(rubric: Rubric, key: str) -> bool:
    """True for a group whose score is the weighted mean of its children's."""
    return not rubric.is_leaf(key) and rubric[key].aggregate in (None, "weighted_mean")


def _worth(rubric: Rubric, scores: Mapping[str, Score]) -> dict[str, float]:
    return shares(rubric, lambda key: scores[key].low is not None)


def _owners(rubric: Rubric) -> dict[str, str]:
    """For each criterion the one that its points belong to: itself, or a group above it."""
    owner: dict[str, str] = {}
    for key in rubric.order:
        above = rubric.parent(key)
        free = above is None or (owner[above] == above and is_mean(rubric, above))
        owner[key] = key if above is None or free else owner[above]
    return owner


def _loss(points: float, score: Score) -> Loss:
    low, high = score.low or 0.0, score.high or 0.0
    return Loss(points, points * (1 - high), points * (high - low))


def _leaf_losses(
    rubric: Rubric, scores: Mapping[str, Score], worth: Mapping[str, float]
) -> dict[str, Loss]:
    """What each leaf of some worth lost, or its share of what the group above it lost."""
    losses: dict[str, Loss] = {}
    owner = _owners(rubric)
    for leaf in rubric.leaves():
        if worth.get(leaf, 0.0) > 0:
            losses[leaf] = _loss(100 * worth[leaf], scores[owner[leaf]])
    return losses


def _category(
    leaves: Iterable[str], scores: Mapping[str, Score], losses: Mapping[str, Loss]
) -> CategoryScore:
    leaves = list(leaves)
    applying = [scores[leaf] for leaf in leaves if scores[leaf].low is not None]
    worthy = [leaf for leaf in leaves if leaf in losses]
    parts = [losses[leaf] for leaf in worthy]
    return CategoryScore(
        score=_mean([part.worth for part in parts], [scores[leaf] for leaf in worthy]),
        points=math.fsum(part.worth for part in parts),
        leaves=len(leaves),
        graded=sum(score.coverage == 1 for score in applying),
        not_applicable=len(leaves) - len(applying),
        lost=math.fsum(part.lost for part in parts),
        open=math.fsum(part.open for part in parts),
    )


def _mean(weights: list[float], scores: list[Score]) -> Score:
    if not weights:
        return NOTHING
    return Score(
        value=weighted_mean(weights, [score.value or 0.0 for score in scores]),
        low=weighted_mean(weights, [score.low or 0.0 for score in scores]),
        high=weighted_mean(weights, [score.high or 0.0 for score in scores]),
        coverage=weighted_mean(weights, [score.coverage for score in scores]),
    )
