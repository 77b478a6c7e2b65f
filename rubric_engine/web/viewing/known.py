"""Values that were worked out from files, and stay good until one of the files changes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")

Stamp = tuple[object, ...]


class Known(Generic[T]):
    """Remembers the last values, by name.

    Args:
        most: How many values are kept; those that were asked for longest ago go first.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[str, tuple[Stamp, T]] = {}
        self._lock = threading.Lock()

    def get(self, name: str, stamp: Stamp, make: Callable[[], T]) -> T:
        """A value as it is now; who asks while it is made waits for it.

        Args:
            name: Its name.
            stamp: What it depends on; another stamp makes it anew.
            make: Makes it.
        """
        with self._lock:
            held = self._values.pop(name, None)
            value = held[1] if held is not None and held[0] == stamp else make()
            self._values[name] = (stamp, value)
            while len(self._values) > self._most:
                del self._values[next(iter(self._values))]
            return value

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
