"""What of a prompt is a leaf's own: the criterion and its place in the tree, as values."""

from __future__ import annotations

from dataclasses import dataclass

from rubric_engine.criterion import Criterion
from rubric_engine.rubric import Rubric

MOST_SIBLINGS = 5
"""Siblings shown, the nearest ones: each is paid for again with every leaf behind it."""


@dataclass(frozen=True)
class Own:
    """A leaf in its context.

    Attributes:
        criterion: The leaf.
        ancestors: From the root down to its parent.
        siblings_before: The nearest siblings before it, in document order.
        depends_on: What the leaf says that it depends on, in its order.
    """

    criterion: Criterion
    ancestors: tuple[Criterion, ...]
    siblings_before: tuple[Criterion, ...]
    depends_on: tuple[Criterion, ...]


def own(rubric: Rubric, leaf: str) -> Own:
    """Collect what belongs to one leaf alone.

    Args:
        rubric: The whole rubric.
        leaf: Key of the leaf.
    """
    criterion = rubric[leaf]
    above = rubric.path(leaf)[:-1]
    siblings = rubric.children(above[-1]) if above else (leaf,)
    before = siblings[: siblings.index(leaf)][-MOST_SIBLINGS:]
    return Own(
        criterion,
        tuple(rubric[key] for key in above),
        tuple(rubric[key] for key in before),
        # A view of a rubric may have lost what a leaf of it depends on.
        tuple(rubric[key] for key in criterion.depends_on if key in rubric),
    )
