"""How often a judge errs on leaves that are met, and on those that are not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric_engine.judgeeval.pairs import TOLERANCE, Bools, Floats, Pairs
from rubric_engine.judgeeval.tables import tables


@dataclass(frozen=True, slots=True)
class Rates:
    """Error rates of a judge in one category.

    Attributes:
        sensitivity: How often it calls a met leaf met.
        specificity: How often it calls another leaf not met.
        met: Labels that the first rests on.
        not_met: Labels that the second rests on.
        ungraded: Labelled leaves that the judge did not grade; the rates leave them out.
        partial: Leaves with a label or a grade between 0 and 1, counted by the threshold.
    """

    sensitivity: float
    specificity: float
    met: int
    not_met: int
    ungraded: int = 0
    partial: int = 0

    @property
    def j(self) -> float:
        """Youden's J: 0 for a judge that tells nothing apart, 1 for one without errors."""
        return self.sensitivity + self.specificity - 1


def rates_of(pairs: Pairs) -> dict[str, Rates]:
    """Error rates by category, where both classes have graded labels.

    They are of the graded leaves; `ungraded` and `partial` say what they do not speak of.
    """
    cells = tables(pairs, pairs.category_codes, len(pairs.categories), "left_out")
    open_ = _by_category(pairs, pairs.labelled & ~pairs.graded)
    partly = _by_category(pairs, pairs.labelled & (between(pairs.label) | between(pairs.grade)))
    return {
        name: Rates(
            tp / (tp + fn), tn / (tn + fp), int(tp + fn), int(tn + fp), open_[code], partly[code]
        )
        for code, (name, (tp, fp, fn, tn)) in enumerate(zip(pairs.categories, cells, strict=True))
        if tp + fn and tn + fp
    }


def _by_category(pairs: Pairs, which: Bools) -> list[int]:
    counts = np.bincount(pairs.category_codes[which], minlength=len(pairs.categories))
    return [int(count) for count in counts]


def between(scores: Floats) -> Bools:
    """Which scores are partial credit, between 0 and 1; a leaf without a score has none."""
    return (scores > TOLERANCE) & (scores < 1 - TOLERANCE)
