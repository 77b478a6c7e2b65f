"""Asking image and devices whether they are at fault: what a script prints proves nothing."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple

from rubric_engine.isolation import Limits, Log
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.ending import Ended
from rubric_engine.sandbox.docker.options import bounded
from rubric_engine.sandbox.docker.watching import Watch
from rubric_engine.sandbox.environment import FIXED
from rubric_engine.sandbox.run_log import RunLog

_PROBE_S = 60.0

ABSENT = (126, 127)
"""Exit codes that say that a command is not there or cannot be run."""

_sound: set[str] = set()


class Answer(NamedTuple):
    """How a probe ended, and what it printed."""

    ended: Ended
    printed: Log

    @property
    def absent(self) -> bool:
        """Whether the image lacks what was to be run."""
        return self.ended.exit_code in ABSENT


def probe(
    box: Box,
    command: Sequence[str],
    limits: Limits,
    stop: threading.Event,
    *,
    gpus: Sequence[str] = (),
    bare: bool = False,
) -> Answer:
    """Run a command of ours in a container of its own, which is gone afterwards.

    Args:
        box: Of the run, none of whose containers runs now.
        command: It should not take long.
        limits: Of the run.
        stop: Set from another thread, ends it.
        gpus: Names by which the engine knows devices that it is given.
        bare: Without the volume, so that nothing of the submission is there.

    Raises:
        Fault: The engine failed.
    """
    limits = limits.model_copy(update={"time": _PROBE_S})
    container = box.create(bounded(command, _PROBE_S), limits, FIXED, gpus=gpus, bare=bare)
    with closing(RunLog(limits)) as log:
        ended = Watch(box, container, limits, log, stop, None).run()
        printed = log.finish().log
    box.discard(container)
    return Answer(ended, printed)


def lacks_shell(box: Box, image: str, limits: Limits, stop: threading.Event) -> bool:
    """Whether an image has no `bash` or no `timeout`; each image is asked once.

    Raises:
        Fault: The engine failed.
    """
    if image in _sound:
        return False
    if probe(box, ["bash", "-c", ":"], limits, stop, bare=True).absent:
        return True
    _sound.add(image)
    return False
