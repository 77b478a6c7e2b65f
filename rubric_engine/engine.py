"""Grading in five steps: reproduce, evidence, judge, propagate, report.

from rubric_engine import grade, load_rubric, load_submission

report = grade(load_rubric("rubric.yaml"), load_submission("submission/"))
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from rubric_engine.bookkeeping import Book, OnGrade
from rubric_engine.canary_case import CANARIES, canary_pool, kept_canaries
from rubric_engine.case import Case, Task
from rubric_engine.closing import close, note_paid
from rubric_engine.collector import sparing_old_objects
from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.decision import DecisionModel
from rubric_engine.errors import UsageError
from rubric_engine.executed import STORE, run_or_reuse
from rubric_engine.given import connection_for, judge_context, refuse_planted, root_of, task_given
from rubric_engine.isolation import Execution, Limits, RunSpec, Sandbox
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.judges import load_judge
from rubric_engine.judging import judge_case
from rubric_engine.kept import AGENT_LOG, Caps
from rubric_engine.model import ChatModel
from rubric_engine.monitor import Text
from rubric_engine.monitoring import load_monitor, monitor_files
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.sandbox import load_sandbox
from rubric_engine.submission import load_submission
from rubric_engine.submitted import Submission
from rubric_engine.threads import run_anywhere


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
    agent_log: str | None = None,
    monitor_model: str | Mapping[str, Any] | None = None,
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
        agent_log: Log of the agent that made the submission, for the monitor to look through.
        monitor_model: Model that reads that log as well, by the card `monitor`: a name, or
            settings as `model`.
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
            agent_log=agent_log,
            monitor_model=monitor_model,
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
    agent_log: str | None = None,
    monitor_model: str | Mapping[str, Any] | None = None,
    on_grade: OnGrade | None = None,
    on_start: Callable[[Judge], None] | None = None,
    spending: Spending = NO_LIMIT,
) -> Report:
    """Grade a submission against a rubric; see `grade`."""
    if sandbox is not None and execution is not None:
        raise UsageError("give a sandbox or an earlier execution, not both")
    task = task_given(task_or_rubric, paper)
    untrusted = root_of(submission)
    refuse_planted(task, untrusted)
    box = load_sandbox(sandbox, untrusted=untrusted) if isinstance(sandbox, str) else sandbox
    if spec is None:
        spec = task.spec if limits is None else task.spec.model_copy(update={"limits": limits})
    if not isinstance(submission, Submission):
        submission = await asyncio.to_thread(load_submission, submission, skip=task.skip)
    async with connection_for(run_dir, untrusted, model, spending) as connection:
        judge = load_judge(judge, untrusted=untrusted, context=judge_context(connection, model))
        reader = None
        if monitor_model is not None:
            context = judge_context(connection, monitor_model)
            reader = load_monitor("monitor", context, untrusted=untrusted)
        canaries = await asyncio.to_thread(canary_pool, judge, untrusted)
        if on_start is not None:
            on_start(judge)
        folder = RunFolder(Path(run_dir)) if run_dir is not None else nullcontext()
        with sparing_old_objects(), folder as run, Book(task, judge.card, run, on_grade) as book:
            kept = await asyncio.to_thread(book.open, submission, spec, box)
            caps, paid = Caps.model_validate(spending), bool(connection.cost())
            more = {CANARIES: kept_canaries(canaries)} if canaries else {}
            more |= {} if reader is None else monitor_files(reader)
            await asyncio.to_thread(
                book.keep, judge, execution, caps, more, paid=paid, agent_log=agent_log
            )
            if box is not None:
                store = Path(run_dir).parent / STORE if run_dir is not None else None
                execution = await run_in(box, kept, spec, store, book, rerun=rerun)
            if execution is not None:
                execution = await asyncio.to_thread(book.executed, execution)
            case = Case(task, kept, execution)
            log = Text(AGENT_LOG, agent_log) if agent_log is not None else None
            await judge_case(judge, case, book, canaries, log, reader)
            note_paid(connection, case, book)
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
