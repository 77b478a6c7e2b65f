"""What is said of a run that ended: its status, whose fault that is, and notes."""

from __future__ import annotations

import threading

from rubric_engine.isolation import ExecutionStatus, Log
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.devices import tells_of_loss
from rubric_engine.sandbox.docker.ending import Ended
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.ground import Ground
from rubric_engine.sandbox.docker.probing import ABSENT, lacks_shell
from rubric_engine.sandbox.docker.results import Taken
from rubric_engine.sandbox.run_log import RunLog

MUCH_FETCHED = (
    "so much was installed beside the submission that not all of it is known: a copy of it may"
    " count as produced"
)
"""Note of a run that installed more than is looked at."""

_NOT_WHOLE = "the run left too much to be listed, so that nobody can tell which files it deleted"
_BROKE = "while it ran, the connection to the engine broke: the log has gaps"


def check_image(box: Box, ended: Ended, ground: Ground, stop: threading.Event) -> None:
    """See that no image without a shell has ended the script.

    Raises:
        Fault: It did, or the engine failed.
    """
    if ended.exit_code in ABSENT and lacks_shell(box, ground.image, ground.limits, stop):
        raise Fault(
            "infra.image",
            f"the image of recipe {ground.recipe.name!r} lacks bash or timeout",
            again=False,
        )


def status_of(ended: Ended, printed: Log, *, gpus: bool, first: bool) -> ExecutionStatus:
    """The ending, unless a device may have been lost.

    A container can lose one that others still have, so that only what it prints tells; but that
    may be made up, and so earns one more attempt and no excuse.

    Args:
        ended: How the container did.
        printed: By the script.
        gpus: Whether it had any.
        first: Whether no attempt went before this one.

    Raises:
        Fault: It is worth another attempt.
    """
    if gpus and first and ended.status == "failed" and tells_of_loss(printed):
        raise Fault("infra.gpu", "the script says that a device was lost")
    return ended.status


def remarks(taken: Taken, log: RunLog) -> tuple[str, ...]:
    """What a reader should know of what came out of a run."""
    told = ((_NOT_WHOLE, not taken.whole), (_BROKE, log.gaps > 0))
    return tuple(note for note, holds in told if holds)
