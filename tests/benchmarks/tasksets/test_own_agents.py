"""Agents of one's own are anybody's code: what they do costs no answer but their own."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.benchmarks.tasksets import AgentReply, AgentTask, Results, run_task_set
from tests.benchmarks.tasksets.example import task
from tests.benchmarks.tasksets.test_running import small
from tests.cli.conftest import Command


class Mute(Exception):  # noqa: N818
    """Has no words."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


class Own(BaseException):
    """Is no `Exception`."""


def nested(deep: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(deep):
        value = [value]
    return value


def raising(error: BaseException) -> Callable[[], Any]:
    def act() -> Any:
        raise error

    return act


def made(**given: Any) -> Callable[[], Any]:
    return lambda: AgentReply.model_construct(**({"text": "x"} | given))


def run(folder: Path, agent: Any, **more: Any) -> Results:
    tasks = small(folder, task(), task(task_id="b"), task(task_id="c"))
    return run_task_set(tasks, agent, runs=folder / "runs", out=folder / "out", retries=0, **more)


BAD = {
    "no text": made(text=None),
    "a number": made(text=5),
    "below 0": made(interventions=-1),
    "many": made(interventions="many"),
    "more than can be": made(interventions=10**400),
    "more than can be written": made(interventions=10**5000),
    "checked": lambda: AgentReply(text="x", interventions=10**5000),
    "deep": made(calls=nested(300)),
    "deeper": made(calls=nested(100_000)),
    "calls that are none": made(calls=None),
    "bytes": lambda: b"x",
    "mute": raising(Mute()),
    "a lone surrogate": raising(ValueError("\ud800")),
    "cancelled": raising(asyncio.CancelledError()),
    "exit": raising(SystemExit(0)),
    "closed": raising(GeneratorExit()),
    "own": raising(Own("x")),
    "group": raising(BaseExceptionGroup("x", [Own()])),
}


@pytest.mark.parametrize("what", BAD)
def test_what_an_agent_gives_or_raises_is_that_answer_s_failure(tmp_path: Path, what: str) -> None:
    async def agent(given: AgentTask) -> Any:
        return BAD[what]() if given.task_id == "b" else "x"

    found = run(tmp_path, agent)
    assert [(each.status, each.reason) for each in found.answers] == [
        ("answered", None), ("failed", "broke"), ("answered", None),
    ]  # fmt: skip
    assert found.answers[1].detail
    assert (found.status, found.exit_code) == ("done", 0)


async def cancels_itself(given: AgentTask) -> str:
    current = asyncio.current_task()
    assert current is not None
    current.cancel()
    await asyncio.sleep(0)
    return "x"


async def waits_for_what_is_cancelled(given: AgentTask) -> str:
    inner = asyncio.ensure_future(asyncio.sleep(60))
    asyncio.get_running_loop().call_soon(inner.cancel)
    await inner
    return "x"


@pytest.mark.parametrize("agent", [cancels_itself, waits_for_what_is_cancelled])
def test_an_agent_that_is_cancelled_by_itself_ends_no_run(tmp_path: Path, agent: Any) -> None:
    found = run(tmp_path, agent)
    assert {(each.status, each.reason) for each in found.answers} == {("failed", "broke")}
    assert found.status == "done"


def test_an_interrupt_still_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, as_agent(raising(KeyboardInterrupt())))


def as_agent(act: Callable[[], Any]) -> Any:
    async def agent(given: AgentTask) -> Any:
        return act()

    return agent


def test_an_agent_that_takes_too_long_is_given_up_and_not_asked_again(tmp_path: Path) -> None:
    ended: list[str] = []

    async def agent(given: AgentTask) -> str:
        try:
            await asyncio.sleep(3600 if given.task_id == "b" else 0)
        finally:
            ended.append(given.task_id)
        return "x"

    found = run(tmp_path, agent, agent_timeout=0.3)
    late = found.answers[1]
    assert (late.status, late.reason, late.detail) == (
        "failed",
        "timeout",
        "no answer within 0.3 s",
    )
    assert sorted(ended) == ["a", "b", "c"]


def test_an_agent_that_goes_elsewhere_takes_nothing_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")

    async def agent(given: AgentTask) -> str:
        os.chdir(tmp_path / "there")
        return "x"

    tasks = small(tmp_path, task(), task(task_id="b"))
    found = run_task_set(tasks, agent, runs="runs", out="out")
    assert [each.whole for each in found.answers] == [1.0, 1.0]
    assert list((tmp_path / "there").iterdir()) == []
    assert (tmp_path / "here" / "out" / "results.json").is_file()
    assert any((tmp_path / "here" / "runs").iterdir())


LOUD = """
import os, subprocess, sys, threading
print("LOADED")
async def answer(task):
    print("SAID")
    os.write(1, b"RAW\\n")
    subprocess.run(["echo", "CHILD"], check=True)
    sys.stdout.close()
    threading.Thread(target=threading.Event().wait).start()
    return "x"
"""


def test_what_an_agent_prints_or_leaves_behind_spoils_no_document(tmp_path: Path) -> None:
    small(tmp_path, task(), task(task_id="b"))
    (tmp_path / "a_loud_agent.py").write_text(LOUD)
    words = ["bench", "run", "tasks.json", "--agent", "a_loud_agent:answer", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", "from rubric_engine.cli.app import main; main()", *words],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert '"status": "done"' in done.stdout
    for word in ("LOADED", "SAID", "RAW", "CHILD"):
        assert word not in done.stdout
        assert word in done.stderr


CANCELLING = """
import asyncio
async def answer(task):
    for each in asyncio.all_tasks() - {asyncio.current_task()}:
        each.cancel()
    await asyncio.sleep(0)
"""


def test_an_agent_that_cancels_the_run_is_named(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(tmp_path, task())
    (tmp_path / "a_cancelling_agent.py").write_text(CANCELLING)
    monkeypatch.syspath_prepend(str(tmp_path))
    words = ["bench", "run", tmp_path, "--agent", "a_cancelling_agent:answer", "--json"]
    done = command(*words)
    assert (done.code, done.json["error"]["code"]) == (3, "E639")
