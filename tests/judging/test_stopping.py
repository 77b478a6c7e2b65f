"""A run that must stop: what waits ends at once, and what was sent is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Report, agrade
from rubric_engine.connection import Spending
from rubric_engine.testing import Fault, Reply, Request, ScriptedServer
from tests.judging.desk import asked_about, leaf, task

LEAVES = task({"a": [leaf(f"a{at}") for at in range(60)]})
LONG = Fault("500", headers=(("Retry-After", "300"),))
SAFE_S = 60.0  # where a wait is sat out, the test ends here and not with the wait

Grading = Callable[..., Report]


@pytest.fixture
def graded(make_tree: Callable[[dict[str, str | bytes]], Path], tmp_path: Path) -> Grading:
    """Grade all leaves with the shipped card, asking a server."""
    folder = make_tree({"a.py": "def step(x):\n    return x\n"})

    def go(server: ScriptedServer, **settings: Any) -> Report:
        model = {"base_url": server.base_url, "price": {"input": 1, "output": 1}, **settings}
        grading = agrade(
            LEAVES, folder, judge="simple", model=model, spending=Spending(max_cost=50.0),
            run_dir=tmp_path / "runs" / "x",
        )  # fmt: skip
        return asyncio.run(asyncio.wait_for(grading, SAFE_S))

    return go


@pytest.mark.parametrize(
    ("kind", "code", "answered"), [("401", "E101", "a0 a1"), ("overbilled", "E602", "a0 a1 a2")]
)
@pytest.mark.parametrize("connections", [8, 32])
def test_calls_that_wait_are_called_back_and_answers_under_way_are_kept(
    graded: Grading, kind: Any, code: str, answered: str, connections: int
) -> None:
    def answer(request: Request) -> Fault | None:
        about = asked_about(request).split()[1]
        said = {"a0": None, "a1": Fault("slow", delay=0.5), "a2": Fault(kind, delay=0.2)}
        return said.get(about, LONG)

    with ScriptedServer(answer=answer) as server:
        report = graded(server, max_connections=connections)
    assert report.stopped is not None
    assert report.stopped.code == code
    kept = {key for key, grade in report.grades.items() if grade.score is not None}
    assert kept == set(answered.split())
    assert report.reasons.keys() <= {"provider_error", "budget"}


def test_a_wait_that_no_call_sits_out_stops_the_run_at_any_width(graded: Grading) -> None:
    def answer(request: Request) -> Reply | Fault | None:
        return None if request.number == 1 else Fault("429", retry_after="3600")

    with ScriptedServer(answer=answer) as server:
        report = graded(server, max_connections=32)
    assert report.stopped is not None
    assert report.stopped.code == "E701"
    assert report.statuses["graded"] == 1
