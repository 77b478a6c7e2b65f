"""Grading in five steps: reproduce, evidence, judge, propagate, report.

from rubric_engine import grade, load_rubric, load_submission

report = grade(load_rubric("rubric.yaml"), load_submission("submission/"))
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from rubric_engine.bookkeeping import Book, OnGrade
from rubric_engine.canary_case import CANARIES, canary_pool, kept_canaries
from rubric_engine.case import Case, Task
from rubric_engine.closing import close
from rubric_engine.connection import NO_LIMIT, Connection, Spending
from rubric_engine.decision import DecisionModel
from rubric_engine.errors import (
    StorageError,
    TaskError,
    UsageError,
)
from rubric_engine.executed import STORE, run_or_reuse
from rubric_engine.isolation import Execution, Limits, RunSpec, Sandbox
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.judges import load_judge
from rubric_engine.judges.settings import check_model
from rubric_engine.judging import judge_case
from rubric_engine.kept import Caps
from rubric_engine.lookup import inside, planted
from rubric_engine.model import ChatModel
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from rubric_engine.rundir import RunFolder, new_run_name
from rubric_engine.sandbox import load_sandbox
from rubric_engine.spending import listed_window
from rubric_engine.state import seal, state_folder
from rubric_engine.submission import load_submission
from rubric_engine.submitted import Submission
from rubric_engine.task import read_text, task_of
from rubric_engine.threads import run_anywhere

MOST_NAMED = 5
"""Leaves that a message names."""


def grade(
    task_or_rubric: Task | Rubric,
    submission: Submission | str | Path,
    *,
    paper: str | Path | None = None,
    judge: str | JudgeCard | Judge = "rules",
    model: str | Mapping[str, Any] | ChatModel | DecisionModel | None = None,
    sandbox: str | Sandbox | None = None,
    limits: Limits | None = None,
    spec: RunSpec | None = None,
    rerun: bool = False,
    run_dir: str | Path | None = None,
    execution: Execution | None = None,
    on_grade: OnGrade | None = None,
    on_start: Callable[[Judge], None] | None = None,
    spending: Spending = NO_LIMIT,
) -> Report:
    """Grade a submission against a rubric.

    Inside a running event loop (Jupyter, for one) the work is done in a thread; `agrade` is the
    same as a coroutine.

    Args:
        task_or_rubric: A task, or a rubric alone.
        submission: What `load_submission` gave, or its path.
        paper: Path of the paper's text, in place of the task's.
        judge: Name or path of a judge card, a card, or a judge.
        model: What a judge that pays asks in place of its card's model: a name, settings such as
            ``{"name": ..., "base_url": ...}``, or a model of your own that can be asked in the way
            of the judge.
        sandbox: Where to run `reproduce.sh`: a sandbox or its name; None runs nothing.
        limits: Limits of that run, in place of the task's.
        spec: All of how that run is made, in place of the task's settings and `limits`.
        rerun: Run it also where an earlier run of the same submission is kept beside `run_dir`.
        run_dir: Folder to keep the run in; None writes nothing, but for the ledger of paid calls,
            which then lies in ./runs.
        execution: A run of `reproduce.sh` made earlier, in place of `sandbox`.
        on_grade: Called with each key and grade as it becomes known.
        on_start: Called with the judge once all inputs are loaded, before anything runs.
        spending: What judges that pay may spend, and whether earlier answers are taken.

    Returns:
        The report. Leaves that could not be graded are in it, each with its reason.

    Raises:
        RubricEngineError: An input is wrong, or the sandbox or the disk failed. A budget or a
            provider that ends the judging is in `Report.stopped` instead.
    """
    return run_anywhere(
        agrade(
            task_or_rubric,
            submission,
            paper=paper,
            judge=judge,
            model=model,
            sandbox=sandbox,
            limits=limits,
            spec=spec,
            rerun=rerun,
            run_dir=run_dir,
            execution=execution,
            on_grade=on_grade,
            on_start=on_start,
            spending=spending,
        )
    )


async def agrade(
    task_or_rubric: Task | Rubric,
    submission: Submission | str | Path,
    *,
    paper: str | Path | None = None,
    judge: str | JudgeCard | Judge = "rules",
    model: str | Mapping[str, Any] | ChatModel | DecisionModel | None = None,
    sandbox: str | Sandbox | None = None,
    limits: Limits | None = None,
    spec: RunSpec | None = None,
    rerun: bool = False,
    run_dir: str | Path | None = None,
    execution: Execution | None = None,
    on_grade: OnGrade | None = None,
    on_start: Callable[[Judge], None] | None = None,
    spending: Spending = NO_LIMIT,
) -> Report:
    """Grade a submission against a rubric; see `grade`."""
    if sandbox is not None and execution is not None:
        raise UsageError("give a sandbox or an earlier execution, not both")
    task = _task(task_or_rubric, paper)
    untrusted = _root(submission)
    _refuse_planted(task, untrusted)
    box = sandbox
    if isinstance(box, str):
        box = load_sandbox(box, untrusted=untrusted)
    if spec is None:
        spec = task.spec if limits is None else task.spec.model_copy(update={"limits": limits})
    if not isinstance(submission, Submission):
        submission = await asyncio.to_thread(load_submission, submission, skip=task.skip)
    async with _connection(run_dir, untrusted, model, spending) as connection:
        judge = load_judge(judge, untrusted=untrusted, context=_context(connection, model))
        canaries = await asyncio.to_thread(canary_pool, judge, untrusted)
        if on_start is not None:
            on_start(judge)
        folder = RunFolder(Path(run_dir)) if run_dir is not None else nullcontext()
        with folder as run, Book(task, judge.card, run, on_grade) as book:
            kept = await asyncio.to_thread(book.open, submission, spec, box)
            caps, paid = Caps.model_validate(spending), bool(connection.cost())
            more = {CANARIES: kept_canaries(canaries)} if canaries else {}
            await asyncio.to_thread(book.keep, judge, execution, caps, more, paid=paid)
            if box is not None:
                store = Path(run_dir).parent / STORE if run_dir is not None else None
                execution = await run_in(box, kept, spec, store, book, rerun=rerun)
            if execution is not None:
                execution = await asyncio.to_thread(book.executed, execution)
            case = Case(task, kept, execution)
            await judge_case(judge, case, book, canaries)
            _name_paid(connection, case, book)
            book.note_all("W215", connection.notes())
            return close(connection, case, book)


async def run_in(
    box: Sandbox,
    submission: Submission,
    spec: RunSpec,
    store: Path | None,
    book: Book,
    *,
    rerun: bool = False,
) -> Execution:
    """Run `reproduce.sh`, or take an earlier run from the store; the books say so."""
    run = await run_or_reuse(box, submission, spec, store, rerun=rerun)
    if run.reused:
        book.note("W313", "reproduce.sh was not run again: an earlier run of the same is taken")
    return run.execution


def _connection(
    run_dir: str | Path | None,
    untrusted: Path | None,
    model: str | Mapping[str, Any] | ChatModel | DecisionModel | None,
    spending: Spending,
) -> Connection:
    asked = model if isinstance(model, ChatModel | DecisionModel) else None
    if run_dir is not None:
        whole = Path(run_dir).resolve()  # as a resume will find it
        return Connection(whole.parent, whole.name, spending, asked, new=True)
    here = Path("runs")
    if untrusted is not None and inside(Path(), untrusted):
        here = state_folder() / "runs"
    return Connection(here, new_run_name("call"), spending, asked, new=True)


def _context(
    connection: Connection, model: str | Mapping[str, Any] | ChatModel | DecisionModel | None
) -> JudgeContext:
    settings: Mapping[str, Any] = {}
    if isinstance(model, str):
        settings = {"name": model}
    elif isinstance(model, Mapping):
        check_model(model)
        settings = model
    return JudgeContext(
        connect=connection.connect,
        decide=connection.decide,
        nonce=fence_code,
        model=settings,
        window=listed_window,
    )


def fence_code(submission_sha256: str) -> str:
    """The code of fences: the same for a submission, and unknown to its author."""
    code = seal("fence", submission_sha256)
    if code is None:
        raise StorageError(
            f"no secret can be kept in {state_folder()}, and fences around untrusted text need one",
            code="E905",
            fix=["set XDG_STATE_HOME to a folder that you can write"],
        )
    return code[:16]


def _task(given: Task | Rubric, paper: str | Path | None) -> Task:
    if not isinstance(given, Task | Rubric):
        message = f"grade takes a task or a rubric, not {given!r}"
        raise UsageError(message, fix=["load_rubric(path), or load_task(name)"])
    task = given if isinstance(given, Task) else task_of(given)
    return task if paper is None else replace(task, paper=read_text(Path(paper)))


def _root(submission: Submission | str | Path) -> Path | None:
    if isinstance(submission, str | Path):
        return Path(submission)
    root = getattr(submission, "root", None)
    return root if isinstance(root, Path) else None


def _refuse_planted(task: Task, untrusted: Path | None) -> None:
    """A task that a bare name found inside the submission is the submission's own."""
    if task.found_in is not None and planted(task.found_in, "rubrics", untrusted):
        raise TaskError(
            f"task {task.name!r} was found inside the submission, in {task.found_in}",
            code="E416",
            fix=["load the task from another current folder, or give its path to mean this one"],
        )


def _name_paid(connection: Connection, case: Case, book: Book) -> None:
    """Where earlier runs paid for some calls, name the leaves that were paid for all the same."""
    recalled, asked = len(connection.recalled()), connection.asked()
    leaves = case.task.view.leaves()
    paid = [key for key in leaves if not asked.isdisjoint(book.grades[key].calls)]
    if recalled and paid:
        more = f" and {len(paid) - MOST_NAMED} more" if len(paid) > MOST_NAMED else ""
        many = "1 leaf" if len(paid) == 1 else f"{len(paid)} leaves"
        served = f"{recalled} calls on record from earlier runs, and new calls for {many}"
        book.note("W213", f"{served}: {', '.join(paid[:MOST_NAMED])}{more}")
