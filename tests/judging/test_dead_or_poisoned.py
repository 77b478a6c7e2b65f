"""A provider that is gone stops the run; prompts that no server answers do not."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Report, Task, grade
from rubric_engine.resuming import resume
from rubric_engine.testing import Fault, Request, ScriptedServer
from tests.judging.desk import asked_about, leaf, task

LEAVES = task({name: [leaf(f"{name}{at}") for at in range(15)] for name in "abcd"})
KEYS = LEAVES.rubric.leaves()
MANY = task({name: [leaf(f"{name}{at}") for at in range(15)] for name in "abcdefgh"})

Grading = Callable[..., Report]


@pytest.fixture
def graded(make_tree: Callable[[dict[str, str | bytes]], Path], tmp_path: Path) -> Grading:
    """Grade all leaves with the shipped card, asking a server."""
    folder = make_tree({"a.py": "def step(x):\n    return x\n"})

    def go(server: ScriptedServer, connections: int, leaves: Task = LEAVES) -> Report:
        model = {"base_url": server.base_url, "max_wait": 0.02, "max_connections": connections}
        return grade(leaves, folder, judge="simple", model=model, run_dir=tmp_path / "runs" / "x")

    return go


def fails(poisoned: Collection[str], kind: Any) -> Callable[[Request], Fault | None]:
    def answer(request: Request) -> Fault | None:
        about = asked_about(request).split()[1]
        return Fault(kind) if about in poisoned else None

    return answer


@pytest.mark.parametrize("connections", [1, 2, 32])
@pytest.mark.parametrize("kind", ["500", "403", "404"])
@pytest.mark.parametrize(
    "poisoned",
    [KEYS[3::5], KEYS[-12:], KEYS[15:27], KEYS[1:45]],
    ids=["scattered", "the last", "a group", "most"],
)
def test_leaves_that_always_fail_fail_alone(
    graded: Grading, poisoned: tuple[str, ...], kind: str, connections: int
) -> None:
    with ScriptedServer(answer=fails(poisoned, kind)) as server:
        report = graded(server, connections)
    assert report.stopped is None
    assert report.failed
    assert {key for key, each in report.grades.items() if each.score is None} == set(poisoned)
    assert report.reasons == {"provider_error": len(poisoned)}


@pytest.mark.parametrize("connections", [1, 2, 32])
@pytest.mark.parametrize("kind", ["500", "503", "reset", "404"])
def test_a_server_that_dies_stops_the_run_which_goes_on_later(
    graded: Grading, kind: Any, connections: int
) -> None:
    died = True

    def answer(request: Request) -> Fault | None:
        return Fault(kind) if died and request.number > 10 else None

    with ScriptedServer(answer=answer) as server:
        report = graded(server, connections, MANY)
        assert report.stopped is not None
        assert (report.stopped.code, report.stopped.exit_code) == ("E701", 7)
        assert "8 of them from all over the rubric" in report.stopped.message
        assert report.statuses["graded"] == 10
        asked = len({request.prompt for request in server.requests})
        # Those that were in flight at its end, twice: an answer counts once it is on record.
        assert asked <= 10 + 2 * (connections + connections // 8) + 8 + 8
        died = False
        assert report.run is not None
        assert resume(report.run).statuses["graded"] == 120


def test_a_resume_that_is_left_with_leaves_that_fail_ends(graded: Grading) -> None:
    with ScriptedServer(answer=fails(KEYS[-12:], "500")) as server:
        report = graded(server, 1)
        assert report.run is not None
        again = resume(report.run)
    assert again.stopped is None
    assert again.reasons == {"provider_error": 12}
