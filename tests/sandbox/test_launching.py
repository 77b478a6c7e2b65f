"""What the launcher says of a script, and what it is believed of."""

from __future__ import annotations

import os
import resource
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from rubric_engine.errors import SandboxError
from rubric_engine.isolation import Execution, Limits
from rubric_engine.sandbox.environment import MARK
from rubric_engine.sandbox.process import run_script
from rubric_engine.sandbox.run_log import RunLog
from tests.sandbox.conftest import log_of

Run = Callable[..., Execution]

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="it is Linux that allows it")

FORGED = [b"abc", b"abc\n", b"!forged\n", b"1\n0\n", b"\n1\n0\n!forged\n"]

# By name under /proc, and by a copy of each descriptor that the kernel gives out.
FORGE = """
import ctypes, os
launcher, forged = os.getppid(), {forged!r}
open_process = os.pidfd_open(launcher)
for number in range(3, 32):
    try:
        with open(f"/proc/{{launcher}}/fd/{{number}}", "wb", buffering=0) as file:
            file.write(forged)
    except OSError:
        pass
    copy = ctypes.CDLL(None).syscall(438, open_process, number, 0)
    if copy >= 0:
        try:
            os.write(copy, forged)
        except OSError:
            pass
"""


def in_python(program: str) -> str:
    """A script that becomes Python, so that the launcher is its parent, and runs a program."""
    return f"exec python - <<'EOF'\n{program}\nEOF"


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    """All descriptors are taken that `select` can wait for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 1500
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip("this user may not open so many files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    with ExitStack() as stack:
        for _ in range(1100):
            stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_descriptors")
def test_any_number_of_open_files_will_do(run: Run) -> None:
    execution = run("echo here; exit 3")
    assert (execution.status, execution.exit_code) == ("failed", 3)
    assert log_of(execution).text == "here\n"


@needs_linux
@pytest.mark.parametrize("forged", FORGED)
@pytest.mark.parametrize("code", [0, 7])
def test_a_script_cannot_speak_for_the_launcher(run: Run, forged: bytes, code: int) -> None:
    execution = run(in_python(FORGE.format(forged=forged) + f"raise SystemExit({code})"))
    assert (execution.exit_code, execution.signal) == (code, None)
    assert execution.status == ("failed" if code else "ok")


@needs_linux
def test_the_launcher_gives_no_key_of_ours_away(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its memory is closed to all but root, and its environment holds nothing for root either."""
    monkeypatch.setenv("OUR_SECRET_KEY", "x")
    assert run("! grep -q OUR_SECRET_KEY /proc/$PPID/environ").status == "ok"
    if os.getuid() != 0:
        assert run("! cat /proc/$PPID/environ && ! ls /proc/$PPID/fd").status == "ok"


@needs_linux
def test_a_launcher_that_breaks_is_no_end_of_the_script(run: Run) -> None:
    take_descriptors = "import os, resource as r; r.prlimit(os.getppid(), r.RLIMIT_NOFILE, (3, 3))"
    with pytest.raises(SandboxError, match=r"broke: OSError.*Too many open files") as caught:
        run(in_python(take_descriptors))
    assert caught.value.code == "E806"


def test_a_launcher_that_is_killed_is_the_scripts_doing(run: Run) -> None:
    execution = run("kill -TERM $PPID; sleep 600")
    assert (execution.status, execution.signal) == ("killed", 15)


def test_the_error_output_is_the_scripts(run: Run) -> None:
    assert log_of(run("echo out; echo err >&2; exit 1")).text == "out\nerr\n"


@pytest.mark.parametrize(("program", "folder"), [("none", "."), ("/bin/true", "none")])
def test_what_cannot_be_started_is_told(tmp_path: Path, program: str, folder: str) -> None:
    run = tmp_path / "run"
    run.mkdir()
    with (
        closing(RunLog(Limits())) as log,
        pytest.raises(SandboxError, match="cannot be started: No such file") as caught,
    ):
        run_script(
            [str(tmp_path / program)],
            folder=run / folder,
            environment={MARK: "missing"},
            limits=Limits(),
            log=log,
            stop=threading.Event(),
        )
    assert caught.value.code == "E804"
