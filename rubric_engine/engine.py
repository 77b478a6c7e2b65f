"""Grading in five steps: reproduce, evidence, judge, propagate, report.

from rubric_engine import grade, load_rubric, load_submission

report = grade(load_rubric("rubric.yaml"), load_submission("submission/"))
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from rubric_engine.bookkeeping import Book, OnGrade
from rubric_engine.case import Case, Submission, Task
from rubric_engine.errors import UsageError
from rubric_engine.grading import Grade
from rubric_engine.isolation import Execution, Limits, RunSpec, Sandbox
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.judges import load_judge
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.sandbox import load_sandbox
from rubric_engine.settled import settled
from rubric_engine.submission import load_submission
from rubric_engine.task import read_text, task_of


def grade(
    task_or_rubric: Task | Rubric,
    submission: Submission | str | Path,
    *,
    paper: str | Path | None = None,
    judge: str | JudgeCard | Judge = "rules",
    model: None = None,
    sandbox: str | Sandbox | None = None,
    limits: Limits | None = None,
    run_dir: str | Path | None = None,
    execution: Execution | None = None,
    on_grade: OnGrade | None = None,
) -> Report:
    """Grade a submission against a rubric.

    Inside a running event loop (Jupyter, for one) the work is done in a thread; `agrade` is the
    same as a coroutine.

    Args:
        task_or_rubric: A task, or a rubric alone.
        submission: What `load_submission` gave, or its path.
        paper: Path of the paper's text, in place of the task's.
        judge: Name or path of a judge card, a card, or a judge.
        model: Reserved for judges that ask a model; no judge of this version does.
        sandbox: Where to run `reproduce.sh`: a sandbox or its name; None runs nothing.
        limits: Limits of that run, in place of the task's.
        run_dir: Folder to keep the run in; None writes nothing.
        execution: A run of `reproduce.sh` made earlier, in place of `sandbox`.
        on_grade: Called with each key and grade as it becomes known.

    Returns:
        The report. Leaves that could not be graded are in it, each with its reason.

    Raises:
        RubricEngineError: An input is wrong, or the sandbox or the disk failed.
    """
    work = agrade(
        task_or_rubric,
        submission,
        paper=paper,
        judge=judge,
        model=model,
        sandbox=sandbox,
        limits=limits,
        run_dir=run_dir,
        execution=execution,
        on_grade=on_grade,
    )
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()


async def agrade(
    task_or_rubric: Task | Rubric,
    submission: Submission | str | Path,
    *,
    paper: str | Path | None = None,
    judge: str | JudgeCard | Judge = "rules",
    model: None = None,
    sandbox: str | Sandbox | None = None,
    limits: Limits | None = None,
    run_dir: str | Path | None = None,
    execution: Execution | None = None,
    on_grade: OnGrade | None = None,
) -> Report:
    """Grade a submission against a rubric; see `grade`."""
    if model is not None:
        raise UsageError("no judge of this version asks a model; leave model out")
    if sandbox is not None and execution is not None:
        raise UsageError("give a sandbox or an earlier execution, not both")
    task = _task(task_or_rubric, paper)
    if not isinstance(submission, Submission):
        submission = load_submission(submission, skip=task.skip)
    if not isinstance(judge, Judge):
        judge = load_judge(judge)
    if isinstance(sandbox, str):
        sandbox = load_sandbox(sandbox)
    folder = RunFolder(Path(run_dir)) if run_dir is not None else nullcontext()
    with folder as run, Book(task, submission, judge.card, run, on_grade) as book:
        execution = execution or await _reproduce(task, submission, sandbox, limits)
        case = Case(task, submission, execution)
        book.executed(execution)
        await _judge(judge, case, book)
        return book.close(case)


def _task(task_or_rubric: Task | Rubric, paper: str | Path | None) -> Task:
    given = task_or_rubric
    task = given if isinstance(given, Task) else task_of(given)
    return task if paper is None else replace(task, paper=read_text(Path(paper)))


async def _reproduce(
    task: Task, submission: Submission, sandbox: Sandbox | None, limits: Limits | None
) -> Execution | None:
    if sandbox is None:
        return None
    spec = RunSpec(limits=limits or task.limits or Limits(), outputs=task.outputs, skip=task.skip)
    return await sandbox.run(submission, spec)


async def _judge(judge: Judge, case: Case, book: Book) -> None:
    rubric = case.task.rubric
    for key, grade in settled(rubric, case.execution).items():
        book.enter(key, grade)
    pending = [rubric[key] for key in rubric.leaves() if key not in book.grades]
    async for key, grade in judge.grade(pending, case):
        if key in rubric:
            book.enter(key, grade)
    for key in rubric.leaves():
        book.enter(key, Grade.ungradeable("infra", "the judge said nothing about this leaf"))
