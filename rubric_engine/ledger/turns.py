"""One task at a time for each key, within this process."""

from __future__ import annotations

import asyncio
import threading
from collections import deque

_Waiting = tuple[asyncio.AbstractEventLoop, asyncio.Event]


class Turns:
    """Lets tasks, of any thread's event loop, pass one after another for the same key."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues: dict[str, deque[_Waiting]] = {}

    async def enter(self, key: str) -> None:
        """Wait for the key's turn; `leave` ends it."""
        waiting = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            if key not in self._queues:
                self._queues[key] = deque()
                return
            self._queues[key].append(waiting)
        try:
            await waiting[1].wait()
        except asyncio.CancelledError:
            self._give_up(key, waiting)
            raise

    def leave(self, key: str) -> None:
        """Let the next one pass."""
        with self._lock:
            queue = self._queues[key]
            while queue:
                loop, event = queue.popleft()
                if not loop.is_closed():
                    loop.call_soon_threadsafe(event.set)
                    return
            del self._queues[key]

    def _give_up(self, key: str, waiting: _Waiting) -> None:
        with self._lock:
            queue = self._queues[key]
            if waiting in queue:
                queue.remove(waiting)
                return
        self.leave(key)  # the turn had come already
