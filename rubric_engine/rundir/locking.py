"""The lock of a run's folder: one process writes it at a time."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rubric_engine.errors import StorageError
from rubric_engine.rundir.disk import storing

_PAUSE = 0.05
"""Seconds between two tries."""


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
def exclusive(path: Path, *, patience: float = 0) -> Iterator[None]:
    """Hold the lock of a run that this process does not write.

    Args:
        path: The run.
        patience: Seconds to wait for another process.

    Raises:
        StorageError: Another process writes it, or the folder is not writable.
    """
    with storing(path):
        lock = _locked_soon(path, time.monotonic() + patience)
    try:
        yield
    finally:
        lock.close()


def _locked_soon(path: Path, end: float) -> Any:
    while True:
        try:
            return locked(path)
        except StorageError:
            if time.monotonic() >= end:
                raise
        time.sleep(_PAUSE)


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
