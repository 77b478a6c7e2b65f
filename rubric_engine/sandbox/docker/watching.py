"""Watching a container from its start to its end, by the host's clock and in short looks."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from rubric_engine.isolation import Limits
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.ending import Ended, Stopped, ran_s
from rubric_engine.sandbox.docker.faults import Fault, engine_errors, engine_fault, is_gone
from rubric_engine.sandbox.docker.printed import Printed
from rubric_engine.sandbox.docker.usage import DiskWatch, Usage
from rubric_engine.sandbox.run_log import RunLog

_SHORTEST_S, _LONGEST_S, _LONGER = 0.01, 0.25, 1.5
_LOOK_S = 1.0
_GRACE_S = 2.0
_KILL_S = 30.0
_OUTAGE_S = 30.0
_BROKEN_S = 1.0
_OOM_LOOKS = 30
_OOM_CODE = 128 + signal.SIGKILL


@dataclass(frozen=True)
class Progress:
    """What is known of a run that goes on.

    Attributes:
        elapsed_s: Seconds since its start.
        memory: Bytes in use; None where the engine did not say.
        last_line: The log's last line; untrusted, without control characters.
    """

    elapsed_s: float
    memory: int | None
    last_line: str


OnProgress = Callable[[Progress], None]


class Watch:
    """Starts a container and sees it to its end.

    Args:
        box: What it runs in.
        container: Its name; it has been made and not started.
        limits: Of them, time and disk are enforced here; the engine holds the others.
        log: Takes what it prints.
        stop: Set from another thread, ends it at once.
        tell: Called about once a second, from this thread.

    Attributes:
        usage: What it used.
    """

    def __init__(
        self,
        box: Box,
        container: str,
        limits: Limits,
        log: RunLog,
        stop: threading.Event,
        tell: OnProgress | None,
    ) -> None:
        self._box, self._container, self._limits = box, container, limits
        self._log, self._stop, self._tell = log, stop, tell
        self._api = box.client.api
        self.usage = Usage(box.client, container)

    def run(self) -> Ended:
        """Start it and return how it ended; nothing of it runs afterwards.

        Raises:
            Fault: The engine failed, or the container vanished.
        """
        printed = Printed(self._box.client, self._container, self._log)
        disk = None
        try:
            started, self._began = datetime.now(UTC), time.monotonic()
            with engine_fault("starting the container"):
                self._api.start(self._container)
            box, limit = self._box, self._limits.disk
            disk = DiskWatch(box.client, box.name, self._container, limit)
            stopped = self._until_end(printed, disk)
            duration = time.monotonic() - self._began
            state = self._final_state(stopped)
        finally:
            if disk is not None:
                disk.close()
            printed.close()
        return Ended(
            exit_code=int(state["ExitCode"]),
            oom=bool(state.get("OOMKilled")),
            stopped=stopped,
            started=started,
            duration_s=duration if stopped else ran_s(state, duration, self._limits.time),
            time_s=self._limits.time,
        )

    def _until_end(self, printed: Printed, disk: DiskWatch) -> Stopped | None:
        pause, next_look = _SHORTEST_S, self._began + _LOOK_S / 4
        while self._is_running():
            if reason := self._reason(disk):
                return reason if self._end(reason) else None
            if time.monotonic() >= next_look:
                next_look = time.monotonic() + _LOOK_S
                self._look(printed)
            if printed.ended.is_set():
                self._find_out(printed)
            printed.ended.wait(min(pause, self._left()))
            pause = min(_LONGEST_S, pause * _LONGER)
        return None

    def _find_out(self, printed: Printed) -> None:
        """Nothing more is printed: the container is about to end, or the connection broke."""
        if not self._ends_within(_BROKEN_S):
            printed.again()

    def _left(self) -> float:
        return max(_SHORTEST_S, self._began + self._limits.time - time.monotonic())

    def _reason(self, disk: DiskWatch) -> Stopped | None:
        if self._stop.is_set():
            return "cancelled"
        if disk.full.is_set():
            return "disk_full"
        return "timeout" if time.monotonic() - self._began >= self._limits.time else None

    def _look(self, printed: Printed) -> None:
        self.usage.look()
        if self._tell is not None:
            elapsed = time.monotonic() - self._began
            self._tell(Progress(elapsed, self.usage.memory, printed.last_line))

    def _is_running(self) -> bool:
        """Whether it runs. An engine that is away for a moment is waited for.

        Raises:
            Fault: It vanished, or ended while the engine was away: then nobody can tell whether
                the engine ended it.
        """
        state = self._state()
        if state is not None:
            return bool(state["Running"])
        state = self._after_outage()
        if not state["Running"]:
            raise Fault("infra.engine", "the engine went away while the script ran")
        return True

    def _after_outage(self) -> Mapping[str, Any]:
        end = time.monotonic() + _OUTAGE_S
        while time.monotonic() < end and not self._stop.wait(_LONGEST_S):
            if (state := self._state()) is not None:
                return state
        raise Fault("infra.engine", "the engine went away while the script ran, and stayed away")

    def _state(self) -> Mapping[str, Any] | None:
        """The container's state; None where the engine does not answer."""
        try:
            state: Mapping[str, Any] = self._api.inspect_container(self._container)["State"]
        except engine_errors() as error:
            if is_gone(error):
                raise Fault("infra.lost", "the container vanished while it ran") from error
            return None
        return state

    def _end(self, reason: Stopped) -> bool:
        """End it; False where it ended by itself meanwhile.

        At the end of its time it is asked first, so that it can still write what it has.
        """
        first = signal.SIGTERM if reason == "timeout" else signal.SIGKILL
        if not self._signal(first):
            return False
        if first is signal.SIGTERM and not self._ends_within(_GRACE_S):
            self._signal(signal.SIGKILL)
        if not self._ends_within(_KILL_S):
            raise Fault("infra.engine", "the container cannot be killed", again=False)
        return True

    def _signal(self, number: signal.Signals) -> bool:
        """Send it a signal; False where it does not run."""
        with engine_fault("ending the container"):
            try:
                self._api.kill(self._container, int(number))
            except engine_errors():
                if self._is_running():
                    raise
                return False
        return True

    def _ends_within(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while self._is_running():
            if time.monotonic() >= end:
                return False
            time.sleep(_SHORTEST_S)
        return True

    def _final_state(self, stopped: Stopped | None) -> Mapping[str, Any]:
        """The state after the end; that memory ran out is told a little later at times."""
        for _ in range(_OOM_LOOKS):
            state = self._state()
            if state is None:
                break
            if stopped or state.get("OOMKilled") or state["ExitCode"] != _OOM_CODE:
                return state
            time.sleep(_SHORTEST_S)
        if state is None:
            raise Fault("infra.engine", "the engine went away as the script ended")
        return state
