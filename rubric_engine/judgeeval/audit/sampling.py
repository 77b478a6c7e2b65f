"""Which leaves a human should check: a draw with known chances, in proportion to worth."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Generic, TypeVar

import numpy as np

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.measures import Array

Key = TypeVar("Key", bound=Hashable)
"""A leaf: its key, or (submission, key) over many submissions."""

CERTAIN = 1 - 1e-12
"""Chance from which on a leaf is taken for sure, rounding apart."""

FLOOR = 0.2
"""Share of the labels that is drawn in proportion to worth, whatever other sizes say."""


@dataclass(frozen=True, slots=True)
class AuditPlan(Generic[Key]):
    """The leaves that a human should label, and how likely each leaf was to be among them.

    Attributes:
        labels: How many leaves were asked for.
        seed: Seed of the draw.
        worth: Share of the score by leaf, in document order; sums to 1.
        chance: Inclusion probability by leaf; 0 for leaves without worth, which are never drawn.
        drawn: The leaves to label, in document order.
    """

    labels: int
    seed: int
    worth: Mapping[Key, float]
    chance: Mapping[Key, float]
    drawn: tuple[Key, ...]


def plan_audit(
    worth: Mapping[Key, float],
    labels: int,
    *,
    seed: int = 0,
    size: Mapping[Key, float] | None = None,
) -> AuditPlan[Key]:
    """Draw the leaves that a human should label.

    Args:
        worth: Share of the root's score by leaf, in document order; sums to 1.
        labels: How many leaves; all leaves with worth where there are no more.
        seed: The same seed draws the same leaves.
        size: As in `inclusion`.

    Raises:
        UsageError: As in `inclusion`.
    """
    chance = inclusion(worth, labels, size=size)
    drawn = _draw(chance, seed)
    return AuditPlan(labels, seed, MappingProxyType(dict(worth)), MappingProxyType(chance), drawn)


def plan_benchmark(
    worths: Mapping[str, Mapping[str, float]], labels: int, *, seed: int = 0
) -> AuditPlan[tuple[str, str]]:
    """Spread labels over many submissions, to correct their mean score and not each one's.

    Args:
        worths: Share of the root's score by leaf, by submission.
        labels: How many leaves in all.
        seed: The same seed draws the same leaves.

    Returns:
        A plan whose leaves are (submission, key); `score_audit` makes the mean score of it.

    Raises:
        UsageError: As in `plan_audit`.
    """
    count = len(worths) or 1
    joint = {
        (name, key): worth / count
        for name, leaves in worths.items()
        for key, worth in leaves.items()
    }
    return plan_audit(joint, labels, seed=seed)


def inclusion(
    worth: Mapping[Key, float], labels: int, *, size: Mapping[Key, float] | None = None
) -> dict[Key, float]:
    """Chances in proportion to worth that sum to the number of labels, none above 1.

    A leaf whose chance would pass 1 is taken for sure, and the rest share what is left.

    Args:
        worth: Share of the score by leaf.
        labels: How many leaves.
        size: What chances are to be in proportion to instead, such as worth times how unsure the
            judge is of the leaf (arXiv 2403.03208). A fifth of the labels follows worth all the
            same, so that no leaf has less than a fifth of the chance that its worth gives, and a
            judge that is sure and wrong is found out.

    Raises:
        UsageError: Worths or sizes are negative, worths are all 0, a leaf has no size, or fewer
            than one label is asked for.
    """
    sizes = _checked(worth.values(), "worth")
    if labels < 1:
        raise UsageError(f"an audit needs one label or more, got {labels}")
    if size is not None:
        sizes = _mixed(sizes, worth, size)
    return dict(zip(worth, map(float, _capped(sizes, labels)), strict=True))


def _checked(values: Iterable[float], what: str) -> Array:
    sizes = np.array(list(values), dtype=np.float64)
    if not len(sizes) or not np.isfinite(sizes).all() or sizes.min() < 0 or not sizes.any():
        raise UsageError(f"an audit needs leaves with {what}, none of them negative")
    return sizes


def _mixed(sizes: Array, worth: Mapping[Key, float], size: Mapping[Key, float]) -> Array:
    if missing := [key for key in worth if key not in size]:
        raise UsageError(f"{len(missing)} leaves have no size, the first {missing[0]!r}")
    wanted = _checked((size[key] if share > 0 else 0.0 for key, share in worth.items()), "size")
    return FLOOR * sizes / math.fsum(sizes) + (1 - FLOOR) * wanted / math.fsum(wanted)


def _capped(sizes: Array, labels: int) -> Array:
    if labels >= np.count_nonzero(sizes):
        return np.asarray(sizes > 0, dtype=np.float64)
    chance = np.zeros(len(sizes))
    sure = np.zeros(len(sizes), dtype=np.bool_)
    while True:
        rest = ~sure
        chance[rest] = (labels - np.count_nonzero(sure)) * sizes[rest] / math.fsum(sizes[rest])
        over = rest & (chance >= CERTAIN)
        if not over.any():
            return chance
        sure |= over
        chance[over] = 1.0


def _draw(chance: Mapping[Key, float], seed: int) -> tuple[Key, ...]:
    """Systematic draw over a random order: exact chances and a fixed number of leaves."""
    generator = np.random.default_rng(seed)
    values = np.array(list(chance.values()))
    order = generator.permutation(len(values))
    start = generator.random()
    reached = np.cumsum(values[order])
    # The sum is a whole number but for rounding, which must not lose the last leaf.
    reached[-1] = round(float(reached[-1]))
    marks = start + np.arange(round(float(reached[-1])))
    taken = set(order[np.searchsorted(reached, marks, side="right")].tolist())
    return tuple(key for place, key in enumerate(chance) if place in taken)
