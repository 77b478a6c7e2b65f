"""A run as it was kept: what stands in it, and what is still missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.case import Task
from rubric_engine.connection import Spending
from rubric_engine.grading import MISSING_WORK, NOBODY_TRIED, Grade, Reason
from rubric_engine.isolation import Execution, Sandbox
from rubric_engine.kept import Inputs, load_kept_task, read_inputs
from rubric_engine.rubric_file import load_rubric
from rubric_engine.runs import grades_so_far, read_json
from rubric_engine.sandbox import load_sandbox
from rubric_engine.submitted import Submission

if TYPE_CHECKING:
    from rubric_engine.sandbox.docker import OnProgress


def spending_of(inputs: Inputs) -> Spending:
    """The limits that a run was started with, or last resumed with."""
    return Spending(**inputs.caps.model_dump())


@dataclass(frozen=True)
class Past:
    """A run as it was kept, every file of it checked.

    Attributes:
        path: The run's folder.
        inputs: What a resume builds on.
        task: What it grades against.
        facts: Its run.json.
        grades: The grades that it has.
    """

    path: Path
    inputs: Inputs
    task: Task
    facts: dict[str, Any]
    grades: Mapping[str, Grade]

    @cached_property
    def handed_in(self) -> Submission:
        """The submission that was kept."""
        return self.inputs.handed_in(self.path)

    @cached_property
    def execution(self) -> Execution | None:
        """The run of `reproduce.sh` that was kept; None where there is none that counts."""
        return self.inputs.execution(self.path)

    @property
    def sandbox(self) -> str | None:
        """Name of the sandbox in which `reproduce.sh` has still to run, or None."""
        return None if self.execution is not None else self.inputs.sandbox

    def box(self, tell: OnProgress | None = None) -> Sandbox | None:
        """The sandbox in which `reproduce.sh` has still to run, or None; `tell` as in `resume`."""
        if self.sandbox is None:
            return None
        place = self.inputs.place
        return load_sandbox(
            self.sandbox, engine=place.get("engine"), recipe=place.get("recipe"), tell=tell
        )

    def standing(self, *, retry_failed: bool) -> dict[str, Grade]:
        """The grades that a resume does not ask about again."""
        return {
            key: grade for key, grade in self.grades.items() if self._stands(grade, retry_failed)
        }

    def _stands(self, grade: Grade, retry_failed: bool) -> bool:
        if grade.reason is not None:
            return not _is_missing(grade.reason, retry_failed)
        if self._ended and not retry_failed:
            return True  # what stands without a judge's word stays so until somebody wants more
        return not any(_is_missing(word.reason, retry_failed) for word in grade.unheard())

    @property
    def _ended(self) -> bool:
        return self.facts.get("status") == "done"

    def is_finished(self, *, retry_failed: bool) -> bool:
        """Whether nothing is left to ask."""
        if not self._ended or not (self.path / "report.json").is_file():
            return False
        beside = (*(self.facts.get("canaries") or ()), *(self.facts.get("monitor") or ()))
        if any(_is_missing(reason, retry_failed) for reason in beside):
            return False
        grades = self.standing(retry_failed=retry_failed)
        return all(key in grades for key in self.task.view.leaves())

    def now(self) -> Past:
        """The same as it is now: another process may have gone on with it since."""
        return self if self.inputs.is_current(self.path) else read_past(self.path)


def read_past(run: str | Path) -> Past:
    """Read what a run kept, and make sure that all of it is as it was.

    Raises:
        RunError: The run is not yours, kept too little, or was changed.
    """
    path = Path(run)
    inputs = read_inputs(path)
    task = load_kept_task(path / "task.json", load_rubric(path / "rubric.json"))
    return Past(path, inputs, task, read_json(path / "run.json"), grades_so_far(path))


def _is_missing(reason: Reason | None, retry_failed: bool) -> bool:
    """Whether a word that is no grade for this reason is asked for again."""
    return reason not in NOBODY_TRIED and (retry_failed or reason in MISSING_WORK)
