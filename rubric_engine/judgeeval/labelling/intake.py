"""What of imported labels an annotator's record takes, and what it does not. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.errors import LabelsError, Problem
from rubric_engine.judgeeval.labelling.planning import LabelPlan
from rubric_engine.labels import Fit, Label, Labels, fitted
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file.models import several

_OWN = ("verdict", "reason", "score", "citations", "flag", "blind")
"""What an annotator says; time and seconds alone are no news."""


@dataclass(frozen=True)
class Intake:
    """What became of imported labels.

    Attributes:
        new: Labels to append, by key: of leaves without one, and corrections.
        corrected: How many of them are corrections.
        unchanged: Labels that say what was said already.
        unplanned: Keys of leaves that were not drawn; they are not taken.
        unassigned: Keys of leaves that were given to others only; they are taken.
        fit: How the labels fit the plan's rubric.
    """

    new: Mapping[str, Label]
    corrected: int
    unchanged: int
    unplanned: tuple[str, ...]
    unassigned: tuple[str, ...]
    fit: Fit


def taken_in(
    labels: Labels,
    *,
    plan: LabelPlan,
    rubric: Rubric,
    annotator: str,
    before: Labels,
    now: str,
    reasons: bool = True,
) -> Intake:
    """Check labels against a plan.

    Args:
        labels: What is imported.
        plan: The plan.
        rubric: Its rubric.
        annotator: Whose labels they are.
        before: What the annotator has said already.
        now: The time, for labels without one.
        reasons: Ask for reasons: a label that is not met or cannot be judged says why, one that is
            met says why or cites a place.

    Raises:
        LabelsError: A reason is missing, or no label fits the rubric.
    """
    if reasons:
        _require_reasons(labels)
    fit = fitted(labels, rubric)
    if fit.lost and not fit.labels.labels:
        raise LabelsError(
            f"none of {len(fit.lost)} labels is of a leaf of the plan's rubric",
            code="E502",
            looked=fit.words,
        )
    planned = {leaf.key: leaf for leaf in plan.leaves}
    new, corrected, unchanged, unassigned = {}, 0, 0, []
    for key, label in fit.labels.labels.items():
        if key not in planned:
            continue
        if annotator in plan.annotators and annotator not in planned[key].annotators:
            unassigned.append(key)
        old = before.labels.get(key)
        if old is not None and _same(old, label):
            unchanged += 1
            continue
        corrected += old is not None
        facts = {"annotator": annotator, "leaf": planned[key].leaf, "time": label.time or now}
        new[key] = label.model_copy(update=facts | {"inclusion": planned[key].inclusion})
    unplanned = tuple(key for key in fit.labels.labels if key not in planned)
    return Intake(new, corrected, unchanged, unplanned, tuple(unassigned), fit)


def _same(old: Label, new: Label) -> bool:
    return all(getattr(old, name) == getattr(new, name) for name in _OWN)


def _require_reasons(labels: Labels) -> None:
    problems = [
        Problem("E506", text, key=key)
        for key, label in labels.labels.items()
        if (text := _lacks(key, label))
    ]
    if problems:
        raise several(problems, LabelsError)


def _lacks(key: str, label: Label) -> str | None:
    if label.reason.strip():
        return None
    if label.verdict != "met":
        return f"label of {key!r}: {label.verdict} wants a reason"
    return None if label.citations else f"label of {key!r}: met wants a reason or a citation"
