"""What is foreseen of a run that goes on is what it then asks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.benchmarks.tasksets import run_task_set
from rubric_engine.benchmarks.tasksets.collecting import is_judged_again
from rubric_engine.benchmarks.tasksets.foreseeing import foresee_run
from rubric_engine.benchmarks.tasksets.identity import asked_of
from rubric_engine.benchmarks.tasksets.results import AnswerResult, LeafResult, Results
from rubric_engine.benchmarks.tasksets.results_folder import read_kept
from rubric_engine.connection import Spending
from rubric_engine.testing import Reply, Request, ScriptedServer
from tests.benchmarks.tasksets.test_stopping import GOOD, judged_by_a_model

REFUSED = Reply(None, refusal="I would rather not.")


def says(request: Request) -> Reply:
    """The agent refuses task c; the judge refuses the answer to b."""
    if "# Task" in request.question:
        return REFUSED if "# Task c" in request.question else Reply(f"It is. {request.question}")
    return REFUSED if "# Task b" in str(request.body) else GOOD


@pytest.mark.parametrize("retry_failed", [False, True])
def test_of_kept_answers_exactly_what_is_asked_again_is_foreseen(
    tmp_path: Path, retry_failed: bool
) -> None:
    tasks = judged_by_a_model(tmp_path, *"abc")
    spending = Spending(retry_failed=retry_failed)
    places: dict[str, Any] = {"runs": tmp_path / "runs", "out": tmp_path / "out"}
    with ScriptedServer(answer=says) as server:
        agent, judge = ({"name": name, "base_url": server.base_url} for name in ("m1", "m2"))

        def run(**more: Any) -> None:
            run_task_set(tasks, agent, judge_model=judge, **places, **more)

        run()
        kept, before = read_kept(tmp_path / "out"), len(server.requests)
        assert Counter(answer.status for answer in kept.values()) == {"answered": 2, "failed": 1}
        found = foresee_run(
            tasks, asked_of(agent), 1, kept,
            judge="answers", model=judge, runs=places["runs"], spending=spending,
        )  # fmt: skip
        run(spending=spending)
        asked = len(server.requests) - before
    # Of a task that the agent may answer this time an answer would be judged.
    assert (asked, found.calls) == ((2, 3) if retry_failed else (0, 0))


@pytest.mark.parametrize(
    ("reason", "retry_failed", "again"),
    [
        ("provider_error", False, True),
        ("unparseable", False, False),
        ("unparseable", True, True),
        ("needs_model", True, False),
        (None, True, False),
    ],
)
def test_a_finished_answer_is_foreseen_where_it_is_judged_again(
    tmp_path: Path, reason: str | None, retry_failed: bool, again: bool
) -> None:
    tasks = judged_by_a_model(tmp_path, "a")
    leaf = LeafResult(key="k", category="c", worth=1, reason=reason)
    answer = AnswerResult(task="a", status="answered", text="x", leaves=(leaf,), finished=True)
    model = {"name": "m", "base_url": "http://localhost:1/v1"}
    found = foresee_run(
        tasks, asked_of(model), 1, {("a", 0): answer},
        judge="answers", model=model, runs=tmp_path, spending=Spending(retry_failed=retry_failed),
    )  # fmt: skip
    assert is_judged_again(answer, retry_failed=retry_failed) is again
    assert bool(found.calls) is again


def test_a_retry_that_a_cap_stops_is_no_failure_that_was_tried(tmp_path: Path) -> None:
    tasks = judged_by_a_model(tmp_path, *"ab")

    async def agent(task: Any) -> str:
        return str(task.task_id)

    places: dict[str, Any] = {"runs": tmp_path / "runs", "out": tmp_path / "out"}
    with ScriptedServer(answer=lambda _: REFUSED) as server:
        judge = {"name": "m", "base_url": server.base_url, "max_output_tokens": 300}

        def run(**more: Any) -> Results:
            return run_task_set(tasks, agent, judge_model=judge, concurrency=1, **places, **more)

        first = run()
        assert (first.exit_code, first.status, len(server.requests)) == (5, "done", 2)
        spent = sum(cost["input_tokens"] + cost["output_tokens"] for cost in first.cost.values())
        poor = run(spending=Spending(max_tokens=int(spent) + 1, retry_failed=True))
        assert (poor.exit_code, poor.status, len(server.requests)) == (6, "stopped", 2)
        rich = run(spending=Spending(retry_failed=True))
        assert (rich.exit_code, rich.status, len(server.requests)) == (5, "done", 4)
