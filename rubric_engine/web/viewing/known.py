"""Values that were worked out from files, and stay good until one of the files changes."""

from __future__ import annotations

import threading
from collections.abc import Callable
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


def stamp_of(*files: Path) -> Stamp:
    """What changes whenever one of some files is written, replaced or removed.

    Args:
        *files: The files; they need not be there.
    """
    return tuple(map(_state, files))


def _state(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
