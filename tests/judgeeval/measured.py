"""Labelled cases to measure a judge on, and judges that break or stop on the way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rubric_engine.grading import Grade
from rubric_engine.judgeeval import Evaluation, Watcher, load_cases
from rubric_engine.judgeeval.cases import LabelledCase
from tests.judgeeval.making import Says, write_case, write_task


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder and the state are in a fresh place, in every test of who imports this."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def cases(tmp_path: Path) -> Sequence[LabelledCase]:
    """Two cases of one task."""
    task = write_task(tmp_path / "task")
    for name in ("a", "b"):
        write_case(tmp_path / "cases" / name, task)
    return load_cases(tmp_path / "cases")


def graded(evaluation: Evaluation) -> dict[str, int]:
    """Number of leaves with a grade, by case."""
    found = dict.fromkeys((case.name for case in evaluation.cases), 0)
    for leaf in evaluation.leaves:
        found[leaf.case] += leaf.status == "graded"
    return found


class BreaksOn(Says):
    """Breaks on the submission of one case."""

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name = name

    async def grade(self, leaves, case, *, sample=0):  # type: ignore[no-untyped-def]
        if self.name in case.submission.read("a.py"):
            raise RuntimeError("no")
        async for word in super().grade(leaves, case, sample=sample):
            yield word


class Stops(Watcher):
    """Is interrupted at a leaf of a case."""

    def __init__(self, case: str, after: int) -> None:
        self.case, self.after, self.at = case, after, ""

    def begin(self, case: LabelledCase, keys: frozenset[str]) -> None:
        self.at = case.name

    def grade(self, key: str, grade: Grade) -> None:
        self.after -= self.at == self.case
        if self.after < 0:
            raise KeyboardInterrupt
