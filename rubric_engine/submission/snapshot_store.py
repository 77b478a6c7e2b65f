"""Putting the contents of a submission into the objects of a snapshot folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rubric_engine.submission.reading import changed
from rubric_engine.submission.removing import remove_tree
from rubric_engine.submission.snapshot_file import Part
from rubric_engine.submission.tree import Tree, TreeEntry, scan
from rubric_engine.submission.walking import walk
from rubric_engine.submitted import Submission


def store(submission: Submission, folder: Path) -> tuple[Part, ...]:
    """Export a submission into the folder and move every content to its place.

    Returns:
        What the export held, folders before what lies in them.

    Raises:
        SubmissionError: A file is no longer what the index says.
        OSError: The disk refuses.
    """
    objects = folder / "objects"
    objects.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".snapshot-", dir=folder))
    try:
        submission.export(work)
        parts = tuple(_move(work, objects))
    finally:
        remove_tree(work)
    _require_all(submission, parts)
    return parts


def _move(work: Path, objects: Path) -> Iterator[Part]:
    hashes = {file.path: file.sha256 for file in walk(work, ()).entries}
    with Tree(work) as tree:
        for entry in scan(tree):
            if entry.kind == "folder":
                yield Part(entry.path, "folder")
            elif entry.kind == "link":
                yield Part(entry.path, "link", target=tree.read_link(entry.path))
            elif sha256 := hashes.get(entry.path):
                _keep(entry, tree, objects / sha256[:2] / sha256)
                yield Part(entry.path, "file", sha256, bool(entry.mode & 0o100))


def _keep(entry: TreeEntry, tree: Tree, place: Path) -> None:
    if place.exists():
        return
    place.parent.mkdir(exist_ok=True)
    folder, _, name = entry.path.rpartition("/")
    os.replace(name, place, src_dir_fd=tree.folder(folder))


def _require_all(submission: Submission, parts: tuple[Part, ...]) -> None:
    hashes = {part.path: part.sha256 for part in parts}
    for file in submission.files:
        if hashes.get(file.path) != file.sha256:
            raise changed(file.path)
