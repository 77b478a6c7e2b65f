"""Resuming a run: what was kept is taken up again, and only what is missing is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.bookkeeping import Book, OnGrade
from rubric_engine.canary_case import CANARIES, load_canaries
from rubric_engine.case import Case
from rubric_engine.closing import close
from rubric_engine.collector import sparing_old_objects
from rubric_engine.connection import Connection, Spending
from rubric_engine.decision import DecisionModel
from rubric_engine.engine import run_in
from rubric_engine.errors import RunError
from rubric_engine.executed import STORE
from rubric_engine.isolation import Execution
from rubric_engine.judge import Judge, JudgeContext
from rubric_engine.judging import judge_case
from rubric_engine.kept import AGENT_LOG, Caps, keyed, load_kept_judge
from rubric_engine.kept.inputs import JUDGE
from rubric_engine.model import ChatModel
from rubric_engine.monitor import Text
from rubric_engine.monitoring import kept_monitor
from rubric_engine.past import Past, read_past, spending_of
from rubric_engine.result import Report
from rubric_engine.rundir import RunFolder
from rubric_engine.runs import grades_so_far, load_report
from rubric_engine.state import fence_code
from rubric_engine.threads import run_anywhere

if TYPE_CHECKING:
    from rubric_engine.sandbox.docker import OnProgress


def resume(
    run: str | Path | Past,
    *,
    spending: Spending | None = None,
    retry_failed: bool = False,
    on_grade: OnGrade | None = None,
    model: ChatModel | DecisionModel | None = None,
    judge: Judge | None = None,
    secrets: Mapping[str, str] | None = None,
    tell: OnProgress | None = None,
) -> Report:
    """Go on with a run that was stopped, paying only for what is missing.

    Task, submission, execution and judge are those that the run kept. A finished run is asked
    nothing, and its report comes back as it is.

    Args:
        run: The run's folder, or what `read_past` made of it.
        spending: What it may spend over all resumes; as it was by default.
        retry_failed: Ask again where a call ended without an answer.
        on_grade: Called with each new key and grade.
        model: The model of your own that the run was graded with, if it was.
        judge: The judge of your own that the run was graded with, if it was.
        secrets: The variables for the script alone that the run had, where it must still be run.
        tell: Called about once a second while the script runs in Docker.

    Returns:
        The report of the whole run.

    Raises:
        RunError: The run is not yours, kept too little, or was changed.
        StorageError: Another process writes it, or the disk failed.
    """
    return run_anywhere(
        aresume(
            run,
            spending=spending,
            retry_failed=retry_failed,
            on_grade=on_grade,
            model=model,
            judge=judge,
            secrets=secrets,
            tell=tell,
        )
    )


async def aresume(
    run: str | Path | Past,
    *,
    spending: Spending | None = None,
    retry_failed: bool = False,
    on_grade: OnGrade | None = None,
    model: ChatModel | DecisionModel | None = None,
    judge: Judge | None = None,
    secrets: Mapping[str, str] | None = None,
    tell: OnProgress | None = None,
) -> Report:
    """Go on with a run that was stopped; see `resume`."""
    past = run if isinstance(run, Past) else await asyncio.to_thread(read_past, run)
    path = past.path
    whole = path.resolve()  # the ledger lies beside the run itself, not beside a link to it
    if past.is_finished(retry_failed=retry_failed):
        return await asyncio.to_thread(load_report, path)
    limits = spending or spending_of(past.inputs)
    limits = replace(limits, retry_failed=limits.retry_failed or retry_failed)
    async with Connection(whole.parent, whole.name, limits, model) as connection:
        context = JudgeContext(
            connect=connection.connect, decide=connection.decide, nonce=fence_code
        )
        judge = judge or load_kept_judge(path / JUDGE, context)
        reader = kept_monitor(path / JUDGE, context)
        _require_same(judge, past)
        canaries = await asyncio.to_thread(load_canaries, path / JUDGE / CANARIES)
        folder = RunFolder.open_again(path, str(past.facts["started"]))
        with sparing_old_objects(), folder, Book(past.task, judge.card, folder, on_grade) as book:
            past = await asyncio.to_thread(past.now)
            # Again, now that nobody else writes them.
            past = replace(past, grades=grades_so_far(path))
            inputs = past.inputs.model_copy(update={"caps": Caps.model_validate(limits)})
            book.go_on(inputs, past.facts, past.standing(retry_failed=limits.retry_failed))
            execution = await _execution(past, book, secrets or {}, tell)
            case = Case(past.task, past.handed_in, execution)
            log = await asyncio.to_thread(past.inputs.agent_log, path)
            agent_log = Text(AGENT_LOG, log) if log is not None else None
            await judge_case(judge, case, book, canaries, agent_log, reader)
            book.note_all("W215", connection.notes())
            return close(connection, case, book)


def _require_same(judge: Judge, past: Past) -> None:
    if judge.card.fingerprint != past.inputs.fingerprint:
        raise RunError(
            f"{past.path} was graded by another judge: fingerprint {past.inputs.fingerprint[:12]}, "
            f"and this one has {judge.card.fingerprint[:12]}",
            code="E527",
            looked=["another release of the engine may put prompts together in another way"],
            fix=["rubric-engine grade SUBMISSION ...   starts a new run"],
        )


async def _execution(
    past: Past, book: Book, secrets: Mapping[str, str], tell: OnProgress | None
) -> Execution | None:
    """The kept run of `reproduce.sh`; where a sandbox was asked for and never ended, it runs."""
    inputs = past.inputs
    if past.execution is not None:
        book.executed_before(past.execution)
        return past.execution
    if inputs.given:
        raise RunError(
            f"{past.path} cannot be resumed: it ended before its execution was kept",
            code="E526",
            fix=["rubric-engine grade DIR --executed ...   starts a new run"],
        )
    box = past.box(tell)
    if box is None:
        return None
    if inputs.environment is not None and inputs.environment != keyed(secrets):
        raise RunError(
            f"{past.path} cannot be resumed: reproduce.sh had variables of its own, and no file"
            " of variables is kept",
            code="E526",
            fix=["rubric-engine resume RUN --env-file FILE   with the same file"],
        )
    spec = inputs.settings.model_copy(update={"secrets": secrets})
    store = past.path.resolve().parent / STORE
    execution = await run_in(box, past.handed_in, spec, store, book)
    return await asyncio.to_thread(book.executed, execution)
