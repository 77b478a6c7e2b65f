"""From how a container ended to how the submission's run did."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from rubric_engine.isolation import ExecutionStatus
from rubric_engine.sandbox.ending import signal_of, status_of

Stopped = Literal["timeout", "disk_full", "cancelled"]

_OWN_LIMIT = 124


@dataclass(frozen=True)
class Ended:
    """How a container ended.

    Attributes:
        exit_code: Of the main process; 128 + n for signal n.
        oom: Whether the kernel killed any of its processes for memory.
        stopped: Why we ended it; None where it ended by itself.
        started: When it was started, by the host's clock.
        duration_s: Seconds that it ran, by the host's clock.
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
        if self.exit_code == _OWN_LIMIT and self.duration_s > self.time_s:
            return "timeout"
        return status_of(self.exit_code, oom=self.oom)
