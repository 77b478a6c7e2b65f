"""What a writer that was killed left beside the folder that it wrote to."""

from __future__ import annotations

import re
import time
from collections.abc import Set
from contextlib import suppress
from pathlib import Path

from rubric_engine.kept.log_file import LOG
from rubric_engine.submission.removing import remove_tree

_HALF_LOG = f".{LOG}.half"
_YOUNGEST_S = 3600.0


def sweep_beside(folder: Path, names: Set[str]) -> None:
    """Put back what was moved out of the way of a folder that is missing, and remove the rest.

    Half-written folders stay for an hour, as another process may be writing them.

    Args:
        folder: The folder; beside it, `.NAME-<8 hex>` was half written, and what ends in `-old` is
            what stood in its place before.
        names: All that such a folder holds; one that holds anything else is not ours.
    """
    with suppress(OSError):  # what is to be written counts for more
        _sweep(folder, names | {_HALF_LOG})


def _sweep(folder: Path, names: Set[str]) -> None:
    named = re.compile(rf"\.{re.escape(folder.name)}-[0-9a-f]{{8}}(-old)?")
    beside = sorted(folder.parent.iterdir()) if folder.parent.is_dir() else []
    for path in beside:
        match = named.fullmatch(path.name)
        if match is None or not _is_ours(path, names):
            continue
        if match[1] and not folder.exists():
            path.rename(folder)
        elif match[1] or time.time() - path.stat().st_mtime > _YOUNGEST_S:
            remove_tree(path)


def _is_ours(path: Path, names: Set[str]) -> bool:
    """Whether it is a folder that holds what we write, and nothing else."""
    if path.is_symlink() or not path.is_dir():
        return False
    return {entry.name for entry in path.iterdir()} <= names
