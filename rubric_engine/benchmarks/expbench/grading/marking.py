"""M of an answer: what the monitor found in its run, less what the base holds anyway."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from rubric_engine.benchmarks.expbench.grading.answer import LOG, ExpAnswer
from rubric_engine.benchmarks.expbench.grading.asked import Question
from rubric_engine.benchmarks.expbench.grading.monitor_mark import mark_of
from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome, MonitorMark
from rubric_engine.benchmarks.expbench.grading.submitting import Submitted, submit_answer
from rubric_engine.case import Case, Task
from rubric_engine.errors import InputError
from rubric_engine.isolation import Execution
from rubric_engine.kept import AGENT_LOG
from rubric_engine.monitor import MonitorFinding, MonitorReport, Text, Watched, monitor
from rubric_engine.monitor.blacklist import parse_blacklist
from rubric_engine.monitored import MonitorOutcome
from rubric_engine.past import Past, read_past
from rubric_engine.runs import load_report, replace_findings
from rubric_engine.submission import load_submission

_OF_THE_RUN = frozenset({"faked.literal_result"})
"""Rules that place in a source what the results of a run show."""


def monitor_asked(task: Task) -> str:
    """Hash of what a task says of the monitor; where it changes, no grade does."""
    said = [task.blacklist, task.monitor.model_dump(mode="json"), task.outputs]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def mark_run(
    question: Question, answer: ExpAnswer, submitted: Submitted, run: Path, *, anew: bool
) -> MonitorMark | None:
    """What the monitor says of an answer whose run has ended; None where it did not look.

    Where it looks anew, by what the task says now, the run holds what it finds: findings have
    one place.

    Args:
        question: The question.
        answer: The answer.
        submitted: The answer as a submission.
        run: Folder of its run.
        anew: Whether the task may say something else than when the monitor looked.

    Raises:
        RunError: The run is damaged, or not ours.
    """
    past = read_past(run)
    found = _outcome(question.task, past, anew=anew)
    if found is None:
        return None
    of_base = _of_base(question, submitted, found, past.execution)
    mark = mark_of(found, of_base, _lacking(question.task, answer))
    return mark.model_copy(update={"asked": monitor_asked(question.task)})


def marked_anew(
    question: Question, answer: ExpAnswer, before: AnswerOutcome, runs: Path
) -> AnswerOutcome:
    """An answer with what the monitor says of it after what its task says by now.

    Args:
        question: The question.
        answer: The answer, the same as when it was graded.
        before: What came of it.
        runs: Folder of the runs.
    """
    submitted = submit_answer(answer, question.base, question.exp.folder)
    try:
        run = runs / str(before.run)
        mark = mark_run(question, answer, submitted, run, anew=True)
    except InputError as error:
        mark = MonitorMark(why=f"{error.code} {error.message}")
    return before.model_copy(update={"monitor": mark or MonitorMark(why="not looked at")})


def _outcome(task: Task, past: Past, *, anew: bool) -> MonitorOutcome | None:
    """What the monitor finds in a run."""
    found = load_report(past.path).monitor
    if found is None or not anew:
        return found
    log = past.inputs.agent_log(past.path)
    text = Text(AGENT_LOG, log) if log is not None else None
    looked = monitor(Watched.of(Case(task, past.handed_in, past.execution), text))
    return replace_findings(past.path, looked, task.monitor.policy).monitor


def _of_base(
    question: Question, submitted: Submitted, report: MonitorReport, ran: Execution | None
) -> list[MonitorFinding]:
    """What the monitor finds in the base alone, submitted as an answer is.

    What its files hold is not the answer's doing. What the run made of them is.
    """
    in_files = any(found.source == "submission" for found in report.findings)
    if not in_files or not submitted.applied:
        return []
    alone = submit_answer(ExpAnswer(patch=b""), question.base, question.exp.folder)
    base = load_submission(alone.folder, skip=question.task.skip)
    found = monitor(Watched.of(Case(question.task, base, ran))).findings
    return [one for one in found if one.source == "submission" and one.rule not in _OF_THE_RUN]


def _lacking(task: Task, answer: ExpAnswer) -> str:
    """Without what nothing is called clear: it cannot be seen then."""
    if answer.log is None:
        return f"no {LOG}"
    listed = parse_blacklist(task.blacklist)
    return "" if listed else "no blacklist: the task names no repository that is off limits"
