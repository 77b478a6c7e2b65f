"""Who holds a claim, and whether they still live."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_STATE = 0
_STARTED = 19
_DEAD = ("Z", "X", "x")

# A ledger that was closed after a failed write leaves its claims behind while the process lives.
_open_here: set[str] = set()


def new_owner() -> str:
    """Name this process, for one opened ledger: boot, process id, its start, and a nonce."""
    pid = os.getpid()
    owner = "/".join([_boot(), str(pid), _started(pid) or "", secrets.token_hex(4)])
    _open_here.add(owner)
    return owner


def retire(owner: str) -> None:
    """Declare an owner of this process dead."""
    _open_here.discard(owner)


def lives(owner: str) -> bool:
    """Tell whether the process that an owner's name stands for still runs and has it open.

    A process id alone is used again sooner or later; with its start and the boot it is not.
    """
    _, pid, started, _ = owner.split("/")
    if not of_this_boot(owner) or not _runs(int(pid), started):
        return False
    return int(pid) != os.getpid() or owner in _open_here


def of_this_boot(owner: str) -> bool:
    """Whether an owner's process was started since this machine was, so that it could be seen."""
    return owner.split("/")[0] == _boot()


def _boot() -> str:
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:  # no /proc: then the process id has to do
        return ""


def _runs(pid: int, started: str) -> bool:
    """Whether the process with that id and start runs.

    One that may not be looked at, as with `hidepid`, is taken for it if there is one at all.
    """
    stat = _stat(pid)
    if not started or stat is None:
        return _exists(pid)
    return stat[_STATE] not in _DEAD and stat[_STARTED] == started


def _started(pid: int) -> str | None:
    """Start of a process in clock ticks since boot; None where that cannot be seen."""
    stat = _stat(pid)
    return stat[_STARTED] if stat else None


def _stat(pid: int) -> list[str] | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The name of the program stands in brackets and may hold blanks and brackets itself.
    return stat.rpartition(b")")[2].decode("ascii").split()


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
