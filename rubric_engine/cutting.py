"""What a view of a rubric keeps: some of its leaves, or some of its levels. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rubric_engine.categories import SUBTREE
from rubric_engine.criterion import Criterion

if TYPE_CHECKING:
    from rubric_engine.rubric import Rubric

Pairs = list[tuple[str | None, Criterion]]
"""Criteria with the keys of their parents, parents before children."""


def with_leaves(rubric: Rubric, wanted: Callable[[Criterion], bool]) -> Pairs:
    """The criteria above some leaves, and these leaves; the root alone where there is none.

    Args:
        rubric: The tree.
        wanted: Whether a leaf is kept.
    """
    alive = {key for key in rubric.leaves() if wanted(rubric[key])}
    for key in reversed(rubric.order):
        above = rubric.parent(key)
        if key in alive and above is not None:
            alive.add(above)
    kept: Pairs = [(rubric.parent(key), rubric[key]) for key in rubric.order if key in alive]
    # Without a leaf left the root is a group, even where it was a leaf.
    empty = rubric[rubric.root].model_copy(update={"task_category": None})
    return kept or [(None, empty)]


def with_levels(rubric: Rubric, levels: int) -> Pairs:
    """The criteria of the first levels; a group that loses its children becomes a leaf.

    Args:
        rubric: The tree.
        levels: How many; 1 is the root alone.
    """
    kept: Pairs = []
    for key, level in rubric.levels.items():
        if level < levels or (level == levels and not rubric.children(key)):
            kept.append((rubric.parent(key), rubric[key]))
        elif level == levels:
            kept.append((rubric.parent(key), _estimated(rubric[key])))
    return kept


def _estimated(group: Criterion) -> Criterion:
    change = {"task_category": SUBTREE, "aggregate": None, "tags": (*group.tags, "estimated")}
    return group.model_copy(update=change)
