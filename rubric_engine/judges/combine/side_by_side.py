"""Several judges at once: their words in the order in which they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

Said = Callable[[], AsyncIterator[tuple[Any, Any]]]
"""Starts a judge."""


@dataclass(frozen=True)
class Word:
    """What a judge said.

    Attributes:
        member: Number of the judge, from 0.
        key: Of what.
        said: What.
    """

    member: int
    key: Any
    said: Any


@dataclass(frozen=True)
class Ended:
    """That a judge has ended.

    Attributes:
        member: Number of the judge, from 0.
        error: What it raised, or None.
    """

    member: int
    error: BaseException | None


async def side_by_side(
    judges: Sequence[Said], hear: Callable[[int, Any], Any]
) -> AsyncGenerator[Word | Ended, None]:
    """Let judges grade at once.

    Args:
        judges: What starts each.
        hear: Called with a judge's number and its word while that judge waits; gives the word to
            go on with.

    Returns:
        Their words as they come, and one `Ended` for each judge. Where this is closed early, the
        judges are cancelled, and have ended before it returns.
    """
    queue: asyncio.Queue[Word | Ended] = asyncio.Queue()
    tasks = [
        asyncio.create_task(_listen(member, judge, hear, queue))
        for member, judge in enumerate(judges)
    ]
    left = len(tasks)
    try:
        while left:
            heard = await queue.get()
            left -= isinstance(heard, Ended)
            yield heard
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _listen(
    member: int, judge: Said, hear: Callable[[int, Any], Any], queue: asyncio.Queue[Word | Ended]
) -> None:
    task = asyncio.current_task()
    error: BaseException | None = None
    try:
        async for key, said in judge():
            queue.put_nowait(Word(member, key, hear(member, said)))
    except BaseException as raised:  # whatever somebody else's code raises is that judge's end
        if isinstance(raised, KeyboardInterrupt) or (task is not None and task.cancelling()):
            raise
        error = raised
    queue.put_nowait(Ended(member, error))
