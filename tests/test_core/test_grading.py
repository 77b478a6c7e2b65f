import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rubric_engine.grading import NOBODY_TRIED, REASONS, CheckResult, Citation, Grade, Reason, Score
from rubric_engine.rubric import Rubric
from rubric_engine.scoring import propagate
from tests.strategies import GRADES, graded_rubrics

CITATIONS = st.builds(
    Citation, path=st.text(min_size=1), start_line=st.integers(1), quote=st.text() | st.none()
)


@given(grade=GRADES.filter(bool), citations=st.lists(CITATIONS, max_size=2), text=st.text())
def test_grades_survive_json(grade: Grade, citations: list[Citation], text: str) -> None:
    full = grade.model_copy(
        update={
            "explanation": text,
            "citations": tuple(citations),
            "members": (grade,),
            "usage": {"input_tokens": 3.0},
        }
    )
    assert Grade.model_validate_json(full.model_dump_json()) == full


@given(graded_rubrics())
def test_scores_survive_json(graded: tuple[Rubric, dict[str, Grade]]) -> None:
    for score in propagate(*graded).values():
        assert Score.model_validate_json(score.model_dump_json()) == score


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan, math.inf, "high"])
def test_a_score_is_a_number_from_0_to_1(score: Any) -> None:
    with pytest.raises(ValidationError):
        Grade.graded(score)


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "graded"},
        {"status": "ungradeable"},
        {"status": "not_applicable", "score": 1},
        {"status": "not_applicable", "reason": "infra"},
        {"status": "ungradeable", "reason": "infra", "score": 0},
        {"status": "ungradeable", "reason": "tired"},
        {"status": "graded", "score": 1, "verdict": "met"},
    ],
)
def test_a_grade_says_one_thing(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Grade.model_validate(fields)


@pytest.mark.parametrize("reason", REASONS)
def test_what_failed_and_what_nobody_tried(reason: Reason) -> None:
    assert Grade.ungradeable(reason).failed is (reason not in NOBODY_TRIED)


def test_a_grade_is_no_failure() -> None:
    assert not Grade.graded(0, "absent", judge="rules").failed
    assert not Grade.not_applicable("no such experiment").failed


def test_a_grade_is_frozen() -> None:
    grade = Grade.graded(1)
    with pytest.raises(ValidationError):
        grade.score = 0


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ((None, None), "a.py"),
        ((3, None), "a.py:3"),
        ((3, 3), "a.py:3"),
        ((3, 7), "a.py:3-7"),
    ],
)
def test_a_citation_as_text(lines: tuple[int | None, int | None], text: str) -> None:
    assert str(Citation(path="a.py", start_line=lines[0], end_line=lines[1])) == text


def test_a_check_without_verdict_says_why() -> None:
    result = CheckResult(check="sql", looked_for="x", found="y", score=None, reason="rubric_error")
    assert CheckResult.model_validate_json(result.model_dump_json()) == result
