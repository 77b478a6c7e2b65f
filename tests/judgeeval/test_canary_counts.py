"""JudgeEval counts the canaries that a judge calls met, and says so beside the table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rubric_engine.judge import JudgeCard
from rubric_engine.judgeeval import (
    CanaryCount,
    doubts,
    evaluate,
    load_cases,
    load_evaluation,
    table_of,
)
from rubric_engine.judgeeval.cases import LabelledCase
from tests.judgeeval.making import write_case, write_task


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sequence[LabelledCase]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    task = write_task(tmp_path / "task")
    for name in ("a", "b"):
        write_case(tmp_path / "cases" / name, task)
    return load_cases(tmp_path / "cases")


@pytest.mark.parametrize(("score", "met"), [(1.0, 2), (0.5, 2), (0.4, 0), (0.0, 0)])
def test_canaries_are_counted_by_case_and_are_no_leaves(
    cases: Sequence[LabelledCase], score: float, met: int, tmp_path: Path
) -> None:
    card = JudgeCard.model_validate(
        {"name": "c", "kind": "constant", "score": score, "canaries": 2}
    )
    found = evaluate(card, cases, out=tmp_path / "out")
    bare = evaluate(card.model_copy(update={"canaries": None}), cases)
    assert [case.canaries for case in found.cases] == [CanaryCount(asked=2, met=met)] * 2
    assert [case.canaries for case in bare.cases] == [None, None]
    assert (found.leaves, found.judge) == (bare.leaves, bare.judge)
    assert load_evaluation(tmp_path / "out") == found
    said = [one.message for one in doubts(table_of([found])) if one.code == "W420"]
    text = "c calls met 4 of 4 canaries, criteria that are certainly false, in 2 of 2 cases"
    assert said == ([f"{text}: do not trust it"] if met else [])


def test_canaries_without_a_grade_are_told_by_reason(
    cases: Sequence[LabelledCase], tmp_path: Path
) -> None:
    words = {"yes": 1.0, "no": 0.0}
    for name, score in words.items():
        folder = tmp_path / "judges" / name
        folder.mkdir(parents=True)
        (folder / "judge.yaml").write_text(f"judge: 1\nkind: constant\nscore: {score}\n")
    tied = JudgeCard.model_validate(
        {"name": "tied", "kind": "panel", "judges": [*words], "canaries": 2}
    )
    found = evaluate(tied, cases, out=tmp_path / "out")
    assert [case.canaries for case in found.cases] == [
        CanaryCount(asked=2, met=0, open={"split": 2})
    ] * 2
    assert load_evaluation(tmp_path / "out") == found
    said = {one.code: one.message for one in doubts(table_of([found]))}
    assert said["W423"] == (
        "tied was not tried: it graded none of 4 canaries, criteria that are certainly false"
        " (split 4)"
    )
    assert "W420" not in said


@pytest.mark.parametrize(
    ("counts", "said", "why"),
    [
        (
            [CanaryCount(asked=3, met=0, open={"needs_model": 3})] * 2,
            "was not tried: it graded none of 6 canaries",
            "needs_model 6",
        ),
        (
            [CanaryCount(asked=3, met=0, open={"split": 2}), CanaryCount(asked=3, met=0)],
            "was not wholly tried: no grade of 2 of 6 canaries",
            "split 2",
        ),
        ([CanaryCount(asked=3, met=0)] * 2, None, ""),
        ([None, None], None, ""),
    ],
)
def test_a_judge_that_graded_none_was_not_tried_by_them(
    cases: Sequence[LabelledCase], counts: list[CanaryCount | None], said: str | None, why: str
) -> None:
    found = evaluate(JudgeCard(name="c", kind="rules"), cases)
    own = [
        one.model_copy(update={"canaries": n}) for one, n in zip(found.cases, counts, strict=True)
    ]
    table = table_of([found.model_copy(update={"cases": tuple(own)})])
    told = [one.message for one in doubts(table) if one.code in ("W420", "W423")]
    text = f"c {said}, criteria that are certainly false ({why})"
    assert told == ([text] if said else [])


def test_open_canaries_are_counted_apart(cases: Sequence[LabelledCase]) -> None:
    card = JudgeCard.model_validate({"name": "r", "kind": "rules", "canaries": 2})
    found = evaluate(card, cases)
    assert [one.canaries for one in found.cases] == [
        CanaryCount(asked=2, met=0, open={"needs_model": 2})
    ] * 2
