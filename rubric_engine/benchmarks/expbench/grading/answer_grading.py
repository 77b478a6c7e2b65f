"""Grading one answer: it becomes a submission, and the engine grades it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rubric_engine.benchmarks.expbench.grading.answer import ExpAnswer
from rubric_engine.benchmarks.expbench.grading.asked import Grading, Question, card_for
from rubric_engine.benchmarks.expbench.grading.results import (
    CATEGORY_OF,
    AnswerOutcome,
    LeafOutcome,
    Mark,
)
from rubric_engine.benchmarks.expbench.grading.submitting import Submitted, submit_answer
from rubric_engine.benchmarks.expbench.grading.watching import watch_answer
from rubric_engine.benchmarks.expbench.rubric_of import EXECUTION
from rubric_engine.case import Task
from rubric_engine.engine import agrade
from rubric_engine.errors import InputError, SandboxError
from rubric_engine.grading import Grade
from rubric_engine.isolation import Execution
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
