"""Labelled leaves without a grade, by what left them open: not every hole is a judge's failure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.judgeeval.evaluation import Evaluation

NOT_RUN, NO_CHECK = "not_run", "needs_model"

NOBODY_TRIED = frozenset({NOT_RUN, NO_CHECK})
"""Reasons that are no failure of a judge: nothing was there to grade, or nothing to grade with."""


@dataclass(frozen=True, slots=True)
class Hole:
    """Labelled leaves that stay open for one reason.

    Attributes:
        leaves: How many.
        worth: Their share of the labelled leaves' worth.
    """

    leaves: int
    worth: float


def holes_of(evaluation: Evaluation) -> Mapping[str, Hole]:
    """Labelled leaves without a grade by reason, most leaves first."""
    labelled = [leaf for leaf in evaluation.leaves if leaf.label is not None]
    worths: dict[str, list[float]] = defaultdict(list)
    for leaf in labelled:
        if leaf.score is None:
            worths[leaf.reason or leaf.status].append(leaf.worth)
    total = math.fsum(leaf.worth for leaf in labelled) or 1.0
    return {
        reason: Hole(len(own), min(1.0, math.fsum(own) / total))
        for reason, own in sorted(worths.items(), key=lambda entry: -len(entry[1]))
    }
