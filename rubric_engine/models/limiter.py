"""How many calls may be in flight at one endpoint, and how fast new ones may start.

The number falls by half when the server is crowded and grows back by one for each round of
answers, as congestion control does. One limiter is shared by all calls to an endpoint.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from rubric_engine.model import ModelConfig
from rubric_engine.recall import waiting


@dataclass(eq=False)
class _Waiter:
    tokens: int
    ready: asyncio.Future[None]


class Limiter:
    """Lets calls through, first come, first served.

    Args:
        most: Most calls in flight; where it starts.
        requests_per_minute: Most calls that start in a minute; they are spaced evenly.
        tokens_per_minute: Most tokens of calls that start in a minute; likewise.
    """

    def __init__(
        self,
        most: int,
        *,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
    ) -> None:
        self._most = most
        self._limit = float(most)
        self._per_request = 60 / requests_per_minute if requests_per_minute else 0.0
        self._per_token = 60 / tokens_per_minute if tokens_per_minute else 0.0
        self._in_flight = 0
        self._since: dict[object, float] = {}  # when each call in flight got its slot
        self._waiting: deque[_Waiter] = deque()
        self._opens = 0.0  # when the next call may start, in the loop's time
        self._fell = 0.0  # when the limit last fell
        self._alarm: asyncio.TimerHandle | None = None

    @classmethod
    def of(cls, config: ModelConfig) -> Limiter:
        """The limiter that a model's config asks for."""
        return cls(
            config.max_connections,
            requests_per_minute=config.requests_per_minute,
            tokens_per_minute=config.tokens_per_minute,
        )

    @property
    def limit(self) -> int:
        """Calls that may be in flight now."""
        return int(self._limit)

    @property
    def in_flight(self) -> int:
        """Calls that are in flight."""
        return self._in_flight

    @property
    def oldest(self) -> float:
        """Seconds that the oldest call in flight has had its slot; may be read from any thread."""
        since = list(self._since.values())
        return time.monotonic() - min(since) if since else 0.0

    @asynccontextmanager
    async def slot(self, tokens: int = 0) -> AsyncIterator[float]:
        """Wait for a free slot and hold it; gives the loop's time at which it was free.

        Args:
            tokens: Tokens that the call may take.

        Raises:
            RubricEngineError: The run stopped while the call waited.
        """
        async with waiting():
            await self._enter(tokens)
        slot = object()
        self._since[slot] = time.monotonic()
        try:
            yield asyncio.get_running_loop().time()
        finally:
            del self._since[slot]
            self._in_flight -= 1
            self._admit()

    def succeeded(self) -> None:
        """Take note of an answer: the limit recovers."""
        self._limit = min(self._most, self._limit + 1 / self._limit)
        self._admit()

    def crowded(self, started: float, wait: float | None = None) -> None:
        """Take note that the server is crowded: the limit falls, and new calls wait.

        Args:
            started: When the call that was turned away got its slot. Calls that started before
                the limit last fell say nothing new.
            wait: Seconds that the server asks to wait.
        """
        now = asyncio.get_running_loop().time()
        if started >= self._fell:
            self._limit = max(1.0, self._limit / 2)
            self._fell = now
        if wait:
            self._opens = max(self._opens, now + wait)

    async def _enter(self, tokens: int) -> None:
        waiter = _Waiter(tokens, asyncio.get_running_loop().create_future())
        self._waiting.append(waiter)
        self._admit()
        try:
            await waiter.ready
        except asyncio.CancelledError:
            self._leave(waiter)
            raise

    def _leave(self, waiter: _Waiter) -> None:
        if waiter in self._waiting:
            self._waiting.remove(waiter)
        else:  # it was let in and cancelled before it could run
            self._in_flight -= 1
        self._admit()

    def _admit(self) -> None:
        if not self._waiting:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        while self._waiting and self._in_flight < self.limit:
            if self._opens > now:
                self._wake_at(loop, self._opens)
                return
            waiter = self._waiting.popleft()
            self._in_flight += 1
            self._opens = now + max(self._per_request, waiter.tokens * self._per_token)
            if not waiter.ready.done():
                waiter.ready.set_result(None)

    def _wake_at(self, loop: asyncio.AbstractEventLoop, when: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = loop.call_at(when, self._admit)
