"""Files that a run made and whose times say otherwise: evidence for people, no proof."""

from __future__ import annotations

import os
from collections.abc import Iterable
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
    found: dict[str, int] = {}
    with suppress(OSError), Tree(folder) as tree:
        for path in sorted(paths):
            time = _time(tree, path)
            if time is not None and not begin <= time <= end:
                found[path] = int(time)
    return found


def _time(tree: Tree, path: str) -> float | None:
    above, _, name = path.rpartition("/")
    with suppress(OSError):
        return os.stat(name, dir_fd=tree.folder(above), follow_symlinks=False).st_mtime
    return None
