"""How far each annotator is. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.judgeeval.labelling.planning import LabelPlan
from rubric_engine.labels import Labels


@dataclass(frozen=True)
class Standing:
    """How far one annotator is.

    Attributes:
        annotator: The name.
        assigned: Leaves to label.
        done: Of these, labelled.
        extra: Labels on leaves that were given to others only.
        cannot_judge: Labels that say so.
        seen: Labels that were made with a judge's verdict in sight, which do not count as truth.
        flags: Leaves at which the rubric is said to be doubtful.
        median_seconds: What a label took, where that is known.
        seconds_left: What is left would take so long at this pace; None where no pace is known.
    """

    annotator: str
    assigned: int
    done: int
    extra: int
    cannot_judge: int
    seen: int
    flags: tuple[str, ...]
    median_seconds: float | None
    seconds_left: float | None


def standings(plan: LabelPlan, labels: Mapping[str, Labels]) -> tuple[Standing, ...]:
    """How far everybody is, in the plan's order."""
    return tuple(_standing(plan, name, labels[name]) for name in plan.annotators)


def labelled_by_several(labels: Mapping[str, Labels]) -> int:
    """How many leaves at least two annotators have labelled."""
    seen: set[str] = set()
    twice: set[str] = set()
    for each in labels.values():
        twice |= seen & each.labels.keys()
        seen |= each.labels.keys()
    return len(twice)


def _standing(plan: LabelPlan, name: str, labels: Labels) -> Standing:
    assigned = {leaf.key for leaf in plan.share(name)}
    rows = labels.labels
    done = len(assigned & rows.keys())
    took = [row.seconds for row in rows.values() if row.seconds is not None]
    pace = statistics.median(took) if took else None
    left = len(assigned) - done
    return Standing(
        annotator=name,
        assigned=len(assigned),
        done=done,
        extra=len(rows) - done,
        cannot_judge=sum(row.verdict == "cannot_judge" for row in rows.values()),
        seen=len(labels.seen),
        flags=tuple(key for key, row in rows.items() if row.flag),
        median_seconds=pace,
        seconds_left=0.0 if not left else None if pace is None else left * pace,
    )
