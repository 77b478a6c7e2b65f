"""What of imported labels an annotator's record takes, and what it does not. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rubric_engine.errors import LabelsError, Place, Problem
from rubric_engine.judgeeval.labelling.planning import LabelPlan, PlannedLeaf
from rubric_engine.labels import Fit, Label, LabelRows, Labels, fitted
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
    rows: LabelRows,
    *,
    plan: LabelPlan,
    rubric: Rubric,
    annotator: str,
    others: Collection[str],
    before: Labels,
    now: str,
    reasons: bool = True,
    hashes: Mapping[str, str] | None = None,
) -> Intake:
    """Check labels against a plan.

    Args:
        rows: What is imported.
        plan: The plan.
        rubric: Its rubric.
        annotator: Whose labels they are.
        others: Who else has a part in the labelling.
        before: What the annotator has said already.
        now: The time, for labels without one.
        reasons: Ask for reasons: a label that is not met or cannot be judged says why, one that is
            met says why or cites a place.
        hashes: Hashes of the rubric's leaves, where they are at hand.

    Raises:
        LabelsError: A reason is missing, no label fits the rubric, or the labels say that they are
            of another submission, or another's who has a part in the labelling.
    """
    labels = rows.labels
    places = {row.key: row.place for row in rows.rows if row.label is not None}
    _require_submission(labels, plan, places)
    _require_own(labels, annotator, others)
    if reasons:
        require_reasons(labels, places)
    fit = fitted(labels, rubric, hashes)
    _require_some(fit)
    planned = {leaf.key: leaf for leaf in plan.leaves}
    found = {key: label for key, label in fit.labels.labels.items() if key in planned}
    news = {
        key: _placed(label, planned[key], annotator, now, plan.mark)
        for key, label in found.items()
        if not _same(before.labels.get(key), label)
    }
    given_to_others = (
        ()
        if annotator not in plan.annotators
        else (key for key in found if annotator not in planned[key].annotators)
    )
    return Intake(
        new=news,
        corrected=len(news.keys() & before.labels.keys()),
        unchanged=len(found) - len(news),
        unplanned=tuple(key for key in fit.labels.labels if key not in planned),
        unassigned=tuple(given_to_others),
        fit=fit,
    )


def _require_own(labels: Labels, annotator: str, others: Collection[str]) -> None:
    owners = {label.annotator or labels.annotator for label in labels.labels.values()}
    strange = sorted((owners & set(others)) - {annotator})
    if strange:
        raise LabelsError(
            f"the labels name {strange[0]!r} as their annotator, not {annotator!r}; one person's "
            "labels under two names would agree with themselves",
            code="E556",
            fix=[
                f"--as {strange[0]}   takes them as what they are",
                f"write {annotator} as the `annotator` of each line that {annotator} filled in",
            ],
        )


def _require_submission(labels: Labels, plan: LabelPlan, places: Mapping[str, Place]) -> None:
    strange = [
        key for key, label in labels.labels.items() if not label.is_of(plan.submission_sha256)
    ]
    if strange:
        first = strange[0]
        raise LabelsError(
            f"{len(strange)} of {len(labels.labels)} labels are of another submission",
            code="E558",
            place=places[first],
            key=first,
            looked=[f"the label: {labels.labels[first].submission}", f"the plan:  {plan.mark}"],
            fix=[
                "rubric-engine label import FILE FOLDER --as NAME   with the folder that is theirs"
            ],
        )


def _placed(label: Label, planned: PlannedLeaf, annotator: str, now: str, mark: str) -> Label:
    facts = {"annotator": annotator, "leaf": planned.leaf, "inclusion": planned.inclusion}
    return label.model_copy(update=facts | {"submission": mark, "time": label.time or now})


def _require_some(fit: Fit) -> None:
    if fit.lost and not fit.labels.labels:
        raise LabelsError(
            f"none of {len(fit.lost)} labels is of a leaf of the plan's rubric",
            code="E502",
            looked=fit.words,
            fix=[
                "rubric-engine label assign SUBMISSION --rubric RUBRIC   plans on their own rubric"
            ],
        )


def _same(old: Label | None, new: Label) -> bool:
    return old is not None and all(getattr(old, name) == getattr(new, name) for name in _OWN)


_WHY = 'write why as "reason"; for met, places will do: "citations": ["src/a.py:3-9"]'


def require_reasons(labels: Labels, places: Mapping[str, Place]) -> None:
    """Ask for what makes a label worth keeping: why, or for one that is met, where.

    Args:
        labels: The labels.
        places: Where each stands.

    Raises:
        LabelsError: Labels lack it; all at once.
    """
    problems = [
        Problem("E551", text, places[key], key=key, hint=_WHY)
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
