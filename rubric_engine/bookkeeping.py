"""The books of one run: every grade as it comes, the facts that tell runs apart, the report."""

from __future__ import annotations

import platform
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Self

from rubric_engine.canary import CanaryOutcome
from rubric_engine.case import Case, Task
from rubric_engine.errors import RubricEngineError, StorageError
from rubric_engine.evidence import Receipt
from rubric_engine.grading import Grade
from rubric_engine.injection import Scan
from rubric_engine.isolation import Execution, RunSpec, Sandbox
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.kept import (
    Caps,
    Inputs,
    ReceiptBook,
    judge_files,
    keyed,
    task_values,
    write_again,
    write_inputs,
)
from rubric_engine.kept.inputs import JUDGE
from rubric_engine.kept.log_file import LOG, keep_log
from rubric_engine.result import Report, Stop, score_dict
from rubric_engine.run_warnings import RunWarning, of_execution, of_receipts
from rubric_engine.rundir import RunFolder, storing
from rubric_engine.submission_names import CALLED
from rubric_engine.submitted import Submission

OnGrade = Callable[[str, Grade], None]

_DECIDERS = ("duckdb", "google-re2")
"""Packages besides ours whose version may decide a verdict."""


class Book:
    """Keeps the grades of a run, and writes them at once where the run has a folder.

    Args:
        task: What is graded against.
        card: The judge's card.
        run: The run's folder, or None to write nothing.
        on_grade: Called with each key and grade.
    """

    def __init__(
        self, task: Task, card: JudgeCard, run: RunFolder | None, on_grade: OnGrade | None
    ) -> None:
        self.grades: dict[str, Grade] = {}
        self._task = task
        self._run = run
        self._on_grade = on_grade
        self._noted: list[RunWarning] = []
        self._receipts = ReceiptBook(run.path if run is not None else None)
        self._stopped: Stop | None = None
        self._scan = Scan()
        self._canaries: CanaryOutcome | None = None
        self._inputs: Inputs | None = None
        self._paid = False
        self._snapshot: tuple[Submission | None, Submission | None] = (None, None)
        self._kept: dict[str, Any] = {}
        self._facts: dict[str, Any] = _facts(task, card)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._state("stopped")

    def open(self, submission: Submission, spec: RunSpec, box: Sandbox | None) -> Submission:
        """Enter what is graded and how.

        Returns:
            The submission to go on with: the kept one where the run has a folder.
        """
        self._facts |= {
            "submission": submission.name,
            **_called(submission),
            "submission_sha256": submission.files.sha256,
            "settings": spec.model_dump(mode="json") | {"sandbox": box.name if box else None},
        }
        self._kept = {
            "settings": spec,
            "sandbox": box.name if box else None,
            "place": dict(getattr(box, "place", {})),
            "environment": keyed(spec.secrets) if spec.secrets else None,
        }
        self._state("running")
        if self._run is None:
            return submission
        self._run.write_rubric(self._task.rubric)
        self._run.write("task.json", task_values(self._task))
        kept = self._run.snapshot(submission, "handed_in")
        self._snapshot = (submission, kept)
        return kept

    def keep(
        self,
        judge: Judge,
        execution: Execution | None,
        caps: Caps,
        more: Mapping[str, str],
        *,
        paid: bool,
    ) -> None:
        """Keep the rest of what a resume builds on, where the run has a folder.

        Args:
            judge: Who grades.
            execution: The one that was given in place of a sandbox, if one was.
            caps: What may be spent.
            more: Further files to keep beside the judge's: text by name.
            paid: Whether the judge pays for its calls.
        """
        if self._run is None:
            return
        for name, text in (judge_files(judge) | dict(more)).items():
            self._run.write_text(f"{JUDGE}/{name}", text)
        self._paid = paid
        self._inputs = Inputs(
            fingerprint=judge.card.fingerprint,
            **self._kept,
            given=execution is not None,
            caps=caps,
        )
        write_inputs(self._run, self._inputs, durable=paid)

    def go_on(self, inputs: Inputs, facts: Mapping[str, Any], grades: Mapping[str, Grade]) -> None:
        """Take up a run where it stopped.

        Args:
            inputs: What it kept.
            facts: Its run.json.
            grades: The grades that stand; they are not written again.
        """
        own = {"run", "status", "started", "seal", "score", "failed"}
        self._facts |= {name: value for name, value in facts.items() if name not in own}
        self.grades = dict(grades)
        self._inputs = inputs
        self._state("running")
        if self._run is not None:
            write_again(self._run, inputs)

    def executed(self, execution: Execution) -> Execution:
        """Enter the run of `reproduce.sh`.

        Returns:
            The execution to go on with: with the kept submission where the run has a folder.
        """
        self._noted += of_execution(execution)
        facts = {"sandbox", "isolates", "status", "exit_code", "signal", "duration_s", "fault"}
        facts |= {"image", "network", "gpus"}
        self._facts["execution"] = execution.model_dump(mode="json", include=facts)
        if execution.submission is None:
            return execution
        self._facts["execution"]["submission_sha256"] = execution.submission.files.sha256
        if self._run is None:
            return execution
        with storing(self._run.path / LOG):
            keep_log(execution, self._run.path / LOG)
        self._run.write("execution.json", execution.model_dump(mode="json"))
        self._run.log(f"reproduce.sh: {execution.status}, exit code {execution.exit_code}")
        given, handed_in = self._snapshot
        same = execution.submission is given  # a run made elsewhere, of the folder handed in
        left = handed_in if same and handed_in is not None else execution.submission
        kept = self._run.snapshot(left, "executed")
        if self._inputs is not None:
            write_inputs(self._run, self._inputs, durable=self._paid)
        return execution.model_copy(update={"submission": kept})

    def executed_before(self, execution: Execution) -> None:
        """Enter a run of `reproduce.sh` that the folder already holds."""
        self._noted += of_execution(execution)

    def enter(self, key: str, grade: Grade, receipts: Iterable[Receipt] = ()) -> None:
        """Enter a grade, with the receipts that it names; the first of a leaf stands."""
        if key in self.grades:
            return
        for receipt in receipts:
            self._receipts.add(receipt)
        self.grades[key] = grade
        if self._run is not None:
            self._run.append(key, grade)
        if self._on_grade is not None:
            self._on_grade(key, grade)

    def scanned(self, found: Scan) -> None:
        """Enter what in the submission speaks to a judge."""
        self._scan = found

    def tried(self, outcome: CanaryOutcome) -> None:
        """Enter what the judge said of its canaries."""
        self._canaries = outcome

    @property
    def is_stopped(self) -> bool:
        """Whether something ended the judging early."""
        return self._stopped is not None

    def note(self, code: str, message: str, details: str = "") -> None:
        """Enter a warning; its details go to the log only."""
        self._noted.append(RunWarning(code, message))
        if self._run is not None:
            self._run.log(f"{code} {message}\n{details}".rstrip())

    def note_all(self, code: str, messages: Iterable[str]) -> None:
        """Enter warnings of one kind."""
        for message in messages:
            self.note(code, message)

    def stop(self, error: RubricEngineError) -> None:
        """Enter what ended the judging early."""
        self._stopped = Stop(error.code, error.exit_code, error.message, error.fix)
        self.note("W209", f"not judged to the end: {error.message}")

    def fail(self, error: RubricEngineError) -> None:
        """Enter what makes a failure of the run though its judging ended; the first stop stands."""
        if self._stopped is not None and self._stopped.code == error.code:
            return
        self._stopped = self._stopped or Stop(error.code, error.exit_code, error.message)
        self._noted.append(RunWarning("W216", error.message))

    def lost(self) -> StorageError | None:
        """Tell that the run's folder was removed while it was written."""
        return self._run.lost() if self._run is not None else None

    def close(self, case: Case, cost: Mapping[str, float]) -> Report:
        """Make the report of the grades entered, and write it where the run has a folder.

        Args:
            case: What was graded.
            cost: What the judges spent; empty where they asked no model.
        """
        graded_at = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-UTC")
        report = Report(
            rubric=case.task.view,
            grades={key: self.grades[key] for key in case.task.view.leaves()},
            noted=(*self._noted, *of_receipts(self.grades, self._receipts.unranked)),
            cost=dict(cost) or {"calls": 0},
            provenance=self._facts | {"graded_at": graded_at},
            run=str(self._run.path) if self._run else None,
            stopped=self._stopped,
            injections=self._scan,
            canaries=self._canaries,
        )
        if self._run is not None:
            self._run.write("report.json", report.to_dict())
            self._state(
                "stopped" if self._stopped else "done",
                score=score_dict(report.score),
                failed=sum(grade.failed for grade in report.grades.values()) if cost else 0,
                canaries=self._canaries.reasons if self._canaries is not None else [],
            )
        return report

    def _state(self, status: str, **more: Any) -> None:
        if self._run is not None:
            self._run.state(status, self._facts | more)


def _called(submission: Submission) -> dict[str, str]:
    """What people call it, where that is not its name."""
    known = str(getattr(submission, "called", ""))
    return {CALLED: known} if known and known != submission.name else {}


def mode_of(mode: str, category: str | None, only: Collection[str] | None = None) -> str:
    """Name of the way of grading, with the view if it is one."""
    parts = [mode, *([f"{category} only"] if category is not None else [])]
    return ", ".join(parts if only is None else [*parts, f"{len(only)} chosen leaves only"])


def _facts(task: Task, card: JudgeCard) -> dict[str, Any]:
    versions = {name: version(name) for name in ("rubric-engine", *_DECIDERS)}
    return {
        "task": task.name,
        **({"case": task.case} if task.case is not None else {}),
        "mode": mode_of(task.mode, task.category, task.only),
        "category": task.category,
        "rubric_sha256": task.rubric.sha256,
        "paper_sha256": task.paper_sha256,
        "judge": {
            "name": card.name,
            "kind": card.kind,
            "fingerprint": card.fingerprint,
            "card": card.model_dump(mode="json"),
        },
        "versions": versions | {"python": platform.python_version()},
    }
