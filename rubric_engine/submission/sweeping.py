"""Removing the temporary folders that a process of ours left when it was killed."""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path

from rubric_engine.submission.removing import OPEN_FOLDER, empty_folder

UNLOCKED = "rubric-engine-unlocked-"
"""How the names of our temporary folders begin where they cannot be locked: never swept."""

_LOCKED = "rubric-engine-scratch-"
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_MOST_NAMES = 10_000
_MOST_FOLDERS = 16
_YOUNGEST_S = 60.0


@cache
def prefix() -> str:
    """How the names of our temporary folders begin where they are locked.

    It names this machine since its last start: on a shared disk, a lock that another machine
    holds may not be seen here.
    """
    machine = os.uname().nodename
    with suppress(OSError):
        machine += _BOOT.read_text(encoding="ascii")
    return f"{_LOCKED}{hashlib.sha256(machine.encode()).hexdigest()[:12]}-"


@cache
def sweep_once(place: str) -> None:
    """Sweep a folder of temporary files, the first time that this process asks."""
    with suppress(OSError):
        sweep(place, older_than=_YOUNGEST_S)


def sweep(place: str, *, older_than: float) -> None:
    """Remove our folders there whose owner no longer lives.

    Ours are those with this machine's prefix that this user owns and that nobody holds a lock on:
    the system drops a process's lock however it ends. Few are removed at a time, so that no start
    is slow.

    Args:
        place: The folder of temporary files.
        older_than: Seconds; younger ones may be about to be locked.

    Raises:
        OSError: The folder cannot be read.
    """
    parent = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for name in islice(_names(parent), _MOST_FOLDERS):
            with suppress(OSError):
                _sweep_one(parent, name, time.time() - older_than)
    finally:
        os.close(parent)


def _names(parent: int) -> Iterator[str]:
    with os.scandir(parent) as entries:
        for entry in islice(entries, _MOST_NAMES):
            if entry.name.startswith(prefix()) and entry.is_dir(follow_symlinks=False):
                yield entry.name


def _sweep_one(parent: int, name: str, before: float) -> None:
    descriptor = os.open(name, OPEN_FOLDER, dir_fd=parent)
    try:
        status = os.fstat(descriptor)
        if status.st_uid != os.getuid() or status.st_ctime >= before:
            return
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        empty_folder(descriptor)
        os.rmdir(name, dir_fd=parent)
    finally:
        os.close(descriptor)
