"""Servers that fail: every leaf is graded all the same, or has its reason."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Report, grade
from rubric_engine.testing import FAULT_KINDS, Fault, Request, ScriptedServer
from tests.judging.desk import asked_about, leaf, task

LEAVES = task({name: [leaf(f"{name}{at}") for at in range(15)] for name in "abcd"})

ENDS = {
    "401", "403", "404", "quota", "daily",  # of the run, or of the call
    "context_overflow", "prompt_filter", "cut_400", "refusal", "content_filter", "length",
}  # fmt: skip
"""Kinds that no call survives."""

UNREADABLE = {"truncated", "wrong_schema", "empty", "duplicate_keys", "wrong_types", "huge"}
"""Kinds that have the model asked again, once."""

SURVIVED = tuple(kind for kind in FAULT_KINDS if kind not in ENDS)
TIMEOUT_S = 2.0


def _fault(kind: str) -> Fault:
    delay = 20 * TIMEOUT_S if kind == "slow" else 0.0
    return Fault(kind, retry_after="0", delay=delay, size=10_000)  # type: ignore[arg-type]


class Weather:
    """Faults for three of ten requests about each leaf, told by the leaf and not by their order.

    Two unreadable answers in a row about one leaf are its end, by design: none come. A parameter
    is refused where it is sent.
    """

    def __init__(self) -> None:
        self.came: Counter[str] = Counter()
        self.sent: Counter[str] = Counter()
        self._unreadable: set[str] = set()

    def __call__(self, request: Request) -> Fault | None:
        about = asked_about(request)
        self.came[about] += 1
        kind = self._kind(f"{about} {self.came[about]}", about, request)
        if kind in UNREADABLE:
            self._unreadable.add(about)
        elif kind in (None, "overbilled"):
            self._unreadable.discard(about)
        self.sent[kind or ""] += 1
        return _fault(kind) if kind else None

    def _kind(self, toss_of: str, about: str, request: Request) -> str | None:
        toss = int(hashlib.sha256(toss_of.encode()).hexdigest(), 16)
        if toss % 10 >= 3:
            return None
        out = UNREADABLE if about in self._unreadable else set()
        out = out if "temperature" in request.body else out | {"unknown_parameter"}
        rarest = min(self.sent[kind] for kind in SURVIVED if kind not in out)
        kinds = [kind for kind in SURVIVED if kind not in out and self.sent[kind] == rarest]
        return kinds[toss // 10 % len(kinds)]


@pytest.fixture
def graded(make_tree: Callable[[dict[str, str | bytes]], Path], tmp_path: Path) -> Any:
    """Grade all leaves with the shipped card, asking a server."""
    folder = make_tree({"a.py": "def step(x):\n    return x\n"})

    def go(server: ScriptedServer, max_wait: float, **settings: Any) -> Report:
        model = {"base_url": server.base_url, "max_wait": max_wait, **settings}
        return grade(LEAVES, folder, judge="simple", model=model, run_dir=tmp_path / "runs" / "x")

    return go


def test_a_server_that_fails_three_times_in_ten_still_grades_every_leaf(graded: Any) -> None:
    weather = Weather()
    with ScriptedServer(answer=weather) as server:
        report = graded(server, max_wait=60, timeout=TIMEOUT_S, temperature=0.5)
    assert report.statuses["graded"] == 60
    assert {kind for kind in weather.sent if kind} == set(SURVIVED)
    assert server.stats().requests == weather.sent.total()
    assert weather.sent[""] + weather.sent["overbilled"] == 60


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
