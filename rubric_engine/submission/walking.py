"""The one walk over a submission: every entry with its size, hash, kind and why it is skipped."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from rubric_engine.files import SNIFF_BYTES, File, FileIndex, sniff
from rubric_engine.submission.limits import Budget, TreeLimits
from rubric_engine.submission.skipping import SkipRules
from rubric_engine.submission.tree import Tree, TreeEntry, reason_of, scan

_CHUNK = 1 << 20
_LFS = "Git LFS pointer, not the file itself: run git lfs pull"


def walk(
    root: Path, skip: Sequence[str] | None = None, limits: TreeLimits | None = None
) -> FileIndex:
    """Index a folder without following a link or opening anything but files and folders.

    Args:
        root: The folder.
        skip: Patterns, as in a .gitignore file, of what is skipped; None stands for `files.SKIP`.
            Folders that match are listed once and not looked into.
        limits: How much is read; a file past them is listed as too large, and never opened.

    Returns:
        All files, and every link, special file and skipped or unreadable folder with its reason.
        What vanishes or changes meanwhile is indexed as it was found.

    Raises:
        OSError: The root is not a folder that can be read.
        UsageError: A pattern is not valid.
    """
    rules = SkipRules(skip)
    with Tree(root) as tree:
        return FileIndex.of(_files(tree, rules, Budget(limits or TreeLimits())))


def _files(tree: Tree, rules: SkipRules, budget: Budget) -> Iterator[File]:
    for entry in scan(tree, lambda path: rules.reason(path, folder=True) is None):
        if entry.kind == "file":
            yield _file(tree, entry, rules.reason(entry.path, folder=False), budget)
        elif entry.kind == "folder":
            reason = rules.reason(entry.path, folder=True)
            if reason is None and entry.trouble is not None:
                reason = f"cannot be read: {entry.trouble}"
            if reason is not None:
                yield File(entry.path, 0, None, "folder", reason)
        elif entry.kind == "link":
            yield File(entry.path, entry.size, None, "link", _link_reason(tree, entry.path))
        else:
            yield File(entry.path, 0, None, "special", f"{_special(entry.mode)} (never opened)")


def _file(tree: Tree, entry: TreeEntry, reason: str | None, budget: Budget) -> File:
    if reason is None and not budget.take(entry.size):
        return File(entry.path, entry.size, None, "binary", f"too large: {entry.size:,} bytes")
    try:
        descriptor = tree.open_file(entry.path)
    except OSError as error:
        return File(entry.path, entry.size, None, "binary", f"cannot be read: {reason_of(error)}")
    try:
        head = _head(descriptor)
        if reason is not None:
            return File(entry.path, entry.size, None, sniff(head), reason)
        size, sha256 = _measure(descriptor, head, entry.size)
    except OSError as error:
        return File(entry.path, entry.size, None, "binary", f"cannot be read: {reason_of(error)}")
    finally:
        os.close(descriptor)
    kind = sniff(head)
    return File(entry.path, size, sha256, kind, _LFS if kind == "lfs_pointer" else None)


def _head(descriptor: int) -> bytes:
    return os.read(descriptor, SNIFF_BYTES)


def _measure(descriptor: int, head: bytes, end: int) -> tuple[int, str]:
    """Size and hash of the first `end` bytes; a file that grows is not chased."""
    head = head[:end]
    digest = hashlib.sha256(head)
    size = len(head)
    while size < end and (chunk := os.read(descriptor, min(_CHUNK, end - size))):
        digest.update(chunk)
        size += len(chunk)
    return size, digest.hexdigest()


def _link_reason(tree: Tree, path: str) -> str:
    try:
        # repr, because a target may hold anything: newlines, terminal codes, bidi marks.
        return f"link to {tree.read_link(path)!r} (never followed)"
    except OSError:
        return "link (never followed)"


def _special(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "pipe"
    return "socket" if stat.S_ISSOCK(mode) else "device"
