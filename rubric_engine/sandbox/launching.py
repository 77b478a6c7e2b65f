"""Starting a script under the launcher, and hearing from it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox import launcher

_CHUNK = 4096


class Launched:
    """A script that runs, with the launcher above it.

    Attributes:
        process: The launcher; its output is the script's.
        leader: Process id of the script, which leads a session and a group.

    Raises:
        SandboxError: It cannot be started.
    """

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> None:
        control, self._control = os.pipe()
        self._report, report = os.pipe()
        self._heard = b""
        try:
            self.process = _popen(command, folder, environment, control, report)
        except OSError as error:
            self.close()
            raise _cannot_start(error.filename or command[0], error.strerror or "") from error
        finally:
            os.close(control)
            os.close(report)
        self._command = command
        self.leader = self._hear_leader()

    def end(self) -> None:
        """Tell the launcher to kill the script and all below it."""
        with suppress(OSError):
            os.write(self._control, b"!")

    def exit_code(self) -> int:
        """The script's exit code, negative for a signal, once the launcher has ended.

        A script that killed the launcher died with it, by the same signal.

        Raises:
            SandboxError: It could not be started, or not be killed.
        """
        while data := os.read(self._report, _CHUNK):
            self._heard += data
        lines = self._heard.splitlines()
        trouble = next((line[1:] for line in lines if line.startswith(b"!")), None)
        if trouble is not None:
            raise _cannot_start(self._command[0], trouble.decode())
        if self.process.returncode == launcher.HANGS:
            raise hangs(self.leader)
        return int(lines[1]) if len(lines) > 1 else self.process.returncode

    def close(self) -> None:
        """Close what leads to the launcher; if it still runs, it ends."""
        os.close(self._control)
        os.close(self._report)

    def _hear_leader(self) -> int:
        while b"\n" not in self._heard:
            data = os.read(self._report, _CHUNK)
            if not data:
                break
            self._heard += data
        first = self._heard.partition(b"\n")[0]
        if first.isdigit():
            return int(first)
        self.close()
        self.process.kill()
        self.process.communicate()
        raise _cannot_start(self._command[0], first[1:].decode() or "its launcher ended at once")


def _popen(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], control: int, report: int
) -> subprocess.Popen[bytes]:
    # -I and -S: nothing of the submission's, the user's or the environment's is imported.
    python = [sys.executable, "-I", "-S", "-B", launcher.__file__]
    loader = {name: os.environ[name] for name in launcher.LOADER if name in os.environ}
    return subprocess.Popen(  # noqa: S603 (running what was submitted is the purpose)
        [*python, str(os.getpid()), str(control), str(report), *command],
        cwd=folder,
        env={**loader, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
        pass_fds=(control, report),
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
