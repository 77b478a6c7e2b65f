"""Whether a script failed for want of room on the engine's disk, which it had not used up."""

from __future__ import annotations

import threading

from rubric_engine.isolation import Execution, Limits
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.options import BOX
from rubric_engine.sandbox.docker.probing import probe

_WORDS = "no space left on device"
_LEAST_KIB = 1024
_ASK = ("df", "-P", "-k", BOX)
_AVAILABLE = 3


def require_room(box: Box, execution: Execution, limits: Limits, stop: threading.Event) -> None:
    """Make sure that a run which failed for want of room met a limit of its own, such as `/tmp`'s.

    Args:
        box: Of the run; what the script wrote is still there.
        execution: How it ended.
        limits: Of the run.
        stop: Set from another thread, ends the looking.

    Raises:
        Fault: The engine's disk is full, though the script kept within its limit.
    """
    log = execution.log
    if execution.status != "failed" or log is None:
        return
    if _WORDS in f"{log.head}\n{log.tail}".lower() and _is_full(box, limits, stop):
        raise Fault(
            "infra.engine",
            f"the engine's disk is full: the script found no room within its {limits.disk:,} bytes",
            again=False,
        )


def _is_full(box: Box, limits: Limits, stop: threading.Event) -> bool:
    try:
        ended, printed = probe(box, _ASK, limits, stop)
    except Fault as fault:
        if _WORDS in fault.message.lower():
            return True
        raise
    words = printed.text.splitlines()[-1:]
    fields = words[0].split() if words and ended.exit_code == 0 else []
    available = fields[_AVAILABLE] if len(fields) > _AVAILABLE else ""
    return available.isdecimal() and int(available) < _LEAST_KIB
