"""Values that were worked out from files, and stay good until one of the files changes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")

Stamp = tuple[object, ...]


@dataclass
class _Turn:
    """The right to make a value, and how many want it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    wanted: int = 0


class Known(Generic[T]):
    """Remembers the last values, by name.

    Args:
        most: How many values are kept; those that were asked for longest ago go first.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[str, tuple[Stamp, T]] = {}
        self._turns: dict[str, _Turn] = {}
        self._lock = threading.Lock()

    def get(self, name: str, stamp: Stamp, make: Callable[[], T]) -> T:
        """A value as it is now; who asks for it while it is made waits, and nobody else does.

        Args:
            name: Its name.
            stamp: What it depends on; another stamp makes it anew.
            make: Makes it.
        """
        found = self._used(name, stamp)
        if found is not None:
            return found[1]
        with self._turn(name):
            found = self._used(name, stamp) or (stamp, make())
            with self._lock:
                self._values[name] = found
                while len(self._values) > self._most:
                    del self._values[next(iter(self._values))]
        return found[1]

    def _used(self, name: str, stamp: Stamp) -> tuple[Stamp, T] | None:
        """What is known of a value that is still good; it was asked for last now."""
        with self._lock:
            held = self._values.pop(name, None)
            if held is None or held[0] != stamp:
                return None
            self._values[name] = held
            return held

    @contextmanager
    def _turn(self, name: str) -> Iterator[None]:
        """Wait until nobody else makes the value of that name."""
        with self._lock:
            turn = self._turns.setdefault(name, _Turn())
            turn.wanted += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._lock:
                turn.wanted -= 1
                if not turn.wanted:
                    del self._turns[name]

    def held(self, name: str, stamp: Stamp) -> T | None:
        """A value that is known and still good."""
        with self._lock:
            held = self._values.get(name)
            return held[1] if held is not None and held[0] == stamp else None

    def keep(self, names: Iterable[str]) -> None:
        """Forget all but some values."""
        with self._lock:
            kept = set(names)
            self._values = {name: held for name, held in self._values.items() if name in kept}


def stamp_of(folder: Path, *names: str) -> Stamp:
    """What changes whenever one of some files is written, replaced or removed.

    Args:
        folder: Where they lie.
        *names: Their names; they need not be there.
    """
    return tuple(_state(f"{folder}/{name}") for name in names)


def _state(file: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(file)  # noqa: PTH116  # of thousands of files, paths would cost half the time
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
