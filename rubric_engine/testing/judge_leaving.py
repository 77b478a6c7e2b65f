"""How a judge ends before its time: no task, no thread and no file stays behind."""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rubric_engine.judge import Judge
from rubric_engine.testing.judge_bench import Bench, Stall, Word, begun, words
from rubric_engine.testing.judge_cases import leaves_of

PATIENCE = 5.0
"""Seconds after which a judge that was cancelled is taken to go on for ever."""

_GRACE = 0.5  # seconds in which a thread that ends anyway has ended

_TURNS = 5
"""Turns of the event loop in which a task that ends anyway has ended."""


def ends_when_cancelled(bench: Bench) -> None:
    """Cancel a judge at its first await, and while its model is silent."""
    for answers in (0, 1, 3):
        with _nothing_left(bench.cases.folder):
            bench.patience.run(_cancel(bench, answers))


def ends_when_left(bench: Bench) -> None:
    """Close what a judge yields after its first word."""
    with _nothing_left(bench.cases.folder):
        bench.patience.run(_leave(bench.fresh(), bench))


async def _cancel(bench: Bench, answers: int) -> None:
    before = asyncio.all_tasks()
    stall = Stall(answers)
    judge = bench.stalling(stall)
    case = bench.cases.ran
    task = asyncio.create_task(words(judge, case, leaves_of(case)), name="grading")
    await _underway(task, stall)
    over = task.done()
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=PATIENCE)
    if not done:
        await _end(task)
    assert done, f"{PATIENCE:g} s after it was cancelled it goes on"
    assert over or task.cancelled(), f"it takes no notice: {_ending(task)}"
    await _no_tasks(before)


async def _end(task: asyncio.Task[list[Word]]) -> None:
    """End a task that heeds no cancelling; the loop would wait for it for ever, too."""
    task.get_coro().close()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _underway(task: asyncio.Task[list[Word]], stall: Stall) -> None:
    """Wait until its model is silent, or the judge is done; one without a model gets two turns."""
    for _ in range(2):
        await asyncio.sleep(0)
    if not stall.models:
        return
    silent = asyncio.create_task(stall.silent.wait())
    await asyncio.wait({task, silent}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    silent.cancel()
    await asyncio.wait({silent})


def _ending(task: asyncio.Task[list[Word]]) -> str:
    error = task.exception()
    return "it grades to its end" if error is None else f"it raises {type(error).__name__}"


async def _leave(judge: Judge, bench: Bench) -> None:
    before = asyncio.all_tasks()
    case = bench.cases.ran
    grading = begun(judge.grade(leaves_of(case), case))
    await anext(grading)
    close = getattr(grading, "aclose", None)
    if close is not None:
        await asyncio.wait_for(close(), PATIENCE)
    await _no_tasks(before)


async def _no_tasks(before: set[asyncio.Task[Any]]) -> None:
    for _ in range(_TURNS):
        await asyncio.sleep(0)
    left = [task for task in asyncio.all_tasks() - before if not task.done()]
    assert not left, f"it leaves {len(left)} tasks running"


@contextmanager
def _nothing_left(submissions: Path) -> Iterator[None]:
    """Assert that no thread and no file is left, and no submission changed."""
    threads, files = set(threading.enumerate()), _contents(submissions)
    with _temporary() as folder:
        yield
        for thread in set(threading.enumerate()) - threads:
            thread.join(timeout=_GRACE)
        left = [thread.name for thread in set(threading.enumerate()) - threads]
        assert not left, f"it leaves {len(left)} threads running: {left[0]}"
        made = sorted(path.name for path in folder.rglob("*"))
        assert not made, f"it leaves {len(made)} temporary files: {made[0]}"
    assert _contents(submissions) == files, "it writes into the submission"


@contextmanager
def _temporary() -> Iterator[Path]:
    """A folder of our own in which all temporary files are made, those of children, too."""
    known, variable = tempfile.tempdir, os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = os.environ["TMPDIR"] = folder
        try:
            yield Path(folder)
        finally:
            tempfile.tempdir = known
            if variable is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = variable


def _contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
