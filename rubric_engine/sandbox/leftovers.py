"""Ending whatever a run has left behind."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PATIENCE_S = 2.0
_PAUSE_S = 0.005
_PROC = Path("/proc")


def signal_group(group: int, number: signal.Signals) -> None:
    """Send a signal to a process group, if there is still any of it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def kill_leftovers(leader: int, mark: bytes) -> None:
    """Kill every process of a run, also those that left its process group.

    Covered on Linux: the group, the session, and each process whose environment at its start held
    the mark, which is inherited through `setsid`, `nohup` and double forks. Not covered: a process
    that leaves the session *and* starts with an emptied environment, or that runs as another
    user. Elsewhere only the group is covered.

    Args:
        leader: Process id of the script, which leads its session and group.
        mark: ``NAME=value`` as it stands in the environment.
    """
    signal_group(leader, signal.SIGKILL)
    end = time.monotonic() + _PATIENCE_S
    while found := list(_members(leader, mark)):
        for process in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if time.monotonic() > end:
            return  # it hangs in the kernel, or forks faster than it can be killed
        time.sleep(_PAUSE_S)


def _members(leader: int, mark: bytes) -> Iterator[int]:
    for name in os.listdir(_PROC) if _PROC.is_dir() else []:  # noqa: PTH208 (names are wanted)
        if name.isdecimal():
            with suppress(OSError):
                if _belongs(_PROC / name, leader, mark):
                    yield int(name)


def _belongs(process: Path, leader: int, mark: bytes) -> bool:
    # "pid (name) state parent group session ...", and the name may hold anything.
    state, _, _, session = (process / "stat").read_bytes().rpartition(b")")[2].split()[:4]
    if state in (b"Z", b"X"):
        return False
    return int(session) == leader or mark in (process / "environ").read_bytes().split(b"\0")
