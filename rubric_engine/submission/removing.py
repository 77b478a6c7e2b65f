"""Removing folders of ours with all that a script may have left in them."""

from __future__ import annotations

import itertools
import os
import stat
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rubric_engine.submission.tree import give_mode

OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""Flags that open a folder and never what a link points to."""


def remove_tree(root: Path) -> None:
    """Remove a folder of ours; what cannot be removed stays."""
    try:
        descriptor = os.open(root, OPEN_FOLDER)
    except OSError:
        return
    try:
        empty_folder(descriptor)
    finally:
        os.close(descriptor)
    with suppress(OSError):
        root.rmdir()


def empty_folder(root: int) -> None:
    """Remove all that an open folder of ours holds, whatever depth and modes a script left.

    Every folder is first moved up to the root and then emptied there, so that no path gets long
    and nothing recurses. What cannot be removed stays.
    """
    unused = uuid.uuid4().hex
    new_names = (f"{unused}-{number}" for number in itertools.count())
    pending = _clear(root, root, None)
    while pending:
        name = pending.pop()
        try:
            descriptor = os.open(name, OPEN_FOLDER, dir_fd=root)
        except OSError:
            continue
        try:
            pending += _clear(descriptor, root, new_names)
        finally:
            os.close(descriptor)
        with suppress(OSError):
            os.rmdir(name, dir_fd=root)


def _clear(folder: int, root: int, new_names: Iterator[str] | None) -> list[str]:
    """Unlink the files of a folder, move its folders to the root, return their names there."""
    folders = []
    for name in os.listdir(folder):
        try:
            if not stat.S_ISDIR(os.lstat(name, dir_fd=folder).st_mode):
                os.unlink(name, dir_fd=folder)
                continue
            give_mode(name, 0o700, folder)
            place = next(new_names) if new_names else name
            if new_names:
                os.rename(name, place, src_dir_fd=folder, dst_dir_fd=root)
            folders.append(place)
        except OSError:
            continue
    return folders
