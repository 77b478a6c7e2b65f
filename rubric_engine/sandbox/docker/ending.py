"""From how a container ended to how the submission's run did."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from rubric_engine.isolation import ExecutionStatus
from rubric_engine.sandbox.ending import signal_of, status_of

Stopped = Literal["timeout", "disk_full", "cancelled"]

_OWN_LIMIT = (124, 128 + signal.SIGKILL)
"""Codes of a container that ended itself at the limit that holds where nobody watches."""


def ran_s(state: Mapping[str, Any], watched: float, time_s: float) -> float:
    """Seconds that a container ran.

    A host that slept, or was held up, past the deadline knows no more than the engine's account.

    Args:
        state: What the engine says of the container.
        watched: Seconds from its start until its end was seen, by the host's clock.
        time_s: Seconds that it was given.
    """
    if watched <= time_s:
        return watched
    try:
        start, end = (datetime.fromisoformat(state[key]) for key in ("StartedAt", "FinishedAt"))
    except (KeyError, TypeError, ValueError):
        return watched
    return min(max(0.0, (end - start).total_seconds()), watched)


@dataclass(frozen=True)
class Ended:
    """How a container ended.

    Attributes:
        exit_code: Of the main process; 128 + n for signal n.
        oom: Whether the kernel killed any of its processes for memory.
        stopped: Why we ended it; None where it ended by itself.
        started: When it was started, by the host's clock.
        duration_s: Seconds that it ran, by the host's clock as long as the host watched.
        time_s: Seconds that it was given.
    """

    exit_code: int
    oom: bool
    stopped: Stopped | None
    started: datetime
    duration_s: float
    time_s: float

    @property
    def signal(self) -> int | None:
        """The signal that ended the main process, as far as the exit code tells."""
        return signal_of(self.exit_code)

    @property
    def status(self) -> ExecutionStatus:
        """The ending in one word."""
        if self.stopped is not None:
            return self.stopped
        if self.exit_code in _OWN_LIMIT and not self.oom and self.duration_s > self.time_s:
            return "timeout"
        return status_of(self.exit_code, oom=self.oom)
