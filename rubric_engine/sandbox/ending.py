"""From the exit code of `reproduce.sh` to how its run ended, alike in every sandbox.

By the convention of shells, 128 + n stands for signal n. Engines tell no more than this code, so
nobody can tell a script that got a signal from one that passes on that of a child, or that says
`exit 137` itself; all of them end alike, here as there.
"""

from __future__ import annotations

import signal

from rubric_engine.isolation import ExecutionStatus

KILLS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
"""What a process is ended with, by itself or by another one. Other signals, such as that of a
violation of memory, are faults of a program: the script failed."""

_BY_SIGNAL = 128
_KNOWN = frozenset(int(known) for known in signal.Signals)


def signal_of(exit_code: int) -> int | None:
    """The signal that an exit code stands for, if it does."""
    number = exit_code - _BY_SIGNAL
    return number if number in _KNOWN else None


def status_of(exit_code: int, *, oom: bool = False) -> ExecutionStatus:
    """How a script ended that nobody stopped.

    Args:
        exit_code: Its own; 128 + n for signal n.
        oom: Whether the kernel killed any of its processes for memory.
    """
    if exit_code == 0:
        return "ok"
    number = signal_of(exit_code)
    if oom and number == signal.SIGKILL:
        return "oom"
    if number == signal.SIGXFSZ:
        return "disk_full"
    return "killed" if number in KILLS else "failed"
