"""From how a container ended to how the submission's run did."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from rubric_engine.isolation import ExecutionStatus
from rubric_engine.sandbox.ending import KILLS

Stopped = Literal["timeout", "disk_full", "cancelled"]

_OWN_LIMIT = 124
_BY_SIGNAL = 128


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
        number = self.exit_code - _BY_SIGNAL
        return number if number in {int(known) for known in signal.Signals} else None

    @property
    def status(self) -> ExecutionStatus:
        """The ending in one word."""
        if self.stopped is not None:
            return self.stopped
        if self.exit_code == 0:
            return "ok"
        if self.exit_code == _OWN_LIMIT and self.duration_s > self.time_s:
            return "timeout"
        if self.oom and self.signal == signal.SIGKILL:
            return "oom"
        if self.signal == signal.SIGXFSZ:
            return "disk_full"
        return "killed" if self.signal in KILLS else "failed"
