"""How much of the rubrics humans labelled: where it is not all, no root score is known."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.judgeeval.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class LabelCover:
    """How much of a case's rubric has labels.

    Attributes:
        leaves: Leaves of the rubric.
        labelled: Those of them with a label.
        worth: Share of the root's score that these carry; None where not all of them are at hand,
            as in a sample.
    """

    leaves: int
    labelled: int
    worth: float | None

    @property
    def complete(self) -> bool:
        """Every leaf has a label."""
        return self.labelled >= self.leaves


def label_cover(evaluation: Evaluation) -> dict[str, LabelCover]:
    """How much of each case has labels, by its name."""
    worths: dict[str, list[float]] = defaultdict(list)
    for leaf in evaluation.leaves:
        if leaf.label is not None:
            worths[leaf.case].append(leaf.worth)
    return {
        case.name: LabelCover(
            case.leaves,
            case.labelled,
            _share(worths[case.name]) if len(worths[case.name]) == case.labelled else None,
        )
        for case in evaluation.cases
    }


def all_cover(covers: Mapping[str, LabelCover]) -> LabelCover:
    """The same of all cases together; each counts once in the worth."""
    known = [one.worth for one in covers.values() if one.worth is not None]
    return LabelCover(
        leaves=sum(one.leaves for one in covers.values()),
        labelled=sum(one.labelled for one in covers.values()),
        worth=math.fsum(known) / len(known) if known and len(known) == len(covers) else None,
    )


def _share(worths: list[float]) -> float:
    return min(1.0, math.fsum(worths))
