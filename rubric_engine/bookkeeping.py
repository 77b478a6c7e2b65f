"""The books of one run: every grade as it comes, the facts that tell runs apart, the report."""

from __future__ import annotations

import platform
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Self

from rubric_engine.case import Case, Submission, Task
from rubric_engine.grading import Grade
from rubric_engine.isolation import Execution
from rubric_engine.judge import JudgeCard
from rubric_engine.notices import notices
from rubric_engine.result import Report
from rubric_engine.rundir import RunFolder

OnGrade = Callable[[str, Grade], None]


class Book:
    """Keeps the grades of a run, and writes them at once where the run has a folder.

    Args:
        task: What is graded against.
        submission: What is graded.
        card: The judge's card.
        run: The run's folder, or None to write nothing.
        on_grade: Called with each key and grade.
    """

    def __init__(
        self,
        task: Task,
        submission: Submission,
        card: JudgeCard,
        run: RunFolder | None = None,
        on_grade: OnGrade | None = None,
    ) -> None:
        self.grades: dict[str, Grade] = {}
        self._task = task
        self._run = run
        self._on_grade = on_grade
        self._facts = _facts(task, submission, card)
        self._started = datetime.now(UTC).isoformat(timespec="seconds")
        if run is not None:
            self._status("running")
            run.write_rubric(task.rubric)
            run.snapshot(submission, "handed_in")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and self._run is not None:
            self._status("stopped")

    def executed(self, execution: Execution | None) -> None:
        """Enter the run of `reproduce.sh`."""
        if execution is None:
            return
        self._facts["execution"] = execution.model_dump(
            mode="json", include={"sandbox", "isolates", "status", "exit_code"}
        )
        if self._run is not None:
            self._run.write("execution.json", execution.model_dump(mode="json"))
            if execution.submission is not None:
                self._run.snapshot(execution.submission, "executed")
            self._run.log(f"reproduce.sh: {execution.status}, exit code {execution.exit_code}")

    def enter(self, key: str, grade: Grade) -> None:
        """Enter a grade; the first one of a leaf stands."""
        if key in self.grades:
            return
        self.grades[key] = grade
        if self._run is not None:
            self._run.append(key, grade)
        if self._on_grade is not None:
            self._on_grade(key, grade)

    def close(self, case: Case) -> Report:
        """Make the report of the grades entered, and write it where the run has a folder."""
        graded_at = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-UTC")
        report = Report(
            rubric=self._task.rubric,
            grades={key: self.grades[key] for key in self._task.rubric.leaves()},
            notices=tuple(notices(case, self.grades)),
            cost={"calls": 0},
            provenance=self._facts | {"graded_at": graded_at},
            run=str(self._run.path) if self._run else None,
        )
        if self._run is not None:
            self._run.write("report.json", report.to_dict())
            self._status("done", score=report.score.model_dump(exclude={"sd"}))
        return report

    def _status(self, status: str, **more: Any) -> None:
        assert self._run is not None
        head = {"run": 1, "status": status, "started": self._started}
        self._run.write("run.json", head | self._facts | more)
        self._run.log(status)


def _facts(task: Task, submission: Submission, card: JudgeCard) -> dict[str, Any]:
    return {
        "task": task.name,
        "mode": task.mode,
        "rubric_sha256": task.rubric.sha256,
        "paper_sha256": task.paper_sha256,
        "submission": submission.name,
        "submission_sha256": submission.files.sha256,
        "judge": {"name": card.name, "kind": card.kind, "fingerprint": card.fingerprint},
        "versions": {
            "rubric-engine": version("rubric-engine"),
            "python": platform.python_version(),
        },
    }
