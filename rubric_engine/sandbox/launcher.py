"""A small program that stands between this process and a script, and outlives neither.

It is run as a file of its own, by `launching`, with the standard library alone. It starts the
script in a session of its own and, on Linux, becomes the parent of every process below it that
loses its own. When the script ends, when it is told to, or when the process that started it dies,
however that happens, it kills all of them.

    launcher.py PARENT CHANNEL PROGRAM [ARGUMENT]...

PARENT is the process that started it. From CHANNEL, a socket, comes a token of `TOKEN` bytes, and
then its end, which tells the launcher to end. Back go lines that begin with the token and a space:
the script's process id; then its exit code, negative for a signal, microseconds of CPU time, and
the memory of its largest process; or, after a ``!``, why it cannot be started. The script never
gets to know the token, so it cannot add a line that is believed.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

HANGS = 3
"""Exit code for a script that cannot be killed."""

TOKEN = 32
"""Length of the token, in bytes."""

LOADER = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Variables that the interpreter may need to start, and that are not for the script."""

MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes that the system counts the memory of a process in."""

_PATIENCE_S = 5.0
_PAUSE_S = 0.005
_LOOK_S = 1.0
_CHUNK = 4096
_DEATH_SIGNAL, _DUMPABLE, _ADOPT = 1, 4, 36


def main(parent: int, channel: int, command: list[str]) -> int:
    """Run the command; see the module. Returns the exit code."""
    os.set_inheritable(channel, False)
    token = os.read(channel, TOKEN)
    _prctl(_ADOPT, 1)
    _prctl(_DUMPABLE, 0)  # our memory and descriptors are not for the script; it gets it back
    ended = _notices_of_ends()
    script = _start(command, channel, token)
    _report(channel, token, b"%d" % script)
    status = _wait(script, parent, channel, ended)
    status = _end_all(script, status)
    if status is None:
        return HANGS
    _report(channel, token, b"%d" % os.waitstatus_to_exitcode(status))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    _report(channel, token, b"%d" % round((used.ru_utime + used.ru_stime) * 1e6))
    _report(channel, token, b"%d" % used.ru_maxrss)
    return 0


def _report(channel: int, token: bytes, what: bytes) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # nobody is left to hear it
        os.write(channel, b"%s %s\n" % (token, what))


def _notices_of_ends() -> int:
    """Descriptor that can be read whenever a child has ended."""
    reading, writing = os.pipe()
    for descriptor in (reading, writing):
        os.set_blocking(descriptor, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    return reading


def _start(command: list[str], channel: int, token: bytes) -> int:
    launcher = os.getpid()
    script = os.fork()
    if script:
        return script
    try:
        os.setsid()
        os.dup2(1, 2)
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them
            signal.signal(number, signal.SIG_DFL)
        if os.getppid() == launcher:
            environment = {name: os.environ[name] for name in os.environ if name not in LOADER}
            os.execve(command[0], command, environment)  # noqa: S606 (no shell is wanted)
    except OSError as error:
        _report(channel, token, b"!%s" % os.strerror(error.errno or 0).encode())
    finally:
        os._exit(127)


def _wait(script: int, parent: int, channel: int, ended: int) -> int | None:
    """The script's status; None where it is to be ended before it has one."""
    poll = select.poll()
    for descriptor in (channel, ended):
        poll.register(descriptor, select.POLLIN)
    while True:
        ready = [descriptor for descriptor, _ in poll.poll(_LOOK_S * 1000)]
        if ended in ready:
            os.read(ended, _CHUNK)
        status, _ = _reap(script)
        # A process that others forked off our parent may hold the other end of `channel` open.
        if status is not None or channel in ready or os.getppid() != parent:
            return status


def _reap(script: int) -> tuple[int | None, bool]:
    """Take note of the children that have ended.

    Returns:
        The script's status if it was one of them, and whether any child is left.
    """
    found = None
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found, False
        if not process:
            return found, True
        if process == script:
            found = status


def _end_all(script: int, status: int | None) -> int | None:
    """Kill children until there are none left: those of a killed one become ours."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(script, signal.SIGKILL)
    end = time.monotonic() + _PATIENCE_S
    left = True
    while left and time.monotonic() < end:
        for child in _children():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        time.sleep(_PAUSE_S)
        found, left = _reap(script)
        status = found if status is None else status
    return status


def _children() -> Iterator[int]:
    ours = str(os.getpid()).encode()
    for name in os.listdir("/proc") if sys.platform == "linux" else []:  # noqa: PTH208
        if name.isdecimal():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                # "pid (name) state parent ...", and the name may hold anything.
                if file.read().rpartition(b")")[2].split()[1] == ours:
                    yield int(name)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3)


if __name__ == "__main__":
    _, _parent, _channel, *_command = sys.argv
    sys.exit(main(int(_parent), int(_channel), _command))
