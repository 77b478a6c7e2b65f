"""From several scores to one; who votes first, or in which order, never matters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from rubric_engine.criterion import Criterion
from rubric_engine.grading import Grade

PanelVote = Literal["majority", "mean", "weighted", "unanimous"]

_NOT_OR_MET = (0.0, 1.0)

_ROUNDING = 1e-9

Scores = Sequence[tuple[float, float]]
"""Scores and the weights of who gave them."""


def verdict(leaf: Criterion, score: float) -> float:
    """The step of a leaf that a score stands for: the nearest one, of two the higher.

    A leaf without a scale is met or not; so a half is met, as everywhere.
    """
    steps = [step.score for step in leaf.scale] or _NOT_OR_MET
    return min(steps, key=lambda step: (abs(step - score), -step))


def elected(leaf: Criterion, scores: Scores) -> float | None:
    """The verdict that has more than half of all weight; None where none has."""
    total = math.fsum(weight for _, weight in scores)
    by_verdict: dict[float, list[float]] = {}
    for score, weight in scores:
        by_verdict.setdefault(verdict(leaf, score), []).append(weight)
    for found, weights in by_verdict.items():
        half = 2 * math.fsum(weights)
        # Weights are logarithms: rounding must not make a verdict of a tie.
        if half > total and not math.isclose(half, total, rel_tol=_ROUNDING):
            return found
    return None


def mean(leaf: Criterion, scores: Scores) -> float | None:
    """The mean of the scores, each counting the same."""
    return math.fsum(score for score, _ in scores) / len(scores)


def agreed(leaf: Criterion, scores: Scores) -> float | None:
    """The verdict of all; None where they differ."""
    found = {verdict(leaf, score) for score, _ in scores}
    return found.pop() if len(found) == 1 else None


VOTES: Mapping[str, Callable[[Criterion, Scores], float | None]] = MappingProxyType(
    {"majority": elected, "mean": mean, "weighted": elected, "unanimous": agreed}
)
"""How a score comes of several, by the name that cards use; None: there is no result."""


def log_odds(balanced_accuracy: float) -> float:
    """Weight of a judge's vote: ln(p / (1 - p)), p its balanced accuracy.

    With these weights a majority is right most often, if judges err independently and about met
    and not met alike (Nitzan and Paroush, International Economic Review 23, 1982). Accuracies
    themselves would count a judge at chance more than half as much as one that is nearly sure.
    """
    return math.log(balanced_accuracy / (1 - balanced_accuracy))


def sd_of_mean(grades: Sequence[Grade]) -> float | None:
    """Standard deviation of the mean of scores, taking judges to err independently.

    Variances add up. A verdict counts as certain, as in `rubric_engine.scoring`; None where all
    are verdicts.
    """
    if all(grade.sd is None for grade in grades):
        return None
    return math.hypot(*(grade.sd or 0.0 for grade in grades)) / len(grades)


def pooled(grades: Sequence[Grade]) -> float | None:
    """Mean of the probabilities of grades; None where one gives none."""
    known = [grade.probability for grade in grades if grade.probability is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(grades) else None
