"""Grading one answer: it becomes a submission, and the engine grades it."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from rubric_engine.benchmarks.expbench.grading.answer import ExpAnswer
from rubric_engine.benchmarks.expbench.grading.conjunctions import PARTS, Part
from rubric_engine.benchmarks.expbench.grading.results import (
    CATEGORY_OF,
    AnswerOutcome,
    LeafOutcome,
    Mark,
    MonitorMark,
)
from rubric_engine.benchmarks.expbench.grading.submitting import Submitted, submit_answer
from rubric_engine.benchmarks.expbench.grading.watching import watch_answer
from rubric_engine.benchmarks.expbench.rubric_of import EXECUTION
from rubric_engine.benchmarks.expbench.task import ExpTask
from rubric_engine.case import Task
from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.engine import agrade
from rubric_engine.errors import InputError, SandboxError
from rubric_engine.grading import Grade
from rubric_engine.isolation import Execution, RunSpec, Sandbox
from rubric_engine.judge import JudgeCard
from rubric_engine.kept.inputs import LIST
from rubric_engine.lookup import is_file
from rubric_engine.model import ChatModel
from rubric_engine.past import Past, read_past
from rubric_engine.result import Report
from rubric_engine.resuming import aresume
from rubric_engine.rundir import holds_run

EXIT_INCOMPLETE = 5
_MOST_TRIES = 1000
_MOST_SAID = 2000
_RULES = "rules"


@dataclass(frozen=True)
class Question:
    """A question, the task that it became, and its masked repository where there is one."""

    exp: ExpTask
    task: Task
    base: Path | None = None


@dataclass(frozen=True)
class Grading:
    """How answers are graded.

    Attributes:
        judge: Name or path of a judge's card.
        model: Settings of its model in place of its card's, or a model of one's own.
        sandbox: Where answers are run; None runs none.
        spec: Changes how an answer is run from what its task says.
        runs: Folder of the runs and the ledger.
        spending: What may be spent.
    """

    judge: str = "simple"
    model: Mapping[str, Any] | ChatModel = field(default_factory=dict)
    sandbox: Sandbox | None = None
    spec: Callable[[RunSpec], RunSpec] | None = None
    runs: Path = Path("runs")
    spending: Spending = NO_LIMIT

    def spec_of(self, task: Task) -> RunSpec:
        """How an answer to a task is run."""
        return task.spec if self.spec is None else self.spec(task.spec)


def card_for(judge: str) -> JudgeCard | str:
    """The judge of an answer: checks by rules, all else by the judge that was named."""
    if judge == _RULES:
        return judge
    card = {"name": "exp-bench", "kind": "cascade", "judges": [_RULES, judge]}
    return JudgeCard.model_validate(card)


def missing_of(answer: ExpAnswer, task: Task) -> dict[Part, str]:
    """The parts that a judge cannot grade, and why."""
    known = {task.rubric[key].task_category for key in task.rubric.leaves()}
    found = {
        part: f"the question asks for no {PARTS[part]}"
        for part, category in CATEGORY_OF.items()
        if category not in known
    }
    return found | {p: why for p, why in answer.missing.items() if p in CATEGORY_OF}


def start_of(question: Question, answer: ExpAnswer, how: Grading) -> AnswerOutcome:
    """What is known of an answer before it is graded."""
    missing = missing_of(answer, question.task)
    exp = question.exp
    why = answer.missing.get("M" if not answer.is_empty else "D", "")
    return AnswerOutcome(
        task=exp.id,
        paper=f"{exp.conference}/{exp.paper_id}",
        kind=exp.kind,
        answer=_state(answer),
        missing=missing,
        execution=Mark(why=answer.missing.get("I", "not run")),
        monitor=MonitorMark(why=why or "not looked at"),
        digest=_digest(question, answer, how),
        finished=answer.is_empty,
    )


def _state(answer: ExpAnswer) -> Literal["whole", "part", "none"]:
    if answer.is_empty:
        return "none"
    return "part" if any(part in answer.missing for part in CATEGORY_OF) else "whole"


def _digest(question: Question, answer: ExpAnswer, how: Grading) -> str:
    task = question.task
    base = _base(question.base) if question.base is not None else None
    run = [how.sandbox.name, how.spec_of(task).model_dump(mode="json")] if how.sandbox else None
    facts = [answer.digest, task.rubric.sha256, task.paper_sha256, base, run]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _base(folder: Path) -> str:
    """What tells a base: the commit that `mask` made of its files, and else its place."""
    try:
        return (folder / ".git/refs/heads/main").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return str(folder.resolve())


async def grade_answer(
    question: Question, answer: ExpAnswer, start: AnswerOutcome, how: Grading
) -> AnswerOutcome:
    """Grade an answer, or go on where that was stopped.

    Args:
        question: The question.
        answer: The answer; it is not empty.
        start: What is known of it; its `run` is the name that the run has or gets.
        how: How.

    Returns:
        What came of it. Where it cannot be graded, it says why.

    Raises:
        RubricEngineError: What would fail for every other answer as well.
    """
    try:
        submitted = await asyncio.to_thread(
            submit_answer, answer, question.base, question.exp.folder
        )
        runs = how.sandbox is not None and submitted.applied
        task = task_for(question.task, start, runs=runs)
        if task is not None:
            report = await _report(task, submitted, start, how, runs=runs)
            return await asyncio.to_thread(
                _outcome, question, answer, submitted, start, report, how
            )
    except (InputError, SandboxError) as error:
        code = error.exit_code if isinstance(error, SandboxError) else EXIT_INCOMPLETE
        trouble = f"{error.code} {error.message}"
        said = {"trouble": trouble, "exit_code": code, "execution": Mark(why=trouble)}
        return start.model_copy(update=said | {"finished": isinstance(error, InputError)})
    return start.model_copy(update={"finished": True, "execution": _unrun(submitted, how)})


def task_for(task: Task, start: AnswerOutcome, *, runs: bool) -> Task | None:
    """The part of a task that can be graded; None where nothing can.

    Args:
        task: The task.
        start: What is known of the answer.
        runs: Whether it is run.
    """
    out = {CATEGORY_OF[part] for part in start.missing} | (set() if runs else {EXECUTION})
    rubric = task.rubric
    keys = tuple(key for key in rubric.leaves() if rubric[key].task_category not in out)
    return replace(task, only=keys) if keys else None


async def _report(
    task: Task, submitted: Submitted, start: AnswerOutcome, how: Grading, *, runs: bool
) -> Report:
    own = how.model if isinstance(how.model, ChatModel) else None
    run, past = await asyncio.to_thread(_run, how.runs / str(start.run))
    if past is not None:
        again = how.spending.retry_failed
        return await aresume(past, spending=how.spending, retry_failed=again, model=own)
    return await agrade(
        task,
        submitted.folder,
        judge=card_for(how.judge),
        model=own if own is not None else how.model,
        sandbox=how.sandbox if runs else None,
        spec=how.spec_of(task),
        run_dir=run,
        spending=how.spending,
    )


def _run(first: Path) -> tuple[Path, Past | None]:
    """The folder of the run: one that can be gone on with, or one that is free.

    Where the answer has still to be run a new one begins: only this process knows the sandbox,
    and what models said is on record.
    """
    for number in range(1, _MOST_TRIES):
        place = first if number == 1 else first.with_name(f"{first.name}-{number}")
        if not holds_run(place):
            return place, None
        if is_file(place / LIST) and (past := read_past(place)).sandbox is None:
            return place, past
    return first, None


def _outcome(
    question: Question,
    answer: ExpAnswer,
    submitted: Submitted,
    start: AnswerOutcome,
    report: Report,
    how: Grading,
) -> AnswerOutcome:
    assert report.run is not None
    past = read_past(report.run)
    leaves = tuple(leaves_of(report))
    ran = past.execution
    stop = report.stopped
    failed = EXIT_INCOMPLETE if report.failed else 0
    return start.model_copy(
        update={
            "leaves": leaves,
            "execution": _unrun(submitted, how, leaves) if ran is None else _execution(leaves, ran),
            "monitor": watch_answer(
                question.exp, past.task, past.handed_in, ran, answer.log, submitted.touched
            ),
            "run": Path(report.run).name,
            "finished": stop is None,
            "trouble": f"{stop.code} {stop.message}" if stop else None,
            "exit_code": stop.exit_code if stop else failed,
        }
    )


def _unrun(submitted: Submitted, how: Grading, leaves: tuple[LeafOutcome, ...] = ()) -> Mark:
    """E where nothing was run: failed where the patch is to blame, else undefined."""
    if submitted.failed is not None:
        return Mark(value=False, why=submitted.failed)
    if submitted.lacking is not None:
        return Mark(why=submitted.lacking)
    if how.sandbox is None:
        return Mark(why="no sandbox")
    broke = next((leaf.explanation for leaf in leaves if leaf.category == EXECUTION), "")
    return Mark(why=broke or "not run")


def _execution(leaves: tuple[LeafOutcome, ...], ran: Execution) -> Mark:
    """E from its leaves: the ending, and that an output appeared."""
    own = [leaf for leaf in leaves if leaf.category == EXECUTION]
    unmet = [leaf for leaf in own if leaf.score is not None and leaf.score < 1]
    if unmet:
        found = (unmet[0].explanation.splitlines() or [unmet[0].requirements])[-1]
        return Mark(value=False, why=f"{ran.status}: {found.removeprefix('[no] ')}")
    open_ = [leaf for leaf in own if leaf.score is None]
    if open_ or not own:
        return Mark(why=f"{ran.status}: {open_[0].reason}" if open_ else "nothing asks for a run")
    return Mark(value=True)


def leaves_of(report: Report) -> Iterator[LeafOutcome]:
    """What was judged of an answer, leaf by leaf."""
    rubric = report.rubric
    nothing = Grade.ungradeable("not_run")
    for key in rubric.leaves():
        leaf, grade = rubric[key], report.grades.get(key, nothing)
        yield LeafOutcome(
            key=key,
            category=leaf.task_category or "",
            requirements=leaf.requirements[:_MOST_SAID],
            worth=rubric.worth(key),
            score=grade.score,
            reason=grade.reason,
            explanation=grade.explanation[:_MOST_SAID],
        )
