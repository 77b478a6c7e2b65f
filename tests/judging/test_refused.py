"""What an endpoint refuses of a judge card: said in every run that relies on it, and forgotten."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Report, grade
from rubric_engine.ledger import Ledger
from rubric_engine.resuming import resume
from rubric_engine.testing import Fault, Request, ScriptedServer
from tests.judging.desk import leaf, task

LEAVES = task({"a": [leaf(f"a{at}") for at in range(4)]})
Grading = Callable[..., Report]


@pytest.fixture
def graded(make_tree: Callable[[dict[str, str | bytes]], Path], tmp_path: Path) -> Grading:
    """Grade all leaves with the shipped card, asking a server."""
    folder = make_tree({"a.py": "def step(x):\n    return x\n"})

    def go(server: ScriptedServer, run: str, **settings: Any) -> Report:
        model = {"base_url": server.base_url, "temperature": 0.5, "max_connections": 1, **settings}
        return grade(LEAVES, folder, judge="simple", model=model, run_dir=tmp_path / "runs" / run)

    return go


def refused(report: Report) -> list[str]:
    said = [warning.message for warning in report.warnings if warning.code == "W215"]
    log = Path(report.run or "", "log.txt").read_text(encoding="utf-8")
    assert all(f"W215 {message}" in log for message in said)
    return said


def test_every_run_that_relies_on_it_says_what_was_left_out(graded: Grading) -> None:
    with ScriptedServer(refuses=("temperature",)) as server:
        first = graded(server, "first")
        (said,) = refused(first)
        assert "refuses temperature; it is left out" in said
        replayed = graded(server, "second")
        assert server.stats().requests == 1 + 4
        assert refused(replayed) == [said]
        assert refused(graded(server, "third", temperature=None)) == []


def test_a_resume_says_it_also_where_it_was_found_out_before(graded: Grading) -> None:
    down = True

    def answer(request: Request) -> Fault | None:
        return Fault("401") if down and request.number > 3 else None

    with ScriptedServer(answer=answer, refuses=("temperature",)) as server:
        report = graded(server, "run")
        assert report.stopped is not None
        down = False
        again = resume(report.run or "")
        assert again.stopped is None
        assert refused(again) == refused(report) != []
        assert server.stats().requests == 1 + 4 + 1


def test_what_is_known_of_endpoints_is_forgotten_by_a_prune(
    graded: Grading, tmp_path: Path
) -> None:
    with ScriptedServer(refuses=("temperature",)) as server:
        graded(server, "first")
        with Ledger.open(tmp_path / "runs" / "ledger.sqlite") as ledger:
            assert ledger.capabilities()
            ledger.prune(None, lambda: {"first"})
            assert ledger.capabilities() == {}
