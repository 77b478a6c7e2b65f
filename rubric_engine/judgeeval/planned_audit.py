"""An audit from files to values: a plan drawn and kept, and a kept plan scored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.audit.planning import expected_half_width
from rubric_engine.judgeeval.audit.sampling import AuditPlan
from rubric_engine.judgeeval.audit.verdict_beta import AuditedScore
from rubric_engine.judgeeval.audit_answers import Answers, answers, audited_score, leaves_of
from rubric_engine.judgeeval.audit_sheet import sheet_rows
from rubric_engine.judgeeval.auditing import AuditedRun, Leaf, as_kept, draw, plan_of
from rubric_engine.judgeeval.kept_plan import (
    KeptPlan,
    keep_plan,
    keep_sheet,
    load_plan,
    sheet_beside,
)
from rubric_engine.labels import load_label_rows
from rubric_engine.lookup import is_file
from rubric_engine.runs import find_run


@dataclass(frozen=True)
class PlannedAudit:
    """A draw that is kept.

    Attributes:
        runs: The runs, by the plan's names.
        plan: The draw.
        file: Where it is kept.
    """

    runs: tuple[AuditedRun, ...]
    plan: AuditPlan[Leaf]
    file: Path

    @property
    def sheet(self) -> Path:
        """The lines to fill in."""
        return sheet_beside(self.file)

    @cached_property
    def leaves(self) -> Mapping[str, tuple[str, ...]]:
        """The leaves to label, by name of the run."""
        return leaves_of(self.plan, self.runs)

    @property
    def drawn(self) -> int:
        """How many leaves are to be labelled."""
        return sum(map(len, self.leaves.values()))

    @property
    def of(self) -> int:
        """How many leaves there are to draw from; those without worth are out."""
        return sum(
            len(leaves)
            for run in self.runs
            for part, leaves in run.frame.leaves.items()
            if run.frame.worth[part] > 0
        )

    @property
    def half_width(self) -> float:
        """Half the width to expect of the interval, in shares of the score."""
        grades = {
            (run.name, part): score for run in self.runs for part, score in run.grades.items()
        }
        return expected_half_width(self.plan.worth, grades, self.plan.labels)


@dataclass(frozen=True)
class ScoredAudit(PlannedAudit):
    """A draw with what its labels give.

    Attributes:
        labels: The file of labels.
        answers: What was taken from it.
        score: The audited score.
    """

    labels: Path
    answers: Answers
    score: AuditedScore

    @property
    def coverage(self) -> float:
        """Worth of what the judge graded, the mean over runs."""
        return math.fsum(run.coverage for run in self.runs) / len(self.runs)


def planned(runs: Sequence[AuditedRun], labels: int, seed: int, file: Path) -> PlannedAudit:
    """Draw leaves and keep the draw, with the lines to fill in beside it.

    Args:
        runs: What to draw from.
        labels: How many.
        seed: The same seed draws the same leaves.
        file: Where to keep the plan.

    Raises:
        UsageError: Another plan is kept there, or two runs have one name.
        StorageError: It cannot be written.
    """
    kept = keep_plan(as_kept(draw(runs, labels, seed), runs), file)
    made = PlannedAudit(tuple(runs), plan_of(kept, runs), file)
    keep_sheet(
        made.sheet,
        (
            row
            for run in runs
            for row in sheet_rows(
                run.report.rubric,
                made.leaves[run.name],
                run.name if runs[1:] else None,
                run.mark,
            )
        ),
    )
    return made


def scored_run(path: Path, file: Path, labels: Path | None, *, seen: bool = False) -> ScoredAudit:
    """Score a run, or another grading of the submission that the plan was drawn for.

    Args:
        path: The run.
        file: The plan.
        labels: The labels; None: those beside the plan.
        seen: Take labels that were made with a judge's verdict in sight as well.

    Raises:
        InputError: The plan, the run or the labels cannot be used.
        UsageError: The plan is of several runs.
    """
    kept = load_plan(file)
    if len(kept.runs) > 1:
        raise UsageError(
            f"{file} is a plan over {len(kept.runs)} runs, and gives their mean",
            fix=[f"rubric-engine audit benchmark score {file.parent}"],
        )
    run = AuditedRun.of(path, kept.runs[0].name)
    return _scored(kept, [run], file, labels, seen=seen)


def scored_benchmark(
    file: Path, labels: Path | None, bases: list[Path], *, seen: bool = False
) -> ScoredAudit:
    """Score the mean of the runs of a plan.

    Args:
        file: The plan.
        labels: The labels; None: those beside the plan.
        bases: Where runs are looked for that are no longer where they were.
        seen: Take labels that were made with a judge's verdict in sight as well.

    Raises:
        InputError: The plan, a run or the labels cannot be used.
    """
    kept = load_plan(file)
    runs = [AuditedRun.of(_place(run.path, run.name, bases), run.name) for run in kept.runs]
    return _scored(kept, runs, file, labels, seen=seen)


def _place(path: str, name: str, bases: list[Path]) -> Path:
    return Path(path) if is_file(Path(path) / "run.json") else find_run(name, bases)


def _scored(
    kept: KeptPlan, runs: Sequence[AuditedRun], file: Path, labels: Path | None, *, seen: bool
) -> ScoredAudit:
    plan = plan_of(kept, runs)
    sheet = labels or sheet_beside(file)
    found = answers(load_label_rows(sheet), plan, runs, seen=seen)
    score = audited_score(plan, found, runs)
    return ScoredAudit(tuple(runs), plan, file, sheet, found, score)
