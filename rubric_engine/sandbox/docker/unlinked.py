"""Bytes in files that are open and have no name any more: an engine's count does not see them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rubric_engine.sandbox.docker.options import BOX

_PROC = Path("/proc")
_BLOCK = 512


def unlinked_bytes(container: str, enough: int) -> int:
    """Bytes that processes of a container hold so on its volume.

    Args:
        container: Its whole id, by which the kernel of its machine groups its processes.
        enough: Bytes past which nothing more is looked at.

    Returns:
        0 where its processes are another machine's, or this user may not look into them.
    """
    held: dict[int, int] = {}
    for status in _unlinked(container):
        held[status.st_ino] = status.st_blocks * _BLOCK
        if sum(held.values()) > enough:
            break
    return sum(held.values())


def _unlinked(container: str) -> Iterator[os.stat_result]:
    for process in _processes(container):
        with suppress(OSError):
            volume = (process / "root" / BOX.strip("/")).stat().st_dev
            for status in _held(process):
                if (
                    status.st_nlink == 0
                    and status.st_dev == volume
                    and stat.S_ISREG(status.st_mode)
                ):
                    yield status


def _processes(container: str) -> Iterator[Path]:
    for name in os.listdir(_PROC) if _PROC.is_dir() else []:  # noqa: PTH208 (names are wanted)
        with suppress(OSError):
            if name.isdecimal() and container.encode() in (_PROC / name / "cgroup").read_bytes():
                yield _PROC / name


def _held(process: Path) -> Iterator[os.stat_result]:
    """All that a process has mapped or open; each of its threads may have files of its own."""
    for folder in (process / "map_files", *(process / "task").glob("*/fd")):
        with suppress(OSError):
            yield from _stats(folder)


def _stats(folder: Path) -> Iterator[os.stat_result]:
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):  # closed meanwhile
                yield entry.stat()
