"""The lock of a run's folder: one process writes it at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rubric_engine.errors import StorageError
from rubric_engine.rundir.disk import storing


def locked(path: Path) -> Any:
    """Hold a folder that no other process may write; closing what comes back lets it go.

    Raises:
        StorageError: Another process holds it.
    """
    lock = (path / "lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise StorageError(
            f"{path} is being written by another process (pid {holder})",
            code="E902",
            fix=[f"wait for it, or end it: kill {holder}"],
        ) from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock of a run that this process does not write.

    Raises:
        StorageError: Another process writes it, or the folder is not writable.
    """
    with storing(path):
        lock = locked(path)
    try:
        yield
    finally:
        lock.close()


def is_written(path: Path) -> bool:
    """Whether a process writes a run at this moment."""
    try:
        with (path / "lock").open("r") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
