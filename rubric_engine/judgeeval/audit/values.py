"""What an audit knows of each drawn leaf, as columns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rubric_engine.errors import LabelsError, UsageError
from rubric_engine.judgeeval.audit.sampling import CERTAIN, AuditPlan, Key
from rubric_engine.judgeeval.measures import Array
from rubric_engine.judgeeval.pairs import Bools, Codes, is_number


@dataclass(frozen=True, eq=False)
class Audited:
    """A drawn sample with its labels, beside the grades of all leaves.

    Attributes:
        worth: Share of the score of every leaf.
        grade: The judge's score of every leaf, NaN where it has none.
        chance: Inclusion probability of every leaf.
        drawn: Places of the drawn leaves.
        label: The human's score of each drawn leaf.
    """

    worth: Array
    grade: Array
    chance: Array
    drawn: Codes
    label: Array

    @property
    def certain(self) -> Bools:
        """Which leaves were taken for sure."""
        return self.chance >= CERTAIN


def audited(
    plan: AuditPlan[Key],
    grades: Mapping[Key, float | None],
    labels: Mapping[Key, float | None],
) -> Audited:
    """Put the labels of a plan's leaves beside the grades.

    Args:
        plan: The plan that the labels answer.
        grades: The judge's scores by leaf; None or left out where it has none.
        labels: The human's scores by leaf; leaves that were not drawn are no part of the sample
            and are left alone.

    Raises:
        LabelsError: A drawn leaf has no label: leaving it out would break the draw.
        UsageError: A score is not between 0 and 1.
    """
    missing = [key for key in plan.drawn if not is_number(labels.get(key))]
    if missing:
        raise LabelsError(
            f"{len(missing)} of {len(plan.drawn)} drawn leaves have no verdict, the first "
            f"{missing[0]!r}",
            code="E503",
            looked=["a verdict, met or not met, for each leaf of the plan"],
            fix=["label the missing leaves, then score the audit again"],
        )
    keys = list(plan.worth)
    place = {key: index for index, key in enumerate(keys)}
    known = [labels[key] for key in plan.drawn]
    return Audited(
        worth=np.array(list(plan.worth.values()), dtype=np.float64),
        grade=_scores([grades.get(key) for key in keys]),
        chance=np.array([plan.chance[key] for key in keys], dtype=np.float64),
        drawn=np.array([place[key] for key in plan.drawn], dtype=np.intp),
        label=_scores(known),
    )


def _scores(values: list[float | None]) -> Array:
    scores = np.array([math.nan if v is None else v for v in values], dtype=np.float64)
    if ((scores < 0) | (scores > 1)).any():
        raise UsageError("scores lie between 0 and 1")
    return scores
