"""Keeping what a resume builds on in a run's folder, as it becomes known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rubric_engine.case import Task
from rubric_engine.isolation import Execution, RunSpec, Sandbox
from rubric_engine.judge import Judge
from rubric_engine.kept.inputs import (
    AGENT_LOG,
    JUDGE,
    Caps,
    Inputs,
    keyed,
    write_again,
    write_inputs,
)
from rubric_engine.kept.judge import judge_files
from rubric_engine.kept.log_file import LOG, keep_log
from rubric_engine.kept.task import task_values
from rubric_engine.rundir import RunFolder, storing
from rubric_engine.submitted import Submission


class Keeper:
    """Keeps task, submission, judge and execution of a run, and the list of them.

    Args:
        run: The run's folder.
    """

    def __init__(self, run: RunFolder) -> None:
        self._run = run
        self._given: Submission | None = None
        self._handed_in: Submission | None = None
        self._how: dict[str, Any] = {}
        self._inputs: Inputs | None = None
        self._paid = False

    def begin(
        self, task: Task, submission: Submission, spec: RunSpec, box: Sandbox | None
    ) -> Submission:
        """Keep what is graded.

        Returns:
            The kept submission.
        """
        self._how = {
            "settings": spec,
            "sandbox": box.name if box else None,
            "place": dict(getattr(box, "place", {})),
            "environment": keyed(spec.secrets) if spec.secrets else None,
        }
        self._run.write_rubric(task.rubric)
        self._run.write("task.json", task_values(task))
        self._given, self._handed_in = submission, self._run.snapshot(submission, "handed_in")
        return self._handed_in

    def made_by(self, agent_log: str) -> None:
        """Keep the log of the agent that made the submission."""
        self._run.write_text(AGENT_LOG, agent_log)

    def judged_by(
        self, judge: Judge, caps: Caps, more: Mapping[str, str], *, given: bool, paid: bool
    ) -> None:
        """Keep who grades, and write the list.

        Args:
            judge: Who grades.
            caps: What may be spent.
            more: Further files to keep beside the judge's: text by name.
            given: Whether an execution was given in place of a sandbox.
            paid: Whether the judge pays for its calls.
        """
        for name, text in (judge_files(judge) | dict(more)).items():
            self._run.write_text(f"{JUDGE}/{name}", text)
        self._paid = paid
        self._inputs = Inputs(
            fingerprint=judge.card.fingerprint, **self._how, given=given, caps=caps
        )
        write_inputs(self._run, self._inputs, durable=paid)

    def go_on(self, inputs: Inputs) -> None:
        """Take up the list of a run that was stopped."""
        self._inputs = inputs
        write_again(self._run, inputs)

    def executed(self, execution: Execution) -> Execution:
        """Keep the run of `reproduce.sh`, where it left a submission.

        Returns:
            The execution with the kept submission.
        """
        if execution.submission is None:
            return execution
        with storing(self._run.path / LOG):
            keep_log(execution, self._run.path / LOG)
        self._run.write("execution.json", execution.model_dump(mode="json"))
        self._run.log(f"reproduce.sh: {execution.status}, exit code {execution.exit_code}")
        same = execution.submission is self._given  # a run made elsewhere, of the folder handed in
        left = self._handed_in if same and self._handed_in is not None else execution.submission
        kept = self._run.snapshot(left, "executed")
        if self._inputs is not None:
            write_inputs(self._run, self._inputs, durable=self._paid)
        return execution.model_copy(update={"submission": kept})
