"""Running a coroutine to its end from code that is not one, inside a running loop or not."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")


def run_anywhere(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine and return what it returns.

    Inside a running event loop it gets a thread with a loop of its own; an interrupt of the
    caller cancels it and waits until it has cleaned up.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return _Worker(work).result()


class _Worker(Generic[T]):
    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work = work
        self._ready, self._done = threading.Event(), threading.Event()
        threading.Thread(target=self._run, name="rubric-engine").start()
        self._ready.wait()

    def result(self) -> T:
        try:
            self._done.wait()
        except BaseException:
            self._loop.call_soon_threadsafe(self._task.cancel)
            self._done.wait()
            raise
        return self._task.result()

    def _run(self) -> None:
        try:
            asyncio.run(self._supervise())
        finally:
            self._done.set()

    async def _supervise(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._work)
        self._ready.set()
        await asyncio.wait([self._task])
