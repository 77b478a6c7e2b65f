"""Servers that fail: every leaf is graded all the same, or has its reason."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Report, grade
from rubric_engine.testing import Fault, Request, ScriptedServer
from tests.judging.desk import asked_about, leaf, task

LEAVES = task({name: [leaf(f"{name}{at}") for at in range(15)] for name in "abcd"})

LOUD = (Fault("429", retry_after="0"), Fault("429_bare"), Fault("500"), Fault("reset"))
UNREADABLE = (Fault("truncated"), Fault("wrong_schema"), Fault("empty"))


class Weather:
    """Faults for three of ten requests about each leaf, told by the leaf and not by their order.

    Two unreadable answers in a row about one leaf are its end, by design: none come.
    """

    def __init__(self) -> None:
        self.came: Counter[str] = Counter()
        self.sent: Counter[str] = Counter()
        self._unreadable: set[str] = set()

    def __call__(self, request: Request) -> Fault | None:
        about = asked_about(request)
        self.came[about] += 1
        toss = int(hashlib.sha256(f"{about} {self.came[about]}".encode()).hexdigest(), 16)
        fault = None
        if toss % 10 < 3:
            kinds = LOUD if about in self._unreadable else (*LOUD, *UNREADABLE)
            fault = kinds[toss // 10 % len(kinds)]
            self.sent[fault.kind] += 1
        if fault in UNREADABLE:
            self._unreadable.add(about)
        elif fault is None:
            self._unreadable.discard(about)
        return fault


@pytest.fixture
def graded(make_tree: Callable[[dict[str, str | bytes]], Path], tmp_path: Path) -> Any:
    """Grade all leaves with the shipped card, asking a server."""
    folder = make_tree({"a.py": "def step(x):\n    return x\n"})

    def go(server: ScriptedServer, max_wait: float) -> Report:
        model = {"base_url": server.base_url, "max_wait": max_wait}
        return grade(LEAVES, folder, judge="simple", model=model, run_dir=tmp_path / "runs" / "x")

    return go


def test_a_server_that_fails_three_times_in_ten_still_grades_every_leaf(graded: Any) -> None:
    weather = Weather()
    with ScriptedServer(answer=weather) as server:
        report = graded(server, max_wait=60)
    assert report.statuses["graded"] == 60
    assert set(weather.sent) == {fault.kind for fault in (*LOUD, *UNREADABLE)}
    assert server.stats().requests == 60 + weather.sent.total()


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("500", "provider_error"),
        ("reset", "provider_error"),
        ("refusal", "refused"),
        ("content_filter", "refused"),
        ("wrong_schema", "unparseable"),
        ("empty", "unparseable"),
        ("length", "cut_off"),
        ("context_overflow", "context_overflow"),
    ],
)
def test_one_leaf_that_always_fails_fails_alone(graded: Any, kind: Any, reason: str) -> None:
    def answer(request: Request) -> Fault | dict[str, Any] | None:
        return Fault(kind) if asked_about(request) == "leaf c7 is there" else None

    with ScriptedServer(answer=answer, verdicts={"": True}) as server:
        report = graded(server, max_wait=0.05)
    assert {key: g.reason for key, g in report.grades.items() if g.score is None} == {"c7": reason}
    assert report.grades["c7"].explanation
    assert report.failed
    assert report.score.low == pytest.approx(59 / 60)
    assert report.score.high == 1.0
    assert report.score.coverage == pytest.approx(59 / 60)
