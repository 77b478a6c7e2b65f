"""Writing below a root of our own, as safely as `tree` reads."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable

from rubric_engine.errors import StorageError
from rubric_engine.submission.tree import Tree, reason_of

# Read and write for us, execute where it was executable; never setuid, never for others.
_PLAIN, _EXECUTABLE, _PRIVATE_FOLDER = 0o600, 0o700, 0o700
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

_LATEST = float(2**31 - 1)
"""Seconds since 1970 that every file system can keep."""


class TreeWriter(Tree):
    """A `Tree` that can also be written to; nothing that exists is ever written through."""

    def make_folder(self, path: str) -> None:
        """Make a folder and those above it; one that exists is left as it is.

        Raises:
            OSError: Something that is no folder stands in the way, or the disk refuses.
        """
        missing = []
        while path:
            try:
                self.folder(path)
                break
            except FileNotFoundError:
                missing.append(path)
                path = path.rpartition("/")[0]
        for folder in reversed(missing):
            above, _, name = folder.rpartition("/")
            os.mkdir(name, _PRIVATE_FOLDER, dir_fd=self.folder(above))

    def write_file(self, path: str, chunks: Iterable[bytes], *, executable: bool) -> None:
        """Write a new file into a folder that exists.

        Raises:
            OSError: Something stands there already, or the disk refuses.
        """
        folder, _, name = path.rpartition("/")
        mode = _EXECUTABLE if executable else _PLAIN
        descriptor = os.open(name, _NEW_FILE, mode, dir_fd=self.folder(folder))
        with os.fdopen(descriptor, "wb") as sink:
            for chunk in chunks:
                sink.write(chunk)

    def set_time(self, path: str, seconds: float) -> None:
        """Set when a file was last changed, in seconds since 1970, as far as a system can."""
        folder, _, name = path.rpartition("/")
        whole = 0.0 if math.isnan(seconds) else min(max(seconds, 0.0), _LATEST)
        os.utime(name, (whole, whole), dir_fd=self.folder(folder), follow_symlinks=False)

    def make_link(self, path: str, target: str) -> None:
        """Make a symbolic link in a folder that exists."""
        folder, _, name = path.rpartition("/")
        os.symlink(target, name, dir_fd=self.folder(folder))

    def remove_file(self, path: str) -> None:
        """Remove a file or a link."""
        folder, _, name = path.rpartition("/")
        os.unlink(name, dir_fd=self.folder(folder))


def storage_error(error: OSError, doing: str) -> StorageError:
    """The error for a disk that refuses; `doing` is such as "copying the submission"."""
    return StorageError(
        f"{doing} failed: {reason_of(error)}",
        fix=["free some space, or set TMPDIR to a folder on a disk that has room"],
    )
