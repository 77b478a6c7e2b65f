"""Runs whose scores are audited, and the draw over their leaves, kept or made anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rubric_engine.errors import RunError, UsageError
from rubric_engine.judgeeval.audit.frame import (
    Frame,
    frame_of,
    open_without_score,
    part_scores,
)
from rubric_engine.judgeeval.audit.sampling import AuditPlan, plan_benchmark
from rubric_engine.judgeeval.kept_plan import KeptPlan, PlannedRun
from rubric_engine.labels import mark_of, shortened
from rubric_engine.result import Report
from rubric_engine.runs import load_report
from rubric_engine.scoring import propagate
from rubric_engine.submission_names import called_in

Leaf = tuple[str, str]
"""A run's name and the key of a leaf, or of a group that is drawn as one."""

SAME = 1e-9
"""How far rounding may move a chance between two machines."""


@dataclass(frozen=True)
class AuditedRun:
    """A run whose score is audited.

    Attributes:
        name: Name of its folder, or of the one in whose place it stands.
        path: The folder.
        report: Its report.
    """

    name: str
    path: Path
    report: Report

    @classmethod
    def of(cls, path: Path, name: str | None = None) -> AuditedRun:
        """Read a run.

        Args:
            path: Its folder.
            name: What a plan calls it, where that may be another grading of its submission.

        Raises:
            RunError: It cannot be read, or its score does not come from grades.
        """
        report = load_report(path)
        if report.disqualified is not None:
            raise RunError(
                f"{path} is disqualified: its score is 0, whatever labels of leaves say",
                code="E523",
                looked=[f"why: {report.disqualified}"],
                fix=["audit another run; in a mean over submissions count this one as 0"],
            )
        run = cls(name or path.resolve().name, path, report)
        if not any(run.frame.worth.values()):
            raise RunError(f"{path} has no leaf with worth, so there is no score", code="E561")
        return run

    @cached_property
    def frame(self) -> Frame:
        """What can be drawn."""
        return frame_of(self.report.rubric)

    @cached_property
    def grades(self) -> dict[str, float | None]:
        """The judge's score of each part."""
        return part_scores(self.report.rubric, self.frame, self.report.grades)

    @cached_property
    def coverage(self) -> float:
        """Worth of what the judge graded; what it says does not apply is not graded."""
        rubric = self.report.rubric
        known = open_without_score(rubric, self.report.grades)
        return propagate(rubric, known)[rubric.root].coverage

    @property
    def set_aside(self) -> int:
        """How many leaves the judge says do not apply."""
        return self.report.statuses["not_applicable"]

    @property
    def mark(self) -> str | None:
        """The submission as its labels name it; None where it is not known."""
        return self.submission and mark_of(self.submission, called_in(self.report.provenance))

    @property
    def submission(self) -> str | None:
        """Hash of the submission, where it is known."""
        known = self.report.provenance.get("submission_sha256")
        return known if isinstance(known, str) else None


def draw(runs: Sequence[AuditedRun], labels: int, seed: int) -> AuditPlan[Leaf]:
    """Draw what a human should label, in proportion to worth over all runs.

    Raises:
        UsageError: Fewer than one label is asked for, or two runs have one name.
    """
    twice = [name for name, count in Counter(run.name for run in runs).items() if count > 1]
    if twice:
        raise UsageError(
            f"two runs are called {twice[0]!r}, and labels could not tell them apart",
            fix=["give each run once"],
        )
    return plan_benchmark({run.name: run.frame.worth for run in runs}, labels, seed=seed)


def as_kept(plan: AuditPlan[Leaf], runs: Sequence[AuditedRun]) -> KeptPlan:
    """The plan as it is kept in a file."""
    return KeptPlan(
        labels=plan.labels,
        seed=plan.seed,
        runs=tuple(
            PlannedRun(
                name=run.name,
                path=str(run.path.resolve()),
                rubric_sha256=run.report.rubric.sha256,
                submission_sha256=run.submission,
                chance={part: plan.chance[run.name, part] for part in run.frame.worth},
                drawn=tuple(part for name, part in plan.drawn if name == run.name),
            )
            for run in runs
        ),
    )


def plan_of(kept: KeptPlan, runs: Sequence[AuditedRun]) -> AuditPlan[Leaf]:
    """The draw that a file keeps, checked against the runs that are to be scored.

    A run may be another grading of the same submission: the draw knows nothing of grades.

    Args:
        kept: The plan.
        runs: The runs, in its order and by its names.

    Raises:
        RunError: A run has another rubric or another submission, or the draw is not the one that
            seed, number and worths give.
    """
    for planned, run in zip(kept.runs, runs, strict=True):
        _check_same(planned, run)
    right = draw(runs, kept.labels, kept.seed)
    _check_chances(kept, right)
    _check_drawn(kept, right)
    return right


def _check_chances(kept: KeptPlan, right: AuditPlan[Leaf]) -> None:
    chance = {(run.name, part): value for run in kept.runs for part, value in run.chance.items()}
    if chance.keys() != right.chance.keys() or not all(
        abs(chance[leaf] - value) <= SAME for leaf, value in right.chance.items()
    ):
        raise _changed("its chances do not follow from worth")


def _check_drawn(kept: KeptPlan, right: AuditPlan[Leaf]) -> None:
    """Hold what was drawn against what the seed draws: a chosen sample has no chances."""
    drawn = tuple((run.name, part) for run in kept.runs for part in run.drawn)
    if drawn == right.drawn:
        return
    extra = [part for name, part in drawn if (name, part) not in set(right.drawn)]
    missing = [part for name, part in right.drawn if (name, part) not in set(drawn)]
    raise _changed(
        f"seed {kept.seed} draws other leaves",
        looked=[
            f"{what}: {shortened(keys)}"
            for what, keys in (("in the plan only", extra), ("by the seed only", missing))
            if keys
        ],
    )


def _changed(why: str, looked: Sequence[str] = ()) -> RunError:
    return RunError(
        f"the plan does not fit its own runs: {why}",
        code="E562",
        looked=looked,
        fix=["the plan was changed or damaged; draw a new one, and label by that"],
    )


def _check_same(planned: PlannedRun, run: AuditedRun) -> None:
    for what, then, now in (
        ("rubric", planned.rubric_sha256, run.report.rubric.sha256),
        ("submission", planned.submission_sha256, run.submission),
    ):
        if then != now:
            raise RunError(
                f"the {what} of {run.path} is not the one that the plan was drawn for",
                code="E509",
                looked=[f"the plan: {then}", f"the run:  {now}"],
                fix=[f"rubric-engine audit plan {run.path} -o FILE   draws a plan for it"],
            )
