"""Time limits, cancelling, and what a run leaves behind."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.isolation import Execution, RunSpec
from rubric_engine.sandbox import LocalSandbox
from rubric_engine.submission import load_submission
from rubric_engine.submission.sweeping import sweep
from tests.sandbox.conftest import log_of

Run = Callable[..., Execution]

needs_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="only Linux finds them all")


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


def processes(execution: Execution) -> list[int]:
    """The process ids that the script printed."""
    return [int(word) for word in log_of(execution).text.split() if word.isdecimal()]


def test_the_time_limit_ends_the_run(run: Run) -> None:
    execution = run("echo $$; echo 1 > partial; exec sleep 600", time=0.5)
    assert execution.status == "timeout"
    assert (execution.exit_code, execution.signal) == (143, 15)
    assert execution.created == ("partial",)
    assert execution.duration_s is not None
    assert execution.duration_s >= 0.5
    assert not any(alive(process) for process in processes(execution))


def test_a_run_may_tidy_up_when_its_time_is_over(run: Run) -> None:
    execution = run("trap 'echo saved; exit 0' TERM; sleep 600 & wait", time=0.5)
    assert execution.status == "timeout"
    assert log_of(execution).text == "saved\n"


def test_a_run_that_ignores_the_request_is_killed(run: Run) -> None:
    execution = run("trap '' TERM; while true; do sleep 1; done", time=0.5)
    assert (execution.status, execution.signal) == ("timeout", 9)


def test_endless_output_is_bounded(run: Run) -> None:
    execution = run("yes", time=0.5, log=1000)
    assert execution.status == "timeout"
    assert len(log_of(execution).head) + len(log_of(execution).tail) <= 1000
    assert log_of(execution).omitted_bytes > 0


@needs_proc
@pytest.mark.parametrize(
    "start",
    [
        "sleep 600 &",
        "setsid sleep 600 &",
        "nohup sleep 600 > /dev/null 2>&1 &",
        "read -r far < <(setsid bash -c 'sleep 600 & echo $!; wait'); echo $far",
        "(trap '' TERM HUP; sleep 600) &",
        "set -m; env -i sleep 600 &",
        "read -r far < <(env -i setsid bash -c 'cd /; sleep 600 & echo $!; wait'); echo $far",
    ],
)
@pytest.mark.parametrize(("end", "status"), [("exit 0", "ok"), ("sleep 600", "timeout")])
def test_nothing_is_left_running(run: Run, start: str, end: str, status: str) -> None:
    execution = run(f"{start}\necho $!\n{end}", time=0.5 if status == "timeout" else 60)
    assert execution.status == status
    assert processes(execution)
    assert not any(alive(process) for process in processes(execution))


def test_a_script_that_closes_its_output_is_waited_for(run: Run) -> None:
    execution = run("exec > /dev/null 2>&1; sleep 0.2; touch done")
    assert execution.created == ("done",)


@needs_proc
def test_what_left_everything_but_the_folder_dies_though_the_launcher_was_killed(run: Run) -> None:
    script = "read -r far < <(env -i setsid sh -c 'echo $$; exec sleep 600'); echo $far"
    execution = run(f"{script}; kill -9 $PPID; sleep 600")
    assert (execution.status, execution.signal) == ("killed", 9)
    assert not any(alive(process) for process in processes(execution))


ENGINE = """
import asyncio, sys
from rubric_engine.isolation import RunSpec
from rubric_engine.sandbox import LocalSandbox
from rubric_engine.submission import load_submission
asyncio.run(LocalSandbox().run(load_submission(sys.argv[1]), RunSpec()))
"""


@needs_proc
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_a_run_dies_with_the_engine(
    root: Path, tmp_path: Path, scratch: Path, end: signal.Signals
) -> None:
    os.mkfifo(tmp_path / "started")
    pipe = tmp_path / "started"
    # Each process of the run holds the pipe open: its end is the end of them all.
    (root / "reproduce.sh").write_text(
        f"exec 9> {pipe}\nenv -i setsid sleep 600 &\necho $$ $! >&9\nwait"
    )
    engine = subprocess.Popen([sys.executable, "-c", ENGINE, root])
    with pipe.open() as started:
        script = [int(process) for process in started.readline().split()]
        assert all(alive(process) for process in script)
        engine.send_signal(end)
        engine.wait()
        assert select.select([started], [], [], 30)[0]
        assert started.read() == ""

    left = list(scratch.iterdir())
    assert left
    sweep(str(scratch), older_than=3600)
    assert list(scratch.iterdir()) == left
    sweep(str(scratch), older_than=-1)
    assert not list(scratch.iterdir())


@needs_proc
def test_cancelling_kills_the_run(root: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "started")
    (root / "reproduce.sh").write_text(
        f"setsid sleep 600 &\necho $$ $! > {tmp_path / 'started'}\nwait"
    )

    async def cancel() -> list[int]:
        task = asyncio.create_task(LocalSandbox().run(load_submission(root), RunSpec()))
        started = await asyncio.to_thread((tmp_path / "started").read_text)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return [int(process) for process in started.split()]

    assert not any(alive(process) for process in asyncio.run(cancel()))
