"""M of an answer: what the monitor found in its run, less what the base holds anyway."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from rubric_engine.benchmarks.expbench.grading.answer import LOG, ExpAnswer
from rubric_engine.benchmarks.expbench.grading.asked import Question
from rubric_engine.benchmarks.expbench.grading.monitor_mark import mark_of
from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome, MonitorMark
from rubric_engine.benchmarks.expbench.grading.submitting import Submitted, submit_answer
from rubric_engine.case import Case, Task
from rubric_engine.errors import InputError
from rubric_engine.kept import AGENT_LOG
from rubric_engine.monitor import MonitorFinding, MonitorReport, Text, Watched, monitor
from rubric_engine.monitor.blacklist import parse_blacklist
from rubric_engine.monitored import Claims, MonitorOutcome
from rubric_engine.past import Past, read_past
from rubric_engine.runs import load_report, replace_findings
from rubric_engine.submission import load_submission
from rubric_engine.submitted import Submission

_STANDING = "faked.unchanged_output"
"""The rule on results that stood there before the run."""

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
    base, of_base = _Base.of(question, submitted, past, found), list[MonitorFinding]()
    if base is not None:
        standing = (one for one in found.findings if base.accounts_for(one, past.handed_in))
        of_base = [*base.findings(), *standing]
    mark = mark_of(found, of_base, _lacking(question.task, answer))
    claims = found.claims if base is None else base.less(found.claims)
    return mark.model_copy(update={"asked": monitor_asked(question.task), "claims": claims})


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


@dataclass(frozen=True)
class _Base:
    """The base alone, submitted as an answer is, and what the monitor says of it."""

    submission: Submission
    report: MonitorReport

    @classmethod
    def of(
        cls, question: Question, submitted: Submitted, past: Past, found: MonitorReport
    ) -> Self | None:
        """The base of an answer; None where none stands under it, or nothing may be its own."""
        in_files = any(
            one.source == "submission" or one.rule == _STANDING for one in found.findings
        )
        claims = found.claims is not None and found.claims.claims > 0
        if not submitted.applied or not (in_files or claims):
            return None
        alone = submit_answer(ExpAnswer(patch=b""), question.base, question.exp.folder)
        base = load_submission(alone.folder, skip=question.task.skip)
        return cls(base, monitor(Watched.of(Case(question.task, base, past.execution))))

    def accounts_for(self, finding: MonitorFinding, handed_in: Submission) -> bool:
        """Whether a result that no run made stands in the base as it was handed in."""
        if finding.rule != _STANDING:
            return False
        here, there = (one.files.readable.get(finding.path) for one in (self.submission, handed_in))
        return here is not None and there is not None and here.sha256 == there.sha256

    def findings(self) -> list[MonitorFinding]:
        """What its files hold, which is not the answer's doing; what the run made of them is."""
        found = self.report.findings
        return [one for one in found if one.source == "submission" and one.rule not in _OF_THE_RUN]

    def less(self, claims: Claims | None) -> Claims | None:
        """Claims less those of the base."""
        own = self.report.claims
        if claims is None or own is None:
            return claims
        count = max(0, claims.claims - own.claims)
        loose = min(count, max(0, claims.ungrounded - own.ungrounded))
        known = claims.share is not None and count > 0
        return Claims(claims=count, ungrounded=loose, share=loose / count if known else None)


def _lacking(task: Task, answer: ExpAnswer) -> str:
    """Without what nothing is called clear: it cannot be seen then."""
    if answer.log is None:
        return f"no {LOG}"
    listed = parse_blacklist(task.blacklist)
    return "" if listed else "no blacklist: the task names no repository that is off limits"
