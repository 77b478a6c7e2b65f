"""Calling back what waits: once a run must stop, only requests that are out are waited for.

Whoever may wait for long with no request out does so within `waiting()`. A crew that stops recalls
its calls: those that wait end there with the error that stops it, and none begins to wait again.
What is out goes on, as its answer is paid for and is to be kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

from rubric_engine.errors import RubricEngineError

_RECALL: ContextVar[Recall | None] = ContextVar("recall", default=None)


class Recall:
    """Ends the waits of all tasks that were started `under` it.

    Attributes:
        error: What the waits end with; None as long as nobody is called back.
    """

    def __init__(self) -> None:
        self.error: RubricEngineError | None = None
        self._waits: set[asyncio.Timeout] = set()

    def under(self) -> None:
        """Put the task at hand, and what it awaits, under this recall."""
        _RECALL.set(self)

    def all(self, error: RubricEngineError) -> None:
        """Call back whatever waits, and whatever would wait later; the first error stands."""
        if self.error is not None:
            return
        self.error = error
        for wait in self._waits:
            wait.reschedule(0)

    @asynccontextmanager
    async def wait(self) -> AsyncIterator[None]:
        """See `waiting`."""
        if self.error is not None:
            raise self.error
        try:
            async with asyncio.timeout(None) as wait:
                self._waits.add(wait)
                try:
                    yield
                finally:
                    self._waits.discard(wait)
        except TimeoutError:
            if self.error is None or not wait.expired():
                raise
        else:
            return
        raise self.error


@asynccontextmanager
async def waiting() -> AsyncIterator[None]:
    """Wait within, with no request out.

    Raises:
        RubricEngineError: The run must stop.
    """
    recall = _RECALL.get()
    if recall is None:
        yield
        return
    async with recall.wait():
        yield


def call_back(error: RubricEngineError) -> None:
    """Call back whatever waits beside the task at hand: the run must stop."""
    recall = _RECALL.get()
    if recall is not None:
        recall.all(error)
