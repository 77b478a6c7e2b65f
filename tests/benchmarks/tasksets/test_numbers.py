"""What is read as a number in an answer, and that every part of the engine reads the same."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.benchmarks.tasksets.forms import MOST_BYTES, formed
from rubric_engine.benchmarks.tasksets.numerals import last_number, number_of
from rubric_engine.benchmarks.tasksets.outcomes import outcome
from rubric_engine.benchmarks.tasksets.rules import RULES
from rubric_engine.benchmarks.tasksets.sense import rule_of
from rubric_engine.benchmarks.tasksets.task import ExpectedOutput, NamedRule, SetTask
from tests.benchmarks.tasksets.example import task

NUMBER = ExpectedOutput(type="number")


def score(text: str, equals: float, expected: ExpectedOutput = NUMBER, **more: Any) -> float | None:
    rule = RULES["number_close"].model_validate({"equals": equals, "rel": 1e-9, **more})
    found = outcome("number_close", rule, text, expected)
    assert found is not None
    return found.score


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.5", 1234.5),
        ("12,345,678", 12345678),
        ("\u22125", -5),
        ("-.5", -0.5),
        (".5", 0.5),
        ("**5.**", 5),
        ("$$ = 1e\u22123 $$", 0.001),
        ("\uff15", 5),
        ("so it is\n\n`2,000`\u3002", 2000),
        ("about 1,234 or so", 1234),
    ],
)
def test_a_right_number_is_right_however_it_is_written(text: str, value: float) -> None:
    assert score(text, value) == 1.0
    assert score(text, value + 1) == 0.0


@given(st.text("0123456789,.+-\u2212eE $*`=\n", max_size=12) | st.floats(width=32).map(str))
def test_whatever_is_well_formed_is_compared_as_what_it_is(text: str) -> None:
    seen = formed(text, NUMBER)
    if seen.reason is None:
        assert score(text, seen.value) == 1.0


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_survive_the_ways_of_writing_them(value: float) -> None:
    ways = (repr(value), f"{value:+}", f"{value:e}".replace("-", "\u2212"), f"{value:,.3f}")
    near = (value, value, float(f"{value:e}"), float(f"{value:.3f}"))
    for text, due in zip(ways, near, strict=True):
        if text.count(",") <= 10:
            assert number_of(text) == due
            assert last_number(f"it is {text} or so") == due


@pytest.mark.parametrize("text", ["", "e5", "5e", "1,23", "1234,567", "1,2345", "--5", "5 6", "x"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert number_of(text) is None
    assert formed(text, NUMBER).reason is not None


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("text", "of 1,234, then", 1234),
        ("text", "1,2345", 2345),
        ("text", "no number", None),
        ("json", "[100,200,300]", 300),
        ("csv", "a,b\n1,200\n", 200),
        ("table", "| a | b |\n|---|---|\n| x | 1,200 |", 1200),
    ],
)
def test_a_comma_is_read_as_the_form_has_it(kind: Any, text: str, value: float | None) -> None:
    expected = ExpectedOutput(type=kind)
    assert score(text, 0 if value is None else value, expected) == float(value is not None)


def test_a_reference_may_be_written_as_an_answer_is_and_a_pattern_goes_with_no_place() -> None:
    made = SetTask.model_validate(task(reference={"answer": "\u22121,234.5"}))
    rule = rule_of(NamedRule(name="number_close"), made)
    assert rule.model_dump()["equals"] == -1234.5
    with pytest.raises(ValueError, match="not both"):
        RULES["number_close"].model_validate({"equals": 1, "regex": "x", "json": "a"})


@pytest.mark.parametrize("piece", ["1,234,", "9", "1,", ".", "1e", "-", "111,111"])
def test_the_largest_answers_are_searched_to_their_end(piece: str) -> None:
    text = piece * (MOST_BYTES // len(piece))
    found = last_number(text)
    assert found is None or math.isinf(found) or found >= 0
    score(text, 1)
