"""Private temporary folders that live as long as what was put into them is in use."""

from __future__ import annotations

import itertools
import os
import stat
import tempfile
import uuid
import weakref
from collections.abc import Iterator
from pathlib import Path

from rubric_engine.submission.writing import storage_error

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Scratch:
    """A new folder that only this user can enter, removed with the object or at exit.

    Attributes:
        path: The folder.

    Raises:
        StorageError: It cannot be made.
    """

    def __init__(self) -> None:
        try:
            self.path = Path(tempfile.mkdtemp(prefix="rubric-engine-"))
        except OSError as error:
            raise storage_error(error, "making a temporary folder") from error
        self.remove = weakref.finalize(self, remove_tree, self.path)


def remove_tree(root: Path) -> None:
    """Remove a folder of ours with all that it holds, whatever depth and modes a script left.

    Every folder is first moved up to the root and then emptied there, so that no path gets long
    and nothing recurses. What cannot be removed stays.
    """
    try:
        root.chmod(0o700)
        descriptor = os.open(root, _FOLDER)
    except OSError:
        return
    try:
        _empty(descriptor)
    finally:
        os.close(descriptor)
    _quietly_remove_folder(root)


def _empty(root: int) -> None:
    unused = uuid.uuid4().hex
    new_names = (f"{unused}-{number}" for number in itertools.count())
    pending = _clear(root, root, None)
    while pending:
        name = pending.pop()
        try:
            descriptor = os.open(name, _FOLDER, dir_fd=root)
        except OSError:
            continue
        try:
            pending += _clear(descriptor, root, new_names)
        finally:
            os.close(descriptor)
        _quietly_remove_folder(name, root)


def _clear(folder: int, root: int, new_names: Iterator[str] | None) -> list[str]:
    """Unlink the files of a folder, move its folders to the root, return their names there."""
    folders = []
    for name in os.listdir(folder):
        try:
            if not stat.S_ISDIR(os.lstat(name, dir_fd=folder).st_mode):
                os.unlink(name, dir_fd=folder)
                continue
            os.chmod(name, 0o700, dir_fd=folder)
            place = next(new_names) if new_names else name
            if new_names:
                os.rename(name, place, src_dir_fd=folder, dst_dir_fd=root)
            folders.append(place)
        except OSError:
            continue
    return folders


def _quietly_remove_folder(name: str | Path, parent: int | None = None) -> None:
    try:
        os.rmdir(name, dir_fd=parent)
    except OSError:
        return
