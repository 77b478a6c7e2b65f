"""Whether raters agree with each other, or a judge with itself when asked again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.measures import Array

Ratings = Sequence[Sequence[float | None]]
"""One row a leaf, one verdict (0 or 1) a sample or rater; None where there is none."""


@dataclass(frozen=True, slots=True)
class Consistency:
    """How alike repeated verdicts on the same leaves are.

    Attributes:
        leaves: Leaves with at least two verdicts.
        agreement: Share of pairs of verdicts on a leaf that agree: test-retest agreement. Above
            about 0.93, voting over samples gains nothing.
        fleiss_kappa: The same above chance; None where all verdicts are alike or rows differ
            in length.
        alpha: Krippendorff's nominal alpha; None where all verdicts are alike.
        why: Reason by name of each figure that is None.
    """

    leaves: int
    agreement: float | None
    fleiss_kappa: float | None
    alpha: float | None
    why: dict[str, str]


def consistency(ratings: Ratings) -> Consistency:
    """Measure how alike verdicts on the same leaves are.

    Args:
        ratings: Verdicts by leaf.

    Raises:
        UsageError: A verdict is neither 0 nor 1.
    """
    counts = _counts(ratings)
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts):
        reason = "no leaf has two verdicts"
        names = ("agreement", "fleiss_kappa", "alpha")
        return Consistency(0, None, None, None, dict.fromkeys(names, reason))
    kappa, alpha = fleiss_kappa(counts), krippendorff_alpha(counts)
    alike = bool((counts.sum(axis=0) == 0).any())
    why = {}
    if kappa is None:
        reason = "all verdicts are the same" if alike else "leaves differ in number of verdicts"
        why["fleiss_kappa"] = reason
    if alpha is None:
        why["alpha"] = "all verdicts are the same"
    return Consistency(len(counts), _agreement(counts), kappa, alpha, why)


def fleiss_kappa(counts: Array) -> float | None:
    """Fleiss' kappa (Psychological Bulletin 76, 1971).

    Args:
        counts: One row a leaf: how many verdicts say 0, and how many say 1.

    Returns:
        None where all verdicts are the same, or leaves differ in number of verdicts.
    """
    each = counts.sum(axis=1)
    shares = counts.sum(axis=0) / counts.sum()
    chance = float((shares**2).sum())
    if chance == 1 or (each != each[0]).any():
        return None
    return (_agreement(counts) - chance) / (1 - chance)


def krippendorff_alpha(counts: Array) -> float | None:
    """Krippendorff's alpha for nominal values, by the coincidence matrix; gaps are allowed.

    Args:
        counts: One row a leaf: how many verdicts say 0, and how many say 1.

    Returns:
        None where all verdicts on leaves with at least two are the same.
    """
    counts = counts[counts.sum(axis=1) >= 2]
    each, values = counts.sum(axis=1), counts.sum(axis=0)
    expected = float(values[0] * values[1])
    if not expected:
        return None
    observed = math.fsum(counts[:, 0] * counts[:, 1] / (each - 1))
    return 1 - (float(values.sum()) - 1) * observed / expected


def within_classes(ratings: Ratings, labels: Sequence[float | None]) -> dict[str, float | None]:
    """Fleiss' kappa among leaves that a human calls met, and among the others.

    Inside one class there is nothing to agree on but the judge's own habit, so this estimates how
    far errors on a leaf repeat: the intra-leaf correlation that `majority_error` wants.
    """
    found: dict[str, float | None] = {}
    for name, wanted in (("met", 1.0), ("not_met", 0.0)):
        chosen = [row for row, label in zip(ratings, labels, strict=True) if label == wanted]
        counts = _counts(chosen)
        found[name] = fleiss_kappa(counts) if len(counts) else None
    return found


def score_spread(scores: Sequence[float]) -> float | None:
    """Standard deviation of root scores over repeats of the same judgement; None below two."""
    return float(np.std(scores, ddof=1)) if len(scores) > 1 else None


def _agreement(counts: Array) -> float:
    each = counts.sum(axis=1)
    alike = (counts * (counts - 1)).sum(axis=1) / (each * (each - 1))
    return float(alike.mean())


def _counts(ratings: Ratings) -> Array:
    rows = []
    for row in ratings:
        known = [value for value in row if value is not None and not math.isnan(value)]
        strange = [value for value in known if value not in (0, 1)]
        if strange:
            raise UsageError(f"a verdict is 0 or 1, got {strange[0]!r}")
        rows.append((known.count(0), known.count(1)))
    return np.array(rows, dtype=np.float64).reshape(-1, 2)
