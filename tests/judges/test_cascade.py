"""Cascades: which leaves go on to the next judge, and what becomes of the words before."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Case, Criterion, Grade, JudgeCard, Report, grade
from rubric_engine.errors import ProviderError
from rubric_engine.grading import REASONS, Reason
from rubric_engine.judges.combine import Cascade
from tests.judging.desk import leaf, task

KEYS = ("a", "b")
PASSED_ON = {"needs_model", "refused", "unparseable", "cut_off", "context_overflow", "split"}


class Says:
    """Says what it is given, of leaves or of whatever else.

    Args:
        words: What it says, in this order; of leaves that are not among them, nothing.
        error: Raised at the end.
    """

    def __init__(self, words: Mapping[Any, Any], error: Exception | None = None) -> None:
        self.card = JudgeCard(kind="tests:Says", name="says")
        self.asked: list[str] = []
        self._words, self._error = words, error

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        self.asked += [each.key for each in leaves]
        for key, word in self._words.items():
            if key in self.asked or key not in KEYS:
                yield key, word
        if self._error is not None:
            raise self._error


STEPS: tuple[Reason, ...] = ("needs_model", "refused")
MET = Grade.graded(1.0, "it is there")


@pytest.fixture
def judged(tmp_path: Path) -> Any:
    (tmp_path / "a.py").write_text("x = 1\n")

    def go(*judges: Says | Cascade) -> Report:
        cascade = Cascade(judges, JudgeCard(kind="cascade"))
        return grade(task({"g": [leaf(key) for key in KEYS]}), tmp_path, judge=cascade)

    return go


@pytest.mark.parametrize("reason", REASONS)
def test_only_what_asking_again_cannot_mend_goes_on(judged: Any, reason: Any) -> None:
    open_ = Grade.ungradeable(reason, "no luck")
    second = Says({"a": MET})
    found = judged(Says({"a": open_, "b": MET}), second).grades["a"]
    assert second.asked == (["a"] if reason in PASSED_ON else [])
    assert (found.score, found.reason) == ((1.0, None) if reason in PASSED_ON else (None, reason))


def test_a_grade_tells_of_the_judges_that_failed_before(judged: Any) -> None:
    refused, cut = Grade.ungradeable("refused"), Grade.ungradeable("cut_off")
    found = judged(Says({"a": refused}), Says({"a": cut}), Says({"a": MET})).grades["a"]
    assert found.explanation.startswith("it is there\n")
    assert "could not grade this: cut_off" in found.explanation
    assert [member.reason for member in found.members] == ["refused", "cut_off", None]


@pytest.mark.parametrize("words", [{"a": Grade.ungradeable("needs_model")}, {}])
def test_a_failure_stands_where_nobody_after_it_says_anything(judged: Any, words: Any) -> None:
    found = judged(Says({"a": Grade.ungradeable("refused")}), Says(words)).grades["a"]
    assert found.reason == "refused"


@pytest.mark.parametrize("error", [ProviderError("down"), ValueError("broken")])
def test_a_judge_that_stops_takes_no_word_along(judged: Any, error: Exception) -> None:
    first = Says({"a": Grade.ungradeable("refused"), "b": MET}, error)
    assert judged(first, Says({"a": MET})).grades["a"].reason == "refused"


@pytest.mark.parametrize("odd", [{"nope": MET}, {"nope": Grade.ungradeable("refused")}, {"a": 3}])
def test_an_odd_word_of_a_member_costs_no_leaf(judged: Any, odd: dict[str, Any]) -> None:
    report = judged(Says(odd | {"b": MET}), Says({"b": MET}))
    assert "W208" in {noted.code for noted in report.noted}
    assert report.grades["b"].score == 1.0


def test_a_cascade_in_a_cascade_passes_on_as_any_judge(judged: Any) -> None:
    members = [Says({"a": Grade.ungradeable(reason)}) for reason in STEPS]
    inner = Cascade(members, JudgeCard(kind="cascade"))
    assert judged(inner, Says({"a": MET, "b": MET})).grades["a"].score == 1.0
