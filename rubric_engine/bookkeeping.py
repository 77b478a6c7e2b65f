"""The books of one run: every grade as it comes, what was noted on the way, the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Self

from rubric_engine.canary import CanaryOutcome
from rubric_engine.case import Case, Task
from rubric_engine.errors import RubricEngineError, StorageError
from rubric_engine.evidence import Receipt
from rubric_engine.grading import Grade, Reason
from rubric_engine.injection import Scan
from rubric_engine.isolation import Execution, RunSpec, Sandbox
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.kept import Caps, Inputs, Keeper, ReceiptBook
from rubric_engine.monitored import MonitorDecision, MonitorOutcome, MonitorReport
from rubric_engine.provenance import execution_facts, judging_facts, submission_facts
from rubric_engine.result import Report, Stop, score_dict
from rubric_engine.run_warnings import RunWarning, of_execution, of_receipts
from rubric_engine.rundir import RunFolder, read_decisions
from rubric_engine.submitted import Submission

OnGrade = Callable[[str, Grade], None]


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
        self._keeper = Keeper(run) if run is not None else None
        self._on_grade = on_grade
        self._noted: list[RunWarning] = []
        self._receipts = ReceiptBook(run.path if run is not None else None)
        self._stopped: Stop | None = None
        self._scan = Scan()
        self._canaries: CanaryOutcome | None = None
        self._watched: MonitorReport | None = None
        self._unread: list[Reason] = []
        self._decisions: tuple[MonitorDecision, ...] = ()
        self._facts: dict[str, Any] = judging_facts(task, card)

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
        self._facts |= submission_facts(submission, spec, box)
        self._state("running")
        if self._keeper is None:
            return submission
        return self._keeper.begin(self._task, submission, spec, box)

    def keep(
        self,
        judge: Judge,
        execution: Execution | None,
        caps: Caps,
        more: Mapping[str, str],
        *,
        paid: bool,
        agent_log: str | None = None,
    ) -> None:
        """Keep the rest of what a resume builds on, where the run has a folder.

        Args:
            judge: Who grades.
            execution: The one that was given in place of a sandbox, if one was.
            caps: What may be spent.
            more: Further files to keep beside the judge's: text by name.
            paid: Whether the judge pays for its calls.
            agent_log: Log of the agent that made the submission.
        """
        if self._keeper is not None:
            if agent_log is not None:
                self._keeper.made_by(agent_log)
            self._keeper.judged_by(judge, caps, more, given=execution is not None, paid=paid)

    def go_on(self, inputs: Inputs, facts: Mapping[str, Any], grades: Mapping[str, Grade]) -> None:
        """Take up a run where it stopped.

        Args:
            inputs: What it kept.
            facts: Its run.json.
            grades: The grades that stand; they are not written again.
        """
        own = {"run", "status", "started", "seal", "score", "failed", "monitor"}
        self._facts |= {name: value for name, value in facts.items() if name not in own}
        self.grades = dict(grades)
        self._state("running")
        if self._run is not None:
            self._decisions = read_decisions(self._run.path)
        if self._keeper is not None:
            self._keeper.go_on(inputs)

    def executed(self, execution: Execution) -> Execution:
        """Enter the run of `reproduce.sh`.

        Returns:
            The execution to go on with: with the kept submission where the run has a folder.
        """
        self._noted += of_execution(execution)
        self._facts["execution"] = execution_facts(execution)
        return execution if self._keeper is None else self._keeper.executed(execution)

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

    def watched(self, found: MonitorReport, reasons: Sequence[Reason] = ()) -> None:
        """Enter what the monitor found, and why a model did not read all that it was to read."""
        self._watched, self._unread = found, list(reasons)
        if self._run is not None:
            self._run.write("monitor.json", found.model_dump(mode="json"))

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
        if self._watched is not None:
            policy = self._task.monitor.policy
            report = report.watched(MonitorOutcome.of(self._watched, self._decisions, policy))
        if self._run is not None:
            self._run.write("report.json", report.to_dict())
            self._state(
                "stopped" if self._stopped else "done",
                score=score_dict(report.score),
                failed=sum(grade.failed for grade in report.grades.values()) if cost else 0,
                canaries=self._canaries.reasons if self._canaries is not None else [],
                monitor=self._unread,
            )
        return report

    def _state(self, status: str, **more: Any) -> None:
        if self._run is not None:
            self._run.state(status, self._facts | more)
