"""Waiting for somebody else's code, which may block, raise anything, or never end."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

LONGEST_S = 60.0
"""Seconds that a judge may take over the few leaves of a case."""

_GRACE_S = 5.0  # in which work that was cancelled has ended
_WAKE_S = 0.2


class Patience:
    """Runs work in threads of their own, for so long and no longer.

    A thread that blocks cannot be ended, and it may hold what the next one wants: once work did
    not end in time, no more of it is begun.

    Attributes:
        seconds: How long work may take.
        lost: What is said of work that did not end in time; None while all did.
    """

    def __init__(self, seconds: float = LONGEST_S) -> None:
        self.seconds = seconds
        self.lost: str | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What a coroutine returns, in a new event loop; cancelled when its time is over.

        Raises:
            AssertionError: It did not end in time, or tried to end the process.
            Exception: What it raises.
        """
        if self.lost is not None:
            work.close()
        return self.call(lambda: asyncio.run(self._in_time(work)))

    def call(self, work: Callable[[], T]) -> T:
        """What a function returns; errors as `run`."""
        assert self.lost is None, self.lost
        outcome: Future[T] = Future()
        thread = threading.Thread(target=_enter, args=(work, outcome), daemon=True)
        thread.start()
        end = time.monotonic() + self.seconds + min(_GRACE_S, self.seconds)
        # Waking up now and then lets a signal through that another thread has caught.
        while thread.is_alive() and time.monotonic() < end:
            thread.join(_WAKE_S)
        if thread.is_alive():
            self.lost = f"it blocks: it does not come back within {self.seconds:g} s"
            raise AssertionError(self.lost)
        return _left(outcome)

    async def _in_time(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            async with asyncio.timeout(self.seconds) as scope:
                return await work
        except TimeoutError:
            if not scope.expired():
                raise
        self.lost = f"it does not end within {self.seconds:g} s"
        raise AssertionError(self.lost)


def _enter(work: Callable[[], T], outcome: Future[T]) -> None:
    try:
        outcome.set_result(work())
    except BaseException as error:  # noqa: BLE001  # belongs to the thread that waits for it
        outcome.set_exception(error)


def _left(outcome: Future[T]) -> T:
    """What work left; an interrupt or exit of its own is nobody else's."""
    error = outcome.exception()
    if error is None or isinstance(error, Exception):
        return outcome.result()
    raise AssertionError(as_told(error)) from error


def as_told(error: BaseException) -> str:
    """What work did that raised something which is no `Exception`."""
    if isinstance(error, SystemExit):
        return "it ends the process"
    return f"it raises {type(error).__name__}, which no caller catches"
