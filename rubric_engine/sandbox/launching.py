"""Starting a script under the launcher, and hearing from it."""

from __future__ import annotations

import os
import re
import secrets
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox import launcher

_CHUNK = 4096


class Used(NamedTuple):
    """What processes used.

    Attributes:
        cpu_s: Seconds of CPU time of all of them.
        peak_memory: Bytes of the largest of them.
    """

    cpu_s: float
    peak_memory: int


class Launched:
    """A script that runs, with the launcher above it.

    Attributes:
        process: The launcher; its output is the script's, its error output is its own.
        leader: Process id of the script, which leads a session and a group.

    Raises:
        SandboxError: It cannot be started.
    """

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> None:
        self._command = command
        # No process can open a socket by its name under /proc, as it can a pipe.
        self._channel, channel = socket.socketpair()
        self._token = secrets.token_hex(launcher.TOKEN // 2).encode()
        self._channel.send(self._token)
        self._heard = b""
        try:
            self.process = _popen(command, folder, environment, channel.fileno())
        except OSError as error:
            self._channel.close()
            raise _cannot_start(error.filename or command[0], error.strerror or "") from error
        finally:
            channel.close()
        self.leader = self._hear_leader()

    def end(self) -> None:
        """Tell the launcher to kill the script and all below it."""
        with suppress(OSError):
            self._channel.shutdown(socket.SHUT_WR)

    def exit_code(self) -> int:
        """The script's exit code, negative for a signal, once the launcher has ended.

        A script that killed the launcher died with it, by the same signal.

        Raises:
            SandboxError: It could not be started, or not be killed, or its launcher broke.
        """
        self._channel.setblocking(False)  # the launcher's end need not be that of the channel
        with suppress(BlockingIOError):
            while self._hear():
                pass
        numbers = self._numbers()
        if len(numbers) > 1:
            return numbers[1]
        if self.process.returncode == launcher.HANGS:
            raise hangs(self.leader)
        if self.process.returncode >= 0:
            raise self._broke()
        return self.process.returncode

    def used(self) -> Used | None:
        """What the script and all below it used; None where the launcher cannot say any more."""
        numbers = self._numbers()
        return Used(numbers[2] / 1e6, numbers[3] * launcher.MEMORY_UNIT) if numbers[3:] else None

    def close(self) -> None:
        """Close what leads to the launcher; if it still runs, it ends."""
        self._channel.close()
        if self.process.stderr:
            self.process.stderr.close()

    def _hear_leader(self) -> int:
        try:
            while not self._numbers() and self._hear():
                pass
            if numbers := self._numbers():
                return numbers[0]
            self.process.wait()
            raise self._broke()
        except SandboxError:
            self.close()
            with self.process:
                self.process.kill()
            raise

    def _hear(self) -> bool:
        """Wait for more of what the launcher says; False where there is no more."""
        with suppress(ConnectionResetError):  # it ended before it had read the token
            data = self._channel.recv(_CHUNK)
            self._heard += data
            return bool(data)
        return False

    def _numbers(self) -> list[int]:
        """What the launcher has said: the script's process id, exit code, and what it used."""
        said = re.findall(self._token + rb" (!.*|-?\d+)\n", self._heard)
        for line in said:
            if line.startswith(b"!"):
                raise _cannot_start(self._command[0], line[1:].decode())
        return [int(line) for line in said]

    def _broke(self) -> SandboxError:
        assert self.process.stderr is not None
        os.set_blocking(self.process.stderr.fileno(), False)
        words = (self.process.stderr.read() or b"").decode(errors="replace").splitlines()
        why = words[-1] if words else f"it ended with code {self.process.returncode}"
        return SandboxError(
            f"the launcher of {self._command[0]} broke: {why}",
            code="E806",
            fix=["check memory and process limits of this machine (ulimit -a)", "run it again"],
        )


def _popen(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], channel: int
) -> subprocess.Popen[bytes]:
    # -I and -S: nothing of the submission's, the user's or the environment's is imported.
    python = [sys.executable, "-I", "-S", "-B", launcher.__file__]
    loader = {name: os.environ[name] for name in launcher.LOADER if name in os.environ}
    return subprocess.Popen(  # noqa: S603 (running what was submitted is the purpose)
        [*python, str(os.getpid()), str(channel), *command],
        cwd=folder,
        env={**loader, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        pass_fds=(channel,),
        start_new_session=True,
    )


def hangs(leader: int) -> SandboxError:
    """The error for a script that cannot be killed."""
    return SandboxError(
        f"the script (process {leader}) cannot be killed: it hangs in the kernel",
        code="E805",
        fix=["check this machine's disks and devices; a restart may be needed"],
    )


def _cannot_start(program: str, why: str) -> SandboxError:
    return SandboxError(
        f"{program} cannot be started: {why}",
        code="E804",
        fix=["check memory and process limits of this machine (ulimit -a)"],
    )
