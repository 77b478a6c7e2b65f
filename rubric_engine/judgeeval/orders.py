"""Whether a judge puts systems in the order that humans do, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.measures import Array

FEWEST_SYSTEMS = 8
"""Systems below which an order says little: a few very different ones order themselves."""

PERMUTATIONS = 1_000


@dataclass(frozen=True, slots=True)
class OrderAccuracy:
    """How far two orders of systems agree.

    Attributes:
        value: 0 to 1, a half being chance; None where it says little or nothing.
        pairs: Pairs of systems that it rests on.
        why: Why it is None.
    """

    value: float | None
    pairs: int
    why: str | None = None


def pairwise_order(human: Sequence[float], judge: Sequence[float]) -> OrderAccuracy:
    """Share of pairs of systems that the judge puts in the humans' order.

    Kocmi and others (WMT 2021, "To ship or not to ship"). Pairs that humans score alike have no
    order and are out; a pair that only the judge scores alike counts as wrong.

    Args:
        human: The humans' score of each system.
        judge: The judge's.

    Raises:
        UsageError: Both do not score the same number of systems.
    """
    if len(human) != len(judge):
        raise UsageError(f"{len(human)} systems have human scores, and {len(judge)} the judge's")
    if why := _too_few(len(human)):
        return OrderAccuracy(None, 0, why)
    ordered = [(i, j) for i, j in combinations(range(len(human)), 2) if human[i] != human[j]]
    if not ordered:
        return OrderAccuracy(None, 0, "humans score all systems alike")
    right = sum((human[i] - human[j]) * (judge[i] - judge[j]) > 0 for i, j in ordered)
    return OrderAccuracy(right / len(ordered), len(ordered))


def soft_pairwise_accuracy(
    human: Sequence[Sequence[float]], judge: Sequence[Sequence[float]], *, seed: int = 0
) -> OrderAccuracy:
    """Soft pairwise accuracy: how alike both are in how sure they are of each pair's order.

    Mean over pairs of 1 - |p - q|, p and q being one-sided p-values that the first system is no
    better than the second, by the humans' scores and by the judge's (arXiv 2409.09598). They come
    from a paired permutation test over papers, with the same permutations for both; a
    permutation that gives exactly the difference found counts half, so that p and q of two systems
    that are scored alike are a half.

    Args:
        human: The humans' scores, one row a system, one score a paper.
        judge: The judge's, of the same systems and papers.
        seed: The same seed draws the same permutations.

    Raises:
        UsageError: Both are not scores of the same systems on the same papers.
    """
    tables = _table(human), _table(judge)
    if tables[0].shape != tables[1].shape:
        raise UsageError(f"scores of shape {tables[0].shape} and {tables[1].shape} do not match")
    systems, papers = tables[0].shape
    if why := _too_few(systems):
        return OrderAccuracy(None, 0, why)
    signs = _signs(papers, seed)
    gaps = [
        abs(_p_values(tables[0], first, signs) - _p_values(tables[1], first, signs))
        for first in range(systems - 1)
    ]
    count = systems * (systems - 1) // 2
    return OrderAccuracy(float(1 - np.concatenate(gaps).sum() / count), count)


def _signs(papers: int, seed: int) -> Array:
    drawn = np.random.default_rng(seed).integers(0, 2, (PERMUTATIONS, papers))
    return np.asarray(2 * drawn - 1, dtype=np.float64)


def _table(scores: Sequence[Sequence[float]]) -> Array:
    if len({len(row) for row in scores}) != 1 or not len(scores[0]):
        raise UsageError("scores come as one row a system, all with the same papers")
    table = np.array(scores, dtype=np.float64)
    if not np.isfinite(table).all():
        raise UsageError("every system needs a score on every paper")
    return table


def _p_values(table: Array, first: int, signs: Array) -> Array:
    """One-sided p-values of a system against each that follows it."""
    differences = table[first] - table[first + 1 :]
    drawn, found = signs @ differences.T, differences.sum(axis=1)
    slack = 1e-12 * (1 + abs(differences).sum(axis=1))
    return np.asarray(
        (drawn > found + slack).mean(axis=0) + (abs(drawn - found) <= slack).mean(axis=0) / 2
    )


def _too_few(systems: int) -> str | None:
    if systems >= FEWEST_SYSTEMS:
        return None
    return f"{systems} systems; an order says little below {FEWEST_SYSTEMS}"
