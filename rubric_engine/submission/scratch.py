"""Private temporary folders that live as long as what was put into them is in use."""

from __future__ import annotations

import fcntl
import os
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path

from rubric_engine.submission.removing import OPEN_FOLDER, empty_folder
from rubric_engine.submission.sweeping import PREFIX, sweep_once
from rubric_engine.submission.writing import storage_error


class Scratch:
    """A new folder that only this user can enter, removed with the object or at exit.

    It is held open and locked from the start: a script may put something else in its place, and
    another process tells by the lock whether the owner still lives.

    Attributes:
        path: The folder.
        descriptor: The folder, open.

    Raises:
        StorageError: It cannot be made.
    """

    def __init__(self) -> None:
        try:
            sweep_once(tempfile.gettempdir())
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
            self.descriptor = os.open(self.path, OPEN_FOLDER)
        except OSError as error:
            raise storage_error(error, "making a temporary folder") from error
        with suppress(OSError):  # a disk that knows no locks; nobody will sweep there either
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.remove = weakref.finalize(self, _remove, self.path, self.descriptor)

    @property
    def in_place(self) -> bool:
        """Whether the folder still stands where it was made."""
        return _in_place(self.path, self.descriptor)


def _in_place(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except OSError:
        return False


def _remove(path: Path, descriptor: int) -> None:
    """Remove the folder; one that was moved away is left alone, and so is what took its place."""
    try:
        if _in_place(path, descriptor):
            os.fchmod(descriptor, 0o700)
            empty_folder(descriptor)
            path.rmdir()
    except OSError:
        return
    finally:
        os.close(descriptor)
