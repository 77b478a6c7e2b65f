"""Ending whatever a run has left behind."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_PATIENCE_S = 2.0
_PAUSE_S = 0.005
_PROC = Path("/proc")


@dataclass(frozen=True)
class Traces:
    """What the processes of a run are known by.

    Attributes:
        leader: Process id of the script, which leads its session and group.
        mark: ``NAME=value`` as it stands in the environment.
        folder: The folder that the run works in, without links in its path.
    """

    leader: int
    mark: bytes
    folder: bytes


def signal_group(group: int, number: signal.Signals) -> None:
    """Send a signal to a process group, if there is still any of it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def kill_leftovers(traces: Traces) -> None:
    """Kill every process of a run that its launcher did not get at, having been killed itself.

    Covered on Linux: the group, the session, each process whose environment at its start held the
    mark, which is inherited through `setsid`, `nohup` and double forks, and each that works in the
    run's folder. Not covered: a process that leaves the session *and* starts with an emptied
    environment *and* works elsewhere, or that runs as another user. Elsewhere only the group is
    covered.
    """
    signal_group(traces.leader, signal.SIGKILL)
    end = time.monotonic() + _PATIENCE_S
    while found := list(_members(traces)):
        for process in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if time.monotonic() > end:
            return  # it hangs in the kernel, or forks faster than it can be killed
        time.sleep(_PAUSE_S)


def _members(traces: Traces) -> Iterator[int]:
    for name in os.listdir(_PROC) if _PROC.is_dir() else []:  # noqa: PTH208 (names are wanted)
        if name.isdecimal() and int(name) != os.getpid() and _belongs(_PROC / name, traces):
            yield int(name)


def _belongs(process: Path, traces: Traces) -> bool:
    try:
        # "pid (name) state parent group session ...", and the name may hold anything.
        stat = (process / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return False
    if stat[0] in (b"Z", b"X"):
        return False
    return int(stat[3]) == traces.leader or _is_marked(process, traces) or _is_in(process, traces)


def _is_marked(process: Path, traces: Traces) -> bool:
    with suppress(OSError):
        return traces.mark in (process / "environ").read_bytes().split(b"\0")
    return False


def _is_in(process: Path, traces: Traces) -> bool:
    with suppress(OSError):
        place = os.fsencode((process / "cwd").readlink())
        return (place + b"/").startswith(traces.folder + b"/")
    return False
