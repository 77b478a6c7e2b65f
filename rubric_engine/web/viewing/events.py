"""A run that goes on, as server-sent events: each change as it is seen, and the end.

Files are looked at again and read as a whole, so that one that was replaced, or whose last line is
not whole yet, is nothing special; and all who watch a run share what was read.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

from starlette.concurrency import run_in_threadpool

from rubric_engine.errors import RubricEngineError
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.live import Live
from rubric_engine.web.viewing.shelf import Shelf

EVERY = 0.5
"""Seconds between two looks; where reading takes long, four times as long as that."""

_SILENCE = 15.0
"""Seconds after which something is sent all the same, which finds out who has gone."""


async def events(shelf: Shelf, id: str, ending: Ending) -> AsyncIterator[str]:
    """The events of one run, until it ends or the server does.

    Args:
        shelf: The runs.
        id: Which one.
        ending: Whether the server was told to end.
    """
    before, told = shelf.given(id), time.monotonic()
    yield ": here\n\n"
    while not ending.is_told:
        began = time.monotonic()
        now = await _look(shelf, id)
        if now is not None and now is not before:
            for event in _news(now, before):
                yield event
                told = began
            before = now
        if now is not None and not now.goes_on:
            yield _event("done", {name: now.head[name] for name in ("status", "score", "cost")})
            return
        if began - told > _SILENCE:
            yield ": here\n\n"
            told = began
        await asyncio.sleep(max(EVERY, 4 * (time.monotonic() - began)))


async def _look(shelf: Shelf, id: str) -> Live | None:
    """How far the run is; None where that cannot be told at this moment."""
    try:
        return await run_in_threadpool(shelf.live, id)
    except (RubricEngineError, OSError):
        return None


def _news(now: Live, before: Live | None) -> Iterator[str]:
    """What is other than it was: each criterion first, then the run as a whole."""
    for change in now.since(before):
        yield _event("grade", change)
    if head := now.head_since(before):
        yield _event("head", head)


def _event(name: str, value: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(value, allow_nan=False)}\n\n"
