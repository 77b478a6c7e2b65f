"""An answer as progress shows it: by its score, or by the reason for which it has none."""

from __future__ import annotations

from typing import Any

import pytest

from rubric_engine.benchmarks.tasksets.results import AnswerResult, LeafResult
from rubric_engine.cli.answers_shown import Answers
from rubric_engine.cli.bench_watch import grade_of
from rubric_engine.cli.progress import plain_line
from rubric_engine.criterion import Criterion
from rubric_engine.grading import Score
from rubric_engine.rubric import Rubric


def leaf(reason: str | None) -> LeafResult:
    return LeafResult(key="a", category="c", worth=1.0, reason=reason)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"status": "failed", "reason": "refused"}, "refused"),
        ({"status": "failed", "reason": "cut_off"}, "cut_off"),
        ({"status": "failed", "reason": "broke"}, "infra"),
        ({"status": "malformed", "reason": "form"}, "unparseable"),
        ({"leaves": (leaf(None), leaf("needs_model"), leaf("refused"))}, "refused"),
        ({"leaves": (leaf("budget"),)}, "budget"),
        ({"leaves": (leaf("not_run"),)}, "not_run"),
        ({"trouble": "E301 no folder", "finished": True}, "infra"),
    ],
)
def test_an_answer_without_a_score_has_its_own_reason(facts: dict[str, Any], reason: str) -> None:
    text = "" if facts.get("status") else "x"
    found = AnswerResult.model_validate({"task": "a", "status": "answered", "text": text} | facts)
    assert grade_of(found).reason == reason


def test_a_score_is_shown_and_the_line_names_the_command() -> None:
    score = Score(value=0.5, low=0.5, high=0.5, coverage=1.0)
    found = AnswerResult(task="a", status="answered", text="x", score=score)
    assert grade_of(found).score == 0.5
    rubric = Rubric.build([(None, Criterion(key="", id="a", requirements="a"))])
    assert " bench tasks 0/0 " in plain_line(Answers("tasks", rubric, command="bench"))
