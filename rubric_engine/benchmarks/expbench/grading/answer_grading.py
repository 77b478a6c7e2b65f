"""Grading one answer: it becomes a submission, and the engine grades it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from rubric_engine.benchmarks.expbench.grading.answer import ExpAnswer
from rubric_engine.benchmarks.expbench.grading.asked import Grading, Question, card_for
from rubric_engine.benchmarks.expbench.grading.marking import mark_run
from rubric_engine.benchmarks.expbench.grading.parts import CATEGORY_OF
from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome, LeafOutcome, Mark
from rubric_engine.benchmarks.expbench.grading.submitting import Submitted, submit_answer
from rubric_engine.benchmarks.expbench.rubric_of import EXECUTION
from rubric_engine.benchmarks.judging import ending, judged
from rubric_engine.case import Task
from rubric_engine.engine import agrade
from rubric_engine.errors import EXIT_INCOMPLETE, InputError, SandboxError
from rubric_engine.grading import Grade
from rubric_engine.isolation import Execution
from rubric_engine.metrics.standing import standings
from rubric_engine.past import read_past
from rubric_engine.result import Report

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
    goes_on = (how.runs / str(start.run)).exists()
    try:
        submitted = await asyncio.to_thread(
            submit_answer, answer, question.base, question.exp.folder
        )
        runs = how.sandbox is not None and submitted.applied
        task = task_for(question.task, start, runs=runs)
        if task is not None:
            report = await _report(task, answer, submitted, start, how, runs=runs)
            found = await asyncio.to_thread(_outcome, submitted, start, report, how)
            mark = partial(mark_run, question, answer, submitted, how.runs / str(found.run))
            marked = await asyncio.to_thread(mark, anew=goes_on)
            return found if marked is None else found.model_copy(update={"monitor": marked})
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
    task: Task,
    answer: ExpAnswer,
    submitted: Submitted,
    start: AnswerOutcome,
    how: Grading,
    *,
    runs: bool,
) -> Report:
    async def begin(run: Path) -> Report:
        return await agrade(
            task,
            submitted.folder,
            judge=card_for(how.judge),
            model=how.own if how.own is not None else how.settings,
            sandbox=how.sandbox if runs else None,
            spec=how.spec_of(task),
            run_dir=run,
            agent_log=answer.log,
            spending=how.spending,
        )

    return await judged(str(start.run), how, begin)


def _outcome(
    submitted: Submitted, start: AnswerOutcome, report: Report, how: Grading
) -> AnswerOutcome:
    assert report.run is not None
    ran, leaves = read_past(report.run).execution, tuple(leaves_of(report))
    found = {
        "leaves": leaves,
        "standings": standings(report.rubric, report.scores),
        "execution": _unrun(submitted, how, leaves) if ran is None else _execution(leaves, ran),
    }
    return start.model_copy(update=found | ending(report))


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
    own = [leaf for leaf in leaves if leaf.category == EXECUTION and leaf.counts]
    unmet = [leaf for leaf in own if leaf.score is not None and leaf.score < 1]
    if unmet:
        return Mark(value=False, why=f"{ran.status}: {_found(unmet[0])}")
    open_ = [leaf for leaf in own if leaf.score is None]
    if open_ or not own:
        return Mark(why=f"{ran.status}: {_found(open_[0])}" if open_ else "nothing asks for a run")
    return Mark(value=True)


def _found(leaf: LeafOutcome) -> str:
    """What a check of the run found, or why it cannot tell."""
    told = leaf.explanation.splitlines() or [leaf.reason or leaf.requirements]
    head, mark, found = told[-1].partition(" -> ")
    return found if mark else head


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
            status=grade.status,
            score=grade.score,
            reason=grade.reason,
            explanation=grade.explanation[:_MOST_SAID],
        )
