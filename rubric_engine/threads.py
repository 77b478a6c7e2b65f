"""Running a coroutine to its end from code that is not one, inside a running loop or not."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_START_S = 1.0
_WAKE_S = 0.2


def run_anywhere(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine and return what it returns.

    Inside a running event loop it gets a thread with a loop of its own; an interrupt of the
    caller cancels it and waits until it has cleaned up.

    Raises:
        BaseException: Whatever the coroutine raises, in both cases the same.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    worker = _Worker(work)
    try:
        worker.start()
        worker.wait()
    except BaseException:
        worker.cancel()
        raise
    return worker.outcome.result()


def blocking(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """A function that does the same as an `async def` and waits for it, with the same parameters.

    Args:
        work: The `async def`; by custom its name begins with an ``a`` that the other has not.
    """

    @wraps(work)
    def wait(*args: P.args, **kwargs: P.kwargs) -> T:
        return run_anywhere(work(*args, **kwargs))

    wait.__name__ = wait.__qualname__ = work.__name__.removeprefix("a")
    return wait


class _Worker(Generic[T]):
    """A thread that runs one coroutine; told to stop at any time, it cancels it or never begins."""

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work = work
        self.outcome: Future[T] = Future()
        self._stop, self._done = threading.Event(), threading.Event()
        self._cancel: list[Any] = []  # filled by the thread, once there is something to cancel
        self._thread = threading.Thread(target=self._run, name="rubric-engine", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wait(self) -> None:
        """Return once there is an outcome."""
        # Waking up now and then lets a signal through that another thread has caught.
        while not self._done.wait(_WAKE_S):
            pass

    def cancel(self) -> None:
        """Cancel the work and wait for its end; a second interrupt does not wait."""
        self._stop.set()
        for cancel in self._cancel:
            with suppress(RuntimeError):  # its loop is closed: it has just ended by itself
                cancel()
        # An interrupt of `start` may leave it open whether the thread will ever run.
        self._done.wait(None if self._thread.ident is not None else _START_S)

    def _run(self) -> None:
        try:
            if self._stop.is_set():
                self._work.close()
            else:
                self.outcome.set_result(asyncio.run(self._supervise()))
        except BaseException as error:  # noqa: BLE001  # the caller raises it; no thread prints
            self.outcome.set_exception(error)
        finally:
            self._done.set()

    async def _supervise(self) -> T:
        loop = asyncio.get_running_loop()
        task = asyncio.create_task(self._work)
        self._cancel.append(lambda: loop.call_soon_threadsafe(task.cancel))
        if self._stop.is_set():  # it was set before there was anything to cancel
            task.cancel()
        return await task
