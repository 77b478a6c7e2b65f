"""Judges of all kinds of brokenness: the run is whole, and the rest is open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Case, Criterion, Grade, JudgeCard, grade
from rubric_engine.runs import load_report
from tests.engine.test_engine import rubric

Make = Callable[[dict[str, str | bytes]], Path]


class Speechless(Exception):  # noqa: N818  # it is an error that cannot even say so
    """An error whose words are broken."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


class Raising:
    """Grades one leaf, then raises."""

    card = JudgeCard(kind="tests:Raising", name="raising")

    def __init__(self, error: BaseException) -> None:
        self.error = error

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        yield leaves[0].key, Grade.graded(1.0)
        raise self.error


@pytest.mark.parametrize(
    "error",
    [
        ValueError("bad name \udc80"),
        Speechless(),
        SystemExit(0),
        asyncio.CancelledError(),
        BaseExceptionGroup("many", [ValueError("one")]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_a_judge_raises_is_the_judges(
    make_tree: Make, tmp_path: Path, error: BaseException
) -> None:
    report = grade(rubric(), make_tree({"a.py": ""}), judge=Raising(error), run_dir=tmp_path / "r")
    assert report.grades["code"].score == 1.0
    assert report.grades["prose"].reason == "infra"
    assert report.failed
    assert load_report(tmp_path / "r").grades == report.grades


def plain(leaves: Sequence[Criterion], case: Case, *, sample: int = 0) -> list[Any]:
    return [(leaf.key, Grade.graded(1.0)) for leaf in leaves]


async def returning(leaves: Sequence[Criterion], case: Case, *, sample: int = 0) -> list[Any]:
    return plain(leaves, case)


async def triples(
    leaves: Sequence[Criterion], case: Case, *, sample: int = 0
) -> AsyncIterator[tuple[Any, ...]]:
    yield leaves[0].key, Grade.graded(1.0), "more"


@pytest.mark.parametrize("method", [plain, returning, triples])
def test_a_judge_of_the_wrong_form_is_told_so(make_tree: Make, method: Callable[..., Any]) -> None:
    judge = Raising(ValueError())
    vars(judge)["grade"] = method
    report = grade(rubric(), make_tree({"a.py": ""}), judge=judge)
    assert {g.reason for key, g in report.grades.items() if key != "run"} == {"infra"}
    assert "the judge broke" in report.noted[0].message


def test_a_fault_of_the_caller_is_not_the_judges(make_tree: Make) -> None:
    def progress(key: str, grade: Grade) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        grade(rubric(), make_tree({"a.py": ""}), on_grade=progress)
