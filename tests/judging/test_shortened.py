"""A prompt that is too long for the model is asked once more with less evidence, and says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine import Report, grade, resume
from rubric_engine.connection import LEDGER, Spending
from rubric_engine.jobs import SHORTENED
from rubric_engine.kept import find_receipt
from rubric_engine.ledger import Entry, Ledger
from rubric_engine.testing import Fault, Request, ScriptedServer
from tests.judging.desk import asked_about, leaf, task

TASK = task({"a": [leaf(f"a{at}") for at in range(4)]})
BIG = "".join(f"x{at} = {at}\n" for at in range(2_000))


class Scene:
    """Grades with a server whose answer about `a0` is told; `runs` holds the runs."""

    def __init__(self, submission: Path, runs: Path) -> None:
        self.submission = submission
        self.runs = runs

    def __call__(
        self, server: ScriptedServer, run: str = "one", spending: Spending | None = None
    ) -> Report:
        return grade(
            TASK, self.submission, judge="simple", model={"base_url": server.base_url},
            run_dir=self.runs / run, spending=spending or Spending(),
        )  # fmt: skip

    def entry(self, key: str) -> Entry:
        with Ledger.open(self.runs / LEDGER) as ledger:
            found = ledger.find(key)
        assert found is not None
        return found


@pytest.fixture
def scene(make_tree: Callable[[dict[str, str | bytes]], Path], tmp_path: Path) -> Scene:
    return Scene(make_tree({"a.py": BIG, "b.py": "y = 1\n"}), tmp_path / "runs")


class TooLong:
    """What a server says of `a0`: its first prompt is too long, the shorter one gets `then`."""

    def __init__(self, then: Fault | None = None) -> None:
        self.then = then
        self.lengths: list[int] = []

    def __call__(self, request: Request) -> Fault | None:
        if asked_about(request) != "leaf a0 is there":
            return None
        self.lengths.append(len(request.prompt))
        return Fault("context_overflow") if len(self.lengths) == 1 else self.then


def test_its_grade_says_so_and_has_the_receipt_of_what_was_shown(scene: Scene) -> None:
    asked = TooLong()
    with ScriptedServer(answer=asked) as server:
        report = scene(server)
    assert report.statuses["graded"] == 4
    assert [key for key, g in report.grades.items() if SHORTENED in g.explanation] == ["a0"]
    first, shorter = asked.lengths
    assert shorter < 0.8 * first
    others = {report.grades[f"a{at}"].receipt for at in (1, 2, 3)}
    assert len(others) == 1
    full = find_receipt(scene.runs / "one", others.pop() or "")
    less = find_receipt(scene.runs / "one", report.grades["a0"].receipt or "")
    assert full is not None
    assert less is not None
    assert set(full.whole) == {"a.py", "b.py"}
    assert [line.path for line in less.cut] == ["a.py"]


def test_the_overflow_points_at_what_took_its_place(scene: Scene) -> None:
    with ScriptedServer(answer=TooLong()) as server:
        first, shorter = scene(server).grades["a0"].calls
    assert scene.entry(first).outcome == "context_overflow"
    assert scene.entry(first).shortened_to == shorter
    assert scene.entry(shorter).outcome == "answer"


@pytest.mark.parametrize("retry_failed", [False, True])
def test_neither_of_the_two_is_asked_again(scene: Scene, retry_failed: bool) -> None:
    with ScriptedServer(answer=TooLong()) as server:
        before = scene(server)
        asked = len(server.requests)
        again = scene(server, "two", Spending(retry_failed=retry_failed))
        assert len(server.requests) == asked == 5
    assert again.grades == before.grades


def test_where_the_shorter_one_fails_too_the_leaf_names_both_calls(scene: Scene) -> None:
    asked = TooLong(Fault("refusal"))
    with ScriptedServer(answer=asked) as server:
        failed = scene(server).grades["a0"]
        assert failed.reason == "refused"
        first, shorter = failed.calls
        assert scene.entry(first).shortened_to == shorter
        asked.then = None
        mended = resume(scene.runs / "one", retry_failed=True)
        assert len(server.requests) == 5 + 1
    assert mended.grades["a0"].calls == (first, shorter)
    assert SHORTENED in mended.grades["a0"].explanation
