"""Work in a thread beside an event loop that waits most of its time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_TICK_S = 0.01
_LATE_S = 0.005
_TICKS = 5


@dataclass(frozen=True)
class Aside(Generic[T]):
    """Something to find out.

    Attributes:
        find: Finds it, in a thread.
        enter: Takes what was found, in the loop.
    """

    find: Callable[[], T]
    enter: Callable[[T], None]


class Beside:
    """Finds things out one after the other, as soon as the loop waits or is asked for no more.

    Threads of Python take turns: what a loop has to do before it first waits, such as the first
    request to a model, would take twice as long beside them.

    Args:
        asides: What to find out.
    """

    def __init__(self, *asides: Aside[Any]) -> None:
        self._asides = asides
        self._idle = asyncio.create_task(until_idle())
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        await asyncio.wait([self._idle])
        for aside in self._asides:
            aside.enter(await asyncio.to_thread(aside.find))

    async def end(self) -> None:
        """Wait until all is found and entered."""
        self._idle.cancel()
        await self._task

    def give_up(self) -> None:
        """Leave what is not found yet."""
        self._idle.cancel()
        if self._task.done():
            self._task.result()
        else:
            self._task.cancel()


async def until_idle() -> None:
    """Wait until the running loop has had nothing to do for a twentieth of a second.

    It has something to do as long as timers come late.
    """
    loop = asyncio.get_running_loop()
    on_time = 0
    while on_time < _TICKS:
        due = loop.time() + _TICK_S
        await asyncio.sleep(_TICK_S)
        on_time = on_time + 1 if loop.time() < due + _LATE_S else 0
