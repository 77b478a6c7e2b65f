"""What a stop, or an error of the judge, makes of asking the agent; and retries, once each."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.benchmarks.tasksets import AgentTask, TaskSet, load_task_set, run_task_set
from rubric_engine.benchmarks.tasksets.results import AnswerResult
from rubric_engine.benchmarks.tasksets.watching import Watcher
from rubric_engine.connection import Spending
from rubric_engine.errors import CredentialsError
from rubric_engine.testing import Reply, Request, ScriptedServer
from tests.benchmarks.tasksets.example import task

GOOD = Reply({"expectations": "", "findings": "", "citations": [], "searched": [], "met": True})


def judged_by_a_model(folder: Path, *names: str) -> TaskSet:
    judge = {"method": "llm"}
    path = folder / "tasks.json"
    path.write_text(
        json.dumps([task(task_id=name, reference=["It is."], judge=judge) for name in names])
    )
    return load_task_set(path)


class Asked(Watcher):
    """An agent that counts who asks it, and breaks on some tasks.

    After its first answer of a run it waits until something was judged: by then a stop is known.
    """

    def __init__(self, *breaks: str) -> None:
        self.breaks, self.count = breaks, Counter[str]()
        self.began()

    def began(self) -> None:
        """Begin a run."""
        self._answered, self._told = False, asyncio.Event()

    def judged(self, answer: AnswerResult) -> None:
        """Wait no more."""
        self._told.set()

    async def answer(self, given: AgentTask) -> str:
        """Answer, or break."""
        self.count[given.task_id] += 1
        if given.task_id in self.breaks:
            raise ValueError("broken")
        if self._answered:
            await asyncio.wait_for(self._told.wait(), 60)
        self._answered = True
        return "It is."


def run(folder: Path, tasks: TaskSet, agent: Asked, model: dict[str, Any], **more: Any) -> Any:
    async def answer(given: AgentTask) -> str:
        return await agent.answer(given)

    agent.began()
    places: dict[str, Any] = {"runs": folder / "runs", "out": folder / "out"}
    return run_task_set(
        tasks, answer, judge_model=model, concurrency=1, watcher=agent, **places, **more
    )


def test_an_error_of_the_judge_ends_a_run_before_the_agent_is_asked_for_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    agent, tasks = Asked(), judged_by_a_model(tmp_path, *"abcdefgh")
    model = {"name": "m", "base_url": "https://judge.example/v1", "key_env": "NO_SUCH_KEY"}
    with pytest.raises(CredentialsError):
        run(tmp_path, tasks, agent, model)
    assert set(agent.count) <= {"a", "b"}


def test_a_cap_that_stops_the_judge_stops_the_asking_and_retries_only_once(tmp_path: Path) -> None:
    agent, tasks = Asked("a"), judged_by_a_model(tmp_path, *"abcdef")
    with ScriptedServer(answer=lambda _: GOOD) as server:
        model = {"name": "m", "base_url": server.base_url, "max_output_tokens": 300}
        poor = Spending(max_tokens=10, retry_failed=True)
        found = run(tmp_path, tasks, agent, model, retries=0, spending=poor)
        assert (found.exit_code, found.status) == (6, "stopped")
        assert agent.count == {"a": 1, "b": 1, "c": 1}
        assert [each.status for each in found.answers][-3:] == ["missing"] * 3
        again = run(tmp_path, tasks, agent, model, retries=0, spending=poor)
        assert again.exit_code == 6
        before = agent.count.copy()
        rich = run(tmp_path, tasks, agent, model, retries=0, spending=Spending(retry_failed=True))
        assert rich.exit_code == 0
        assert len(server.requests) == 5
    assert [each.status for each in rich.answers] == ["failed", *["answered"] * 5]
    assert agent.count["a"] == before["a"] + 1
    assert all(count == 1 for name, count in agent.count.items() if name != "a")


def test_retrying_asks_once_also_where_a_second_round_follows_the_first(tmp_path: Path) -> None:
    agent, tasks = Asked("a", "b"), judged_by_a_model(tmp_path, *"abc")
    with ScriptedServer(answer=lambda _: GOOD) as server:
        model = {"name": "m", "base_url": server.base_url, "max_output_tokens": 300}
        run(tmp_path, tasks, agent, model, retries=0, spending=Spending(max_tokens=10))
        assert agent.count == {"a": 1, "b": 1, "c": 1}
        poor = Spending(max_tokens=10, retry_failed=True)
        run(tmp_path, tasks, agent, model, retries=0, spending=poor)
    assert max(agent.count.values()) <= 2


class Heard(Watcher):
    """Lets a server answer once something was judged."""

    def __init__(self) -> None:
        self.judging = threading.Event()

    def judged(self, answer: AnswerResult) -> None:
        """Let it."""
        self.judging.set()


def test_a_cap_that_stops_the_judge_stops_asking_a_chat_model(tmp_path: Path) -> None:
    tasks, heard = judged_by_a_model(tmp_path, *"abcdefgh"), Heard()

    def say(request: Request) -> str:
        if "Task a" not in request.question:
            heard.judging.wait(60)
        return "It is."

    with ScriptedServer(answer=say) as agent, ScriptedServer(answer=lambda _: GOOD) as judge:
        model = {"name": "m1", "base_url": agent.base_url, "max_output_tokens": 50}
        found = run_task_set(
            tasks,
            model | {"max_connections": 1},
            judge_model={"name": "m2", "base_url": judge.base_url, "max_output_tokens": 5000},
            spending=Spending(max_tokens=4500),
            runs=tmp_path / "runs",
            out=tmp_path / "out",
            watcher=heard,
        )
        assert (found.exit_code, len(judge.requests)) == (6, 0)
        assert len(agent.requests) == 2
