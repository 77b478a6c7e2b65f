"""Asking a container of its own something, beside a run."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import closing

from rubric_engine.isolation import Limits, Log
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.ending import Ended
from rubric_engine.sandbox.docker.options import bounded
from rubric_engine.sandbox.docker.watching import Watch
from rubric_engine.sandbox.environment import FIXED
from rubric_engine.sandbox.run_log import RunLog

ABSENT = (126, 127)
"""Exit codes that say that the image has no such program."""

_PROBE_S = 60.0


def probe(
    box: Box, limits: Limits, command: Sequence[str], gpus: Sequence[str] = ()
) -> tuple[Ended, Log]:
    """Run a program of the image on the run's volume; returns how it ended, and what it printed.

    Args:
        box: Of the run, none of whose containers runs now.
        limits: Of the run.
        command: Of the container.
        gpus: Names by which the engine knows devices that it is given.

    Raises:
        Fault: The engine failed.
    """
    limits = limits.model_copy(update={"time": _PROBE_S})
    container = box.create(bounded(command, _PROBE_S), limits, FIXED, gpus=gpus)
    with closing(RunLog(limits)) as log:
        ended = Watch(box, container, limits, log, threading.Event(), None).run()
        printed = log.finish().log
    box.discard(container)
    return ended, printed
