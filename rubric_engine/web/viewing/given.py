"""How far runs were when somebody was given them: where a stream of changes begins.

A browser asks for a run, and for its changes after. What falls in between must be told, so the
state that was given out is remembered, for as long as that takes and no longer: a page that stays
open for days holds two states a run at most, and none of a run that nobody asks for.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from rubric_engine.web.viewing.live import Live

RECENT = 60.0
"""Seconds that somebody may take between asking for a run and asking for its changes."""


class Given:
    """The oldest states that somebody may still ask the changes since.

    Who asks within `RECENT` of the first shares its state: to be told a change twice is no harm.

    Args:
        clock: Seconds that never run back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: dict[str, list[tuple[float, Live]]] = {}
        self._lock = threading.Lock()

    def put(self, id: str, live: Live) -> None:
        """Remember how far a run is that is given out now."""
        with self._lock:
            now = self._forget()
            held = self._held.setdefault(id, [])
            if not held or held[-1][0] <= now - RECENT:
                held.append((now, live))

    def get(self, id: str) -> Live | None:
        """How far a run was for who asks for its changes now; None where nobody was given it."""
        with self._lock:
            self._forget()
            held = self._held.get(id)
            return held[0][1] if held else None

    def __len__(self) -> int:
        """How many states are held."""
        return sum(map(len, self._held.values()))

    def _forget(self) -> float:
        """Drop what nobody can need any more; the time."""
        now = self._clock()
        kept = {
            name: [(at, live) for at, live in held if at > now - 2 * RECENT]
            for name, held in self._held.items()
        }
        self._held = {name: held for name, held in kept.items() if held}
        return now
