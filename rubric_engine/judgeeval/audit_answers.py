"""The labels that answer an audit's plan, and the score that they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rubric_engine.errors import LabelsError
from rubric_engine.grading import Grade
from rubric_engine.judgeeval.audit.frame import part_scores
from rubric_engine.judgeeval.audit.sampling import AuditPlan
from rubric_engine.judgeeval.audit.verdict_beta import AuditedScore, score_audit
from rubric_engine.judgeeval.auditing import AuditedRun, Leaf
from rubric_engine.labels import LabelRow, LabelRows, leaf_hashes


def leaves_of(plan: AuditPlan[Leaf], runs: Sequence[AuditedRun]) -> dict[str, tuple[str, ...]]:
    """The leaves to label, by name of the run, in document order.

    Args:
        plan: The draw; a group that was drawn as one gives all its leaves.
        runs: The runs.
    """
    drawn = set(plan.drawn)
    return {
        run.name: tuple(
            leaf
            for part, leaves in run.frame.leaves.items()
            if (run.name, part) in drawn
            for leaf in leaves
        )
        for run in runs
    }


@dataclass(frozen=True, slots=True)
class Answers:
    """The labels of a plan's leaves.

    Attributes:
        grades: Labels as grades, by the plan's name of the run and by key.
        ignored: Labels of leaves that were not drawn.
        elsewhere: Labels of other runs, which count for none here.
        overridden: Lines that a later one of the same leaf overrides.
        seen: Of the labels taken, how many were made with a judge's verdict in sight.
        warnings: What was odd about the file, one line each.
    """

    grades: Mapping[str, Mapping[str, Grade]]
    ignored: int
    elsewhere: int
    overridden: int
    seen: int
    warnings: tuple[str, ...]


def answers(
    found: LabelRows, plan: AuditPlan[Leaf], runs: Sequence[AuditedRun], *, seen: bool = False
) -> Answers:
    """Take from a file of labels what answers a plan.

    Args:
        found: Rows of the file. Where the plan is of one run, rows that name no run are of it.
        plan: The draw.
        runs: The runs, by the plan's names.
        seen: Take labels that were made with a judge's verdict in sight as well.

    Raises:
        LabelsError: A drawn leaf has no verdict of met or not met, one of another text or of
            another submission, or one that was made with a judge's verdict in sight.
    """
    only = runs[0].name if len(runs) == 1 else None
    names = {run.name for run in runs}
    rows = [row for row in found.rows if (row.run or only or "") in {*names, ""}]
    last, overridden = _standing(rows, only)
    asked = [(name, key) for name, keys in leaves_of(plan, runs).items() for key in keys]
    mine = {leaf: last[leaf] for leaf in asked if leaf in last}
    _check_texts(mine, runs)
    _check_submissions(mine, runs)
    unblind = [row for row in mine.values() if row.label is not None and not row.label.blind]
    if unblind and not seen:
        raise _not_blind(unblind, len(mine))
    _check_all(asked, mine, one_run=only is not None)
    grades: dict[str, dict[str, Grade]] = {run.name: {} for run in runs}
    for (name, key), row in mine.items():
        if row.label is not None:
            grades[name][key] = row.label.grade
    return Answers(
        grades=grades,
        ignored=len(last) - len(mine),
        elsewhere=_filled(found.rows) - _filled(rows),
        overridden=overridden,
        seen=len(unblind),
        warnings=found.warnings,
    )


def _standing(rows: Sequence[LabelRow], only: str | None) -> tuple[dict[Leaf, LabelRow], int]:
    """The label of each leaf that stands, and how many earlier ones were overridden."""
    last: dict[Leaf, LabelRow] = {}
    for row in rows:
        leaf = row.run or only or "", row.key
        last.pop(leaf, None)
        if row.label is not None:
            last[leaf] = row
    return last, _filled(rows) - len(last)


def _filled(rows: Sequence[LabelRow]) -> int:
    return sum(row.label is not None for row in rows)


def _not_blind(rows: Sequence[LabelRow], count: int) -> LabelsError:
    keys = ", ".join(repr(row.key) for row in rows[:5]) + (", ..." if rows[5:] else "")
    return LabelsError(
        f"{len(rows)} of {count} labels were made with a judge's verdict in sight, and lean to it",
        code="E563",
        place=rows[0].place,
        looked=[f"not blind: {keys}"],
        fix=[
            "have these leaves labelled by somebody who has seen no grade",
            "add --seen   to take them as they are; the score then says so",
        ],
    )


def _check_texts(mine: Mapping[Leaf, LabelRow], runs: Sequence[AuditedRun]) -> None:
    hashes = {run.name: leaf_hashes(run.report.rubric) for run in runs}
    for (name, key), row in mine.items():
        if row.label and row.label.leaf not in (None, hashes[name][key]):
            raise LabelsError(
                f"the label of {key!r} was given to another text than the rubric has",
                code="E507",
                place=row.place,
                key=key,
                fix=["label the leaf as the rubric has it, on the line that `audit plan` wrote"],
            )


def _check_submissions(mine: Mapping[Leaf, LabelRow], runs: Sequence[AuditedRun]) -> None:
    marks = {run.name: (run.submission, run.mark) for run in runs}
    for (name, key), row in mine.items():
        sha256, mark = marks[name]
        if row.label and not row.label.is_of(sha256):
            raise LabelsError(
                f"the label of {key!r} was given to another submission than the run's",
                code="E564",
                place=row.place,
                key=key,
                looked=[f"the label: {row.label.submission}", f"the run:   {mark}"],
                fix=["label the run's own submission, on the lines that `audit plan` wrote"],
            )


def _check_all(asked: Sequence[Leaf], mine: Mapping[Leaf, LabelRow], *, one_run: bool) -> None:
    lacking: dict[str, list[str]] = {}
    for name, key in asked:
        if why := _lack(mine.get((name, key))):
            lacking.setdefault(why if one_run else f"{name}, {why}", []).append(key)
    if not lacking:
        return
    raise LabelsError(
        f"{sum(map(len, lacking.values()))} of {len(asked)} drawn leaves have no verdict",
        code="E503",
        looked=[f"{why}: {', '.join(map(repr, keys))}" for why, keys in lacking.items()],
        fix=[
            "give each the verdict met or not_met, then score the audit again",
            "where nobody can tell, give what the evidence leans to: leaving a drawn leaf out "
            "would break the draw",
        ],
    )


def _lack(row: LabelRow | None) -> str | None:
    if row is None or row.label is None:
        return "no label"
    return "cannot_judge" if row.label.verdict == "cannot_judge" else None


def audited_score(
    plan: AuditPlan[Leaf], found: Answers, runs: Sequence[AuditedRun]
) -> AuditedScore:
    """The audited score of one run, or the audited mean score of many.

    Args:
        plan: The draw.
        found: Its labels.
        runs: The runs, by the plan's names.
    """
    grades: dict[Leaf, float | None] = {}
    labels: dict[Leaf, float | None] = {}
    for run in runs:
        said = part_scores(run.report.rubric, run.frame, found.grades[run.name])
        grades |= {(run.name, part): score for part, score in run.grades.items()}
        labels |= {(run.name, part): said[part] for part in said}
    return score_audit(plan, grades, {leaf: labels[leaf] for leaf in plan.drawn})
