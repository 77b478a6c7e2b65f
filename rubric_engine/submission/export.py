"""Copying a submission's folder, for a sandbox to work on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from rubric_engine.submission.skipping import SkipRules
from rubric_engine.submission.tree import Tree, TreeEntry, scan
from rubric_engine.submission.writing import TreeWriter, storage_error

_CHUNK = 1 << 20


def export_tree(
    source: Path, target: Path, *left_out: SkipRules, fits: Callable[[str, int], bool]
) -> None:
    """Copy folders, regular files and the links that stay inside.

    Args:
        source: The folder to copy; nothing in it is followed or changed.
        target: An existing, empty folder.
        left_out: An entry is left out where every one of these rules skips it.
        fits: Tells from a file's path and bytes whether it is copied; asked once for each.

    Raises:
        OSError: The source cannot be read at all.
        StorageError: The disk refuses.
    """

    def wanted(path: str, *, folder: bool = True) -> bool:
        return not all(rules.reason(path, folder=folder) for rules in left_out)

    with Tree(source) as tree, TreeWriter(target) as copy:
        for entry in scan(tree, wanted):
            if not wanted(entry.path, folder=entry.kind == "folder"):
                continue
            if entry.kind != "file" or fits(entry.path, entry.size):
                _copy(entry, tree, copy)


def _copy(entry: TreeEntry, tree: Tree, copy: TreeWriter) -> None:
    try:
        if entry.kind == "folder":
            copy.make_folder(entry.path)
        elif entry.kind == "file":
            _copy_file(entry, tree, copy)
        elif entry.kind == "link":
            _copy_link(entry.path, tree, copy)
    except OSError as error:
        raise storage_error(error, f"copying {entry.path!r}") from error


def _copy_file(entry: TreeEntry, tree: Tree, copy: TreeWriter) -> None:
    try:
        descriptor = tree.open_file(entry.path)
    except OSError:
        return  # cannot be read; the index says so
    try:
        chunks = _chunks(descriptor, entry.size)
        copy.write_file(entry.path, chunks, executable=bool(entry.mode & 0o100))
    finally:
        os.close(descriptor)


def _chunks(descriptor: int, size: int) -> Iterator[bytes]:
    while size > 0 and (chunk := os.read(descriptor, min(_CHUNK, size))):
        yield chunk
        size -= len(chunk)


def _copy_link(path: str, tree: Tree, copy: TreeWriter) -> None:
    try:
        target = tree.read_link(path)
    except OSError:
        return  # no longer a link
    if stays_inside(path, target):
        copy.make_link(path, target)


def stays_inside(path: str, target: str) -> bool:
    """Whether a link cannot lead out of its tree, given that all other links there cannot either.

    Steps upward may only come first: after a name, which may be a link itself, they would start
    from a place that the text does not show.
    """
    if target.startswith("/"):
        return False
    parts = [part for part in target.split("/") if part not in ("", ".")]
    ups = next((number for number, part in enumerate(parts) if part != ".."), len(parts))
    return ups <= path.count("/") and ".." not in parts[ups:]
