"""What lies in the folder of a repository, found without git: its settings are not ours to follow.

No link is followed, and no history is looked into: neither the repository's own, nor those of
submodules, nor one that lies among the files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rubric_engine.benchmarks.expbench.masking.histories import HEAD_BYTES, history_in, is_git
from rubric_engine.submission.export import stays_inside
from rubric_engine.submission.tree import Tree, TreeEntry, reason_of, scan

MAX_READ = 50_000_000
"""Bytes of the largest file that is looked into."""

MODULES = ".gitmodules"


@dataclass
class Repository:
    """The entries of a folder.

    Attributes:
        root: The folder.
        files: All files by path.
        folders: All folders, in an order in which they can be made.
        links: Targets of links by their paths.
        left_out: What is never copied, with the reason.
    """

    root: Path
    files: dict[str, TreeEntry] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def drop(self, path: str, why: str) -> None:
        """Leave a file or a link out."""
        self.files.pop(path, None)
        self.links.pop(path, None)
        self.left_out[path] = why


def look_over(root: Path) -> Repository:
    """List what lies in a repository's folder.

    Raises:
        OSError: The folder cannot be read.
    """
    found = Repository(root)
    with Tree(root) as tree:
        for entry in scan(tree, lambda path: not is_git(path)):
            _take(found, entry, tree)
        _drop_histories(found, tree)
    return found


def empty_modules(found: Repository) -> list[str]:
    """Submodules that hold nothing: they were never checked out."""
    if MODULES not in found.files:
        return []
    with suppress(OSError), Tree(found.root) as tree:
        text = read(tree, found.files[MODULES]).decode("utf-8", "replace")
        settings = (line.partition("=") for line in text.splitlines())
        named = (value.strip().strip("\"'/") for key, _, value in settings if key.strip() == "path")
        held = {folder for file in found.files for folder in _above(file)}
        return [path for path in named if path not in held]
    return []


def _above(path: str) -> Iterator[str]:
    parts = path.split("/")
    return ("/".join(parts[:end]) for end in range(1, len(parts)))


def read(tree: Tree, entry: TreeEntry) -> bytes:
    """The content of a file, its first `MAX_READ` bytes.

    Raises:
        OSError: It cannot be read.
    """
    descriptor = tree.open_file(entry.path)
    with os.fdopen(descriptor, "rb") as content:
        return content.read(MAX_READ)


def _take(found: Repository, entry: TreeEntry, tree: Tree) -> None:
    path = entry.path
    if is_git(path):
        found.left_out[path] = "the history, and settings of git"
    elif entry.trouble is not None:
        found.left_out[path] = f"cannot be read: {entry.trouble}"
    elif entry.kind == "file":
        found.files[path] = entry
    elif entry.kind == "folder":
        found.folders.append(path)
    elif entry.kind == "link":
        _take_link(found, path, tree)
    else:
        found.left_out[path] = "neither a file nor a folder"


def _take_link(found: Repository, path: str, tree: Tree) -> None:
    try:
        target = tree.read_link(path)
    except OSError as error:
        found.left_out[path] = f"cannot be read: {reason_of(error)}"
        return
    if stays_inside(path, target):
        found.links[path] = target
    else:
        found.left_out[path] = f"a link to {target!r}, which leads out"


def _drop_histories(found: Repository, tree: Tree) -> None:
    """Leave out repositories without files, bundles, packs, objects: they may hold anything."""
    for folder in list(_bare(found)):
        found.folders = [path for path in found.folders if not _within(path, folder)]
        for path in [path for path in (*found.files, *found.links) if _within(path, folder)]:
            found.files.pop(path, None)
            found.links.pop(path, None)
        found.left_out[folder] = "a repository of its own, with its history"
    for path, entry in list(found.files.items()):
        what = _history(tree, entry)
        if what is not None:
            found.drop(path, what)


def _bare(found: Repository) -> Iterator[str]:
    folders = set(found.folders)
    for folder in found.folders:
        parts = (f"{folder}/objects", f"{folder}/refs")
        if f"{folder}/HEAD" in found.files and folders.issuperset(parts):
            yield folder


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _history(tree: Tree, entry: TreeEntry) -> str | None:
    """What kind of git's history a file holds, by its first bytes; also why it cannot be read."""
    try:
        descriptor = tree.open_file(entry.path)
    except OSError as error:
        return f"cannot be read: {reason_of(error)}"
    with os.fdopen(descriptor, "rb") as content:
        return history_in(entry.path, content.read(HEAD_BYTES))
