"""Connections of a server: so many and no more, and none that says nothing for long.

Each holds a descriptor of the process. Without a bound whoever may connect, which needs no token,
takes those that labels are written with.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from collections.abc import Iterable
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

SILENCE = 15.0
"""Seconds that a connection may take to send the head of a request."""

MOST = 100
"""Connections at once; of few descriptors a quarter."""

BACKLOG = 16
"""Connections that wait to be taken; it also bounds what is tried at once where none is left."""


class Connection(H11Protocol):
    """One connection; where there are too many, the one that has been silent longest goes."""

    silence = SILENCE

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take it, and watch what it does."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._watch = self.loop.call_later(self.silence, self._look)
        if len(self.connections) > _room():
            others: Iterable[Any] = (each for each in self.connections if each is not self)
            silent = [each for each in others if isinstance(each, Connection) and each.is_silent]
            min(silent, key=lambda each: each._since, default=self).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave off watching."""
        self._watch.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """From now on the next request is waited for."""
        self._since = self.loop.time()
        super().on_response_complete()

    @property
    def is_silent(self) -> bool:
        """Whether no request of it is under way."""
        cycle: Any = self.cycle  # none before the first request, whatever its type says
        return cycle is None or bool(cycle.response_complete)

    def _look(self) -> None:
        left = self._since + self.silence - self.loop.time() if self.is_silent else self.silence
        if left <= 0:
            self.transport.abort()
        else:
            self._watch = self.loop.call_later(left, self._look)


def _room() -> int:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else min(MOST, max(4, soft // 4))


def quieten(loop: asyncio.AbstractEventLoop) -> None:
    """Let troubles of connections be told in one line, and each of them once.

    Args:
        loop: Whose they are.
    """
    loop.set_exception_handler(partial(_tell, set()))


def _tell(told: set[str], loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    if not isinstance(error, OSError):
        loop.default_exception_handler(context)
        return
    text = f"warning: a connection failed: {error.strerror or type(error).__name__}"
    if text not in told:
        told.add(text)
        sys.stderr.write(f"{text}\n")
