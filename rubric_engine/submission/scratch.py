"""Private temporary folders that live as long as what was put into them is in use."""

from __future__ import annotations

import fcntl
import os
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path

from rubric_engine.submission.removing import OPEN_FOLDER, empty_folder
from rubric_engine.submission.sweeping import UNLOCKED, prefix, sweep_once
from rubric_engine.submission.writing import storage_error


class Scratch:
    """A new folder that only this user can enter, removed with the object or at exit.

    It is held open and locked from the start: a script may put something else in its place, and
    another process tells by the lock whether the owner still lives. Only the process that made it
    removes it; one that was forked off lets go of it.

    Attributes:
        path: The folder.
        descriptor: The folder, open.

    Raises:
        StorageError: It cannot be made.
    """

    def __init__(self) -> None:
        try:
            sweep_once(tempfile.gettempdir())
            self.path, self.descriptor = _make()
        except OSError as error:
            raise storage_error(error, "making a temporary folder") from error
        self.remove = weakref.finalize(self, _remove, self.path, self.descriptor, os.getpid())

    @property
    def in_place(self) -> bool:
        """Whether the folder still stands where it was made."""
        return _in_place(self.path, self.descriptor)


def _make() -> tuple[Path, int]:
    path = Path(tempfile.mkdtemp(prefix=prefix()))
    descriptor = os.open(path, OPEN_FOLDER)
    if _locked(descriptor):
        return path, descriptor
    os.close(descriptor)
    path.rmdir()
    path = Path(tempfile.mkdtemp(prefix=UNLOCKED))
    return path, os.open(path, OPEN_FOLDER)


def _locked(descriptor: int) -> bool:
    """Lock the folder; False on a disk that knows no locks, or has none left."""
    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _in_place(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except OSError:
        return False


def _remove(path: Path, descriptor: int, owner: int) -> None:
    """Remove the folder; one that was moved away is left alone, and so is what took its place."""
    try:
        if os.getpid() == owner and _in_place(path, descriptor):
            os.fchmod(descriptor, 0o700)
            empty_folder(descriptor)
            path.rmdir()
    except OSError:
        return
    finally:
        os.close(descriptor)
