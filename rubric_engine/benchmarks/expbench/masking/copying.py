"""Writing what is left of a repository to a new folder, with a history of one commit."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from rubric_engine.benchmarks.expbench.masking.repository import Repository
from rubric_engine.errors import StorageError
from rubric_engine.rundir import storing
from rubric_engine.sandbox.history import renew_history
from rubric_engine.submission.removing import remove_tree
from rubric_engine.submission.tree import Tree
from rubric_engine.submission.writing import TreeWriter

_CHUNK = 1 << 20
_HEAD = Path(".git/refs/heads/main")
_INDEX = Path(".git/index")
_COUNT = slice(8, 12)  # of the index's files, in its header


class Written(NamedTuple):
    """A copy that was written.

    Attributes:
        commit: Id of its one commit, which follows from the files alone.
        untracked: How many files and links git could not take, for their names.
    """

    commit: str
    untracked: int


def write_masked(repository: Repository, folder: Path) -> Written:
    """Copy the files and links, and commit them all as one.

    Args:
        repository: What is to be there.
        folder: Where; it is missing or empty, and is there whole or not at all.

    Raises:
        StorageError: It cannot be written, or git is missing or fails.
    """
    folder = folder.absolute()
    with storing(folder), _staged(folder) as stage:
        _copy(repository, stage)
        if not renew_history(stage, wanted=True):
            raise StorageError(
                "git is missing or failed, so there is no history of one commit",
                code="E618",
                fix=["git --version   says whether it is installed"],
            )
        taken = int.from_bytes((stage / _INDEX).read_bytes()[_COUNT], "big")
        commit = (stage / _HEAD).read_text(encoding="ascii").strip()
        _open_to_all(stage)
        if folder.is_dir():
            folder.rmdir()
        stage.rename(folder)
    return Written(commit, len(repository.files) + len(repository.links) - taken)


@contextmanager
def _staged(folder: Path) -> Iterator[Path]:
    """A new folder beside the one that is to be; it is gone at the end, unless it was moved."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    stage = folder.with_name(f".{folder.name}-{uuid.uuid4().hex[:8]}")
    stage.mkdir(mode=0o700)
    try:
        yield stage
    finally:
        remove_tree(stage)


def _copy(repository: Repository, stage: Path) -> None:
    with Tree(repository.root) as tree, TreeWriter(stage) as copy:
        for folder in repository.folders:
            copy.make_folder(folder)
        for path, entry in repository.files.items():
            chunks = _chunks(tree.open_file(path))
            copy.write_file(path, chunks, executable=bool(entry.mode & 0o100))
        for path, target in repository.links.items():
            copy.make_link(path, target)


def _chunks(descriptor: int) -> Iterator[bytes]:
    with os.fdopen(descriptor, "rb") as content:
        while chunk := content.read(_CHUNK):
            yield chunk


def _open_to_all(stage: Path) -> None:
    """Let others read what they could read in a clone: the copy was made for us alone."""
    stage.chmod(0o755)
    for folder, inner, names in os.walk(stage):
        if Path(folder) == stage:
            inner.remove(".git")
        for name in inner:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o755)
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
