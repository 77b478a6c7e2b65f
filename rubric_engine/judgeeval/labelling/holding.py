"""Holding a record, so that no second process writes it."""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from rubric_engine.errors import StorageError
from rubric_engine.rundir import storing
from rubric_engine.state import state_folder

ROOM = 64_000
"""Bytes that must be free at the start: some hundred labels."""


@contextmanager
def holding(path: Path, name: str) -> Iterator[int]:
    """Open a record for one process alone; a file in which nothing was written goes again.

    A lock on the record itself keeps other users and machines out. It goes with a file that is
    deleted or replaced, so that a second lock lies in the user's state folder.

    Args:
        path: The record.
        name: Whose it is.

    Yields:
        Its descriptor, to read and to add to.

    Raises:
        StorageError: Somebody else holds it, or it cannot be written.
    """
    with ExitStack() as stack:
        with suppress(OSError):  # a state folder that cannot be written: the other lock holds
            stack.enter_context(_locked(_lock_of(path), path, name))
        with storing(path):
            _require_room(path.parent)
            descriptor = stack.enter_context(_locked(path, path, name))
        try:
            yield descriptor
        finally:
            if is_at(descriptor, path) and not os.fstat(descriptor).st_size:
                path.unlink(missing_ok=True)


def is_at(descriptor: int, path: Path) -> bool:
    """Whether an open file is what stands at a path.

    Args:
        descriptor: The file.
        path: The path.
    """
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False


@contextmanager
def _locked(file: Path, path: Path, name: str) -> Iterator[int]:
    with file.open("ab+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = is_at(lock.fileno(), file)  # else it went with who held it
        except BlockingIOError:
            is_ours = False
        if not is_ours:
            raise StorageError(
                f"the labels of {name!r} are being written by another process",
                code="E902",
                looked=[str(path)],
                fix=[f"end the `rubric-engine label serve` of {name}, or wait for it"],
            )
        yield lock.fileno()


def _lock_of(path: Path) -> Path:
    folder = state_folder() / "labels"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    place = os.fsencode(os.path.realpath(path))
    return folder / f"{hashlib.sha256(place).hexdigest()}.lock"


def _require_room(folder: Path) -> None:
    """A disk that is full takes no label, and a small file may still be opened there."""
    with tempfile.TemporaryFile(dir=folder) as probe:
        probe.write(bytes(ROOM))
        probe.flush()
        os.fsync(probe.fileno())
