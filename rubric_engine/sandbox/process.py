"""Running one script under a time limit, with all it prints kept in bounds."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from rubric_engine.isolation import Limits
from rubric_engine.sandbox.environment import MARK
from rubric_engine.sandbox.launching import Launched, hangs
from rubric_engine.sandbox.leftovers import Traces, kill_leftovers, signal_group
from rubric_engine.sandbox.run_log import RunLog

_TICK_S = 0.05
_GRACE_S = 2.0
_KILL_S = 10.0
_PIPE_S = 1.0
_CHUNK = 1 << 16


@dataclass(frozen=True)
class Ending:
    """How a script ended.

    Attributes:
        exit_code: As a shell would give it: 128 + n for signal n.
        in_time: False where the time limit or a stop ended it.
        duration_s: Seconds.
        cpu_s: Seconds of CPU time of all its processes; None where its launcher was killed.
        peak_memory: Bytes of the largest of them, likewise.
    """

    exit_code: int
    in_time: bool
    duration_s: float
    cpu_s: float | None
    peak_memory: int | None


def run_script(
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    limits: Limits,
    log: RunLog,
    stop: threading.Event,
) -> Ending:
    """Run a command in a session of its own and wait for its end.

    Nothing of it is running afterwards: see `launcher`, and `kill_leftovers` for a script that
    kills its launcher.

    Args:
        command: Program and arguments; no shell reads them.
        folder: Where it runs.
        environment: All its variables, with `MARK` among them.
        limits: Of them, time.
        log: Takes what it prints.
        stop: Set from another thread, ends it at once.

    Raises:
        SandboxError: It cannot be started, or not be killed.
    """
    started = time.monotonic()
    with closing(Launched(command, folder, environment)) as script:
        output = _Output(script.process, log)
        try:
            in_time = output.until_exit(started + limits.time, stop)
            if not in_time:
                _terminate(script, output)
            duration = time.monotonic() - started
        finally:
            _end(script, output, Traces(script.leader, _mark(environment), _place(folder)))
        return _ending(script, duration, in_time=in_time)


def _ending(script: Launched, duration: float, *, in_time: bool) -> Ending:
    code, used = script.exit_code(), script.used()
    return Ending(
        exit_code=code if code >= 0 else 128 - code,
        in_time=in_time,
        duration_s=duration,
        cpu_s=used.cpu_s if used else None,
        peak_memory=used.peak_memory if used else None,
    )


def _mark(environment: Mapping[str, str]) -> bytes:
    return f"{MARK}={environment[MARK]}".encode()


def _place(folder: Path) -> bytes:
    """The temporary folder that holds the run's folder, as the kernel names it."""
    return os.fsencode(folder.parent.resolve())


def _terminate(script: Launched, output: _Output) -> None:
    """Ask the group to end, so that it can still write what it has, and then make it."""
    signal_group(script.leader, signal.SIGTERM)
    output.until_exit(time.monotonic() + _GRACE_S, threading.Event())


def _end(script: Launched, output: _Output, traces: Traces) -> None:
    script.end()
    output.until_exit(time.monotonic() + _KILL_S, threading.Event())
    kill_leftovers(traces)
    script.process.kill()  # it may have been stopped, and its traces cannot be read
    try:
        script.process.wait(_KILL_S)
    except subprocess.TimeoutExpired as error:
        raise hangs(script.leader) from error
    finally:
        output.finish()


class _Output:
    """The pipe that a process prints to."""

    def __init__(self, process: subprocess.Popen[bytes], log: RunLog) -> None:
        assert process.stdout is not None
        self._process = process
        self._pipe = process.stdout
        self._log = log
        self._poll = select.poll()
        self._poll.register(self._pipe, select.POLLIN)
        self._open = True

    def until_exit(self, deadline: float, stop: threading.Event) -> bool:
        """Take what is printed until the process ends; False if deadline or stop come first.

        The end of the pipe is no sign: a process in the background may hold it open for ever.
        """
        while self._process.poll() is None:
            if stop.is_set() or time.monotonic() >= deadline:
                return False
            if self._open:
                self._take()
            else:
                stop.wait(_TICK_S)
        return True

    def finish(self) -> None:
        """Take what is still in the pipe and close it."""
        end = time.monotonic() + _PIPE_S
        while self._open and time.monotonic() < end:
            self._take()
        self._pipe.close()

    def _take(self) -> None:
        if self._poll.poll(_TICK_S * 1000):
            data = os.read(self._pipe.fileno(), _CHUNK)
            self._log.feed(data)
            self._open = bool(data)
