"""What containers, volumes and networks of ours carry, and when nobody needs them any more."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from rubric_engine.ledger.process import lives, of_this_boot

RUN = "rubric-engine.run"
"""The label that all of ours carry: the run's name."""

_HOST = "rubric-engine.host"
_OWNER = "rubric-engine.owner"
_DEADLINE = "rubric-engine.deadline"
_MACHINE = Path("/etc/machine-id")
_PROCESSES = Path("/proc/self/ns/pid")


def labels_of(run: str, owner: str, lasts_s: float) -> dict[str, str]:
    """Labels of what one run makes.

    Args:
        run: Its name.
        owner: What `ledger.process.new_owner` gave.
        lasts_s: Seconds from now after which nobody can still need it.
    """
    return {
        RUN: run,
        _HOST: _host(),
        _OWNER: owner,
        _DEADLINE: str(int(time.time() + lasts_s)),
    }


def abandoned(labels: Mapping[str, str], now: float) -> bool:
    """Whether something with these labels may be removed.

    Past its deadline nobody can need it. Before, it may go if its owner is a process that we could
    see and do not: of this machine, and of this boot, for copies of a virtual machine may share
    name and id. What we cannot read is left alone.

    Args:
        labels: All its labels.
        now: Seconds since the epoch.
    """
    try:
        if RUN not in labels:
            return False
        if now > int(labels[_DEADLINE]):
            return True
        owner = labels[_OWNER]
        return labels[_HOST] == _host() and of_this_boot(owner) and not lives(owner)
    except (KeyError, ValueError, TypeError, AttributeError, OverflowError):
        return False  # anybody may put labels on what they make, with anything in them


@cache
def _host() -> str:
    """This machine, and which of its process tables we see: containers have their own."""
    known = os.uname().nodename
    with suppress(OSError):
        known += _MACHINE.read_text(encoding="ascii")
    with suppress(OSError):
        known += str(_PROCESSES.readlink())
    return hashlib.sha256(known.encode()).hexdigest()[:16]
