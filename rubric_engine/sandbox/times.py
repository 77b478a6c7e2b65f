"""What the times of files say of a run: evidence for people, no proof."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from rubric_engine.submission.tree import Tree

SLACK_S = 120.0
"""Seconds by which the clock of a sandbox may differ from the host's."""


def odd_times(
    folder: Path, paths: Iterable[str], started: datetime, duration_s: float
) -> dict[str, int]:
    """Those files that were last changed before or after the run, by their own times.

    Args:
        folder: What the run left, its times as the run left them.
        paths: Files that the run made or changed, by their contents.
        started: When it began, by the host's clock.
        duration_s: Seconds that it took.

    Returns:
        Their times by path, in seconds since 1970.
    """
    begin = started.timestamp() - SLACK_S
    end = started.timestamp() + duration_s + SLACK_S
    found = times_of(folder, paths)
    return {path: int(time) for path, time in found.items() if not begin <= time <= end}


def times_of(folder: Path, paths: Iterable[str]) -> dict[str, float]:
    """When files were last changed, in seconds since 1970, by path; those alone that are there."""
    found: dict[str, float] = {}
    with suppress(OSError), Tree(folder) as tree:
        for path in sorted(paths):
            time = _time(tree, path)
            if time is not None:
                found[path] = time
    return found


def rewritten(before: Mapping[str, float], folder: Path, paths: Iterable[str]) -> tuple[str, ...]:
    """Those files that were written anew, by their own times, although their content is the same.

    Args:
        before: Their times as the run was given them.
        folder: What the run left; an archive that it went through keeps whole seconds.
        paths: Files whose content is as it was.
    """
    after = times_of(folder, before.keys() & set(paths))
    return tuple(
        path for path, time in after.items() if time not in (before[path], int(before[path]))
    )


def _time(tree: Tree, path: str) -> float | None:
    above, _, name = path.rpartition("/")
    with suppress(OSError):
        return os.stat(name, dir_fd=tree.folder(above), follow_symlinks=False).st_mtime
    return None
