"""Time limits, cancelling, and what a run leaves behind."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.isolation import Execution, RunSpec
from rubric_engine.sandbox import LocalSandbox
from rubric_engine.submission import load_submission

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
    return [int(word) for word in execution.log.text.split() if word.isdecimal()]


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
    assert execution.log.text == "saved\n"


def test_a_run_that_ignores_the_request_is_killed(run: Run) -> None:
    execution = run("trap '' TERM; while true; do sleep 1; done", time=0.5)
    assert (execution.status, execution.signal) == ("timeout", 9)


def test_endless_output_is_bounded(run: Run) -> None:
    execution = run("yes", time=0.5, log=1000)
    assert execution.status == "timeout"
    assert len(execution.log.head) + len(execution.log.tail) <= 1000
    assert execution.log.omitted_bytes > 0


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
