"""Subtrees whose leaves share one choice of files.

Decided from the tree alone, so that no edit of a text moves a leaf to another group, and over the
whole rubric, so that a resumed run sends what the first one sent.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable

from rubric_engine.rubric import Rubric

LEAST_LEAVES = 4
"""A group of fewer leaves is not worth files of its own."""


def partition(rubric: Rubric, leaves: Iterable[str], most: int) -> dict[str, str]:
    """Divide leaves among subtrees.

    The largest group is divided again and again: its largest child with enough leaves leaves it.

    Args:
        rubric: The whole rubric.
        leaves: The leaves to divide.
        most: The most groups.

    Returns:
        For each leaf the key of its subtree's top: the nearest above it that was chosen.
    """
    wanted = list(leaves)
    counts = _counts(rubric, wanted)
    tops = _tops(rubric, counts, most) if wanted else set()
    nearest: dict[str, str] = {}
    for key in rubric.order:
        above = rubric.parent(key)
        if key in tops:
            nearest[key] = key
        elif above is not None and above in nearest:
            nearest[key] = nearest[above]
    return {leaf: nearest[leaf] for leaf in wanted}


def _counts(rubric: Rubric, leaves: list[str]) -> dict[str, int]:
    """Leaves under each criterion."""
    counts: dict[str, int] = defaultdict(int)
    for leaf in leaves:
        counts[leaf] = 1
    for key in reversed(rubric.order):
        above = rubric.parent(key)
        if above is not None and counts[key]:
            counts[above] += counts[key]
    return counts


def _tops(rubric: Rubric, counts: dict[str, int], most: int) -> set[str]:
    """Tops of the groups; `counts` becomes what each group keeps."""
    position = {key: at for at, key in enumerate(rubric.order)}
    gone: set[str] = set()  # children whose leaves have left their parent's group
    done: set[str] = set()
    first = _lowest(rubric, counts, gone, rubric.root)
    heap = [(-counts[first], position[first], first)]
    while heap:
        _, _, top = heapq.heappop(heap)
        child = _largest_child(rubric, counts, gone, top)
        if child is None or len(done) + len(heap) + 1 >= most:
            done.add(top)
            continue
        gone.add(child)
        counts[top] -= counts[child]
        for group in (child, top):
            lowest = _lowest(rubric, counts, gone, group)
            heapq.heappush(heap, (-counts[lowest], position[lowest], lowest))
    return done


def _lowest(rubric: Rubric, counts: dict[str, int], gone: set[str], top: str) -> str:
    """The lowest criterion that still has all leaves of a group under it."""
    while True:
        below = [c for c in rubric.children(top) if c not in gone and counts[c] == counts[top]]
        if len(below) != 1:
            return top
        top = below[0]


def _largest_child(rubric: Rubric, counts: dict[str, int], gone: set[str], top: str) -> str | None:
    """The child that takes most leaves with it, the first of equals; None where none has enough."""
    able = [c for c in rubric.children(top) if c not in gone and counts[c] >= LEAST_LEAVES]
    return max(able, key=counts.__getitem__, default=None)
