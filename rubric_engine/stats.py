"""How a rubric spreads its points: counts, shares and the tree as rows. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rubric_engine.categories import BUILT_IN
from rubric_engine.rubric import Rubric

TINY = 0.01
"""Points of 100 below which a leaf can hardly change a score."""


@dataclass(frozen=True, slots=True)
class CategoryStats:
    """What the leaves of one category carry.

    Attributes:
        leaves: How many there are.
        share_of_leaves: Their part of all leaves, 0 to 1.
        points: Their worth together, of 100.
        median_worth: Worth of the middle one, in points.
        share_under_checks: Part of the category's points that leaves with checks carry, 0 to 1.
    """

    leaves: int
    share_of_leaves: float
    points: float
    median_worth: float
    share_under_checks: float


@dataclass(frozen=True, slots=True)
class RubricStats:
    """A rubric in figures; worths are points of 100.

    Attributes:
        nodes: Criteria in all.
        leaves: Criteria without sub-tasks.
        groups: The others.
        depth: Levels; a root alone is 1.
        max_children: Largest number of sub-tasks under one group.
        categories: Figures by category, the built-in ones first.
        heaviest: The ten leaves of the greatest worth, as (key, points), heaviest first.
        top_10: Points of those ten together.
        tiny: How many leaves are worth less than `TINY` points.
        effective_leaves: ``1 / sum(w ** 2)`` over the leaves' shares: as many leaves of equal
            worth would spread the score as widely.
        worth_under_checks: Points of the leaves that carry checks.
    """

    nodes: int
    leaves: int
    groups: int
    depth: int
    max_children: int
    categories: dict[str, CategoryStats]
    heaviest: tuple[tuple[str, float], ...]
    top_10: float
    tiny: int
    effective_leaves: float
    worth_under_checks: float


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One line of the tree.

    Attributes:
        key: Key of the criterion.
        level: Its level; the root's is 1.
        worth: Points of 100.
        category: Category of a leaf, None for a group.
        requirements: What must be true.
        leaves: Number of leaves below it; 0 for a leaf.
    """

    key: str
    level: int
    worth: float
    category: str | None
    requirements: str
    leaves: int


def rubric_stats(rubric: Rubric) -> RubricStats:
    """Count what a rubric holds and how it spreads its points.

    Args:
        rubric: The tree, or a view of it.
    """
    points = {leaf: 100 * rubric.worth(leaf) for leaf in rubric.leaves()}
    heaviest = sorted(points.items(), key=lambda row: -row[1])[:10]
    squares = math.fsum((worth / 100) ** 2 for worth in points.values())
    return RubricStats(
        nodes=len(rubric),
        leaves=len(points),
        groups=len(rubric) - len(points),
        depth=max(rubric.levels.values()),
        max_children=max(len(rubric.children(key)) for key in rubric),
        categories=_categories(rubric, points),
        heaviest=tuple(heaviest),
        top_10=math.fsum(worth for _, worth in heaviest),
        tiny=sum(worth < TINY for worth in points.values()),
        effective_leaves=1 / squares if squares else 0.0,
        worth_under_checks=math.fsum(
            worth for leaf, worth in points.items() if rubric[leaf].checks
        ),
    )


def rubric_tree(rubric: Rubric, depth: int | None = None) -> Iterator[TreeRow]:
    """Yield the criteria as rows in document order.

    Args:
        rubric: The tree, or a view of it.
        depth: How many levels to show, 1 being the root alone; all where it is None.
    """
    below = _leaves_below(rubric)
    for key, level in rubric.levels.items():
        if depth is None or level <= depth:
            node = rubric[key]
            worth = 100 * rubric.worth(key)
            yield TreeRow(key, level, worth, node.task_category, node.requirements, below[key])


def _leaves_below(rubric: Rubric) -> dict[str, int]:
    below = dict.fromkeys(rubric.order, 0)
    for key in reversed(rubric.order):
        above = rubric.parent(key)
        if above is not None:
            below[above] += 1 if rubric.is_leaf(key) else below[key]
    return below


def _categories(rubric: Rubric, points: dict[str, float]) -> dict[str, CategoryStats]:
    groups: dict[str, list[str]] = {name: [] for name in BUILT_IN}
    for leaf in points:
        groups.setdefault(rubric[leaf].task_category or "", []).append(leaf)
    return {name: _category(rubric, leaves, points) for name, leaves in groups.items() if leaves}


def _category(rubric: Rubric, leaves: Sequence[str], points: dict[str, float]) -> CategoryStats:
    total = math.fsum(points[leaf] for leaf in leaves)
    checked = math.fsum(points[leaf] for leaf in leaves if rubric[leaf].checks)
    return CategoryStats(
        leaves=len(leaves),
        share_of_leaves=len(leaves) / len(points),
        points=total,
        median_worth=statistics.median(points[leaf] for leaf in leaves),
        share_under_checks=checked / total if total else 0.0,
    )
