"""The tolerant parser: many forms, one meaning, and nothing half-read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.models.parsing import Unreadable, parse
from tests.models.answers import Scored, Verdict

GOOD = {"explanation": "It says {so}, twice.", "score": 1.0}
TEXT = json.dumps(GOOD)

FORMS = [
    TEXT,
    f"```json\n{TEXT}\n```",
    f"Here is my answer:\n\n{TEXT}\n\nI hope that this helps.",
    f"<think>Maybe {{'score': 0}}? No: {{\"score\": 0}}.</think>{TEXT}",
    f"it began to think before\n</think>\n{TEXT}",
    f"The set {{a, b}} is found. {TEXT}",
    '{"explanation": "It says {so}, twice.", "score": 1.0,}',
    'So: {"explanation": "It says {so}, twice.", "score": 1,\n}\nDone, ok,}',
    f"{TEXT}\n\nAgain: {TEXT}",
    "1. Explanation: It says {so}, twice.\n2. Score: 1",
    "**Explanation**: It says {so}, twice.\n**Score:** 1\n",
    "- explanation: It says {so}, twice.\n\n- `score` = 1.0",
    "\ufeff" + TEXT,
]


@pytest.mark.parametrize("text", FORMS)
def test_every_form_says_the_same(text: str) -> None:
    assert parse(text, Scored) == GOOD


HALF_READ = [
    '{"explanation": "e", "score": 57}',
    '{"explanation": "e", "score": "1"}',
    '{"explanation": "e", "score": true}',
    '{"explanation": "e", "score": NaN}',
    '{"explanation": "e", "score": 0, "score": 1}',
    '{"explanation": "e"}',
    '{"score": 1}',
    '{"score": 1} {"explanation": "e", "score": 1}',
    '{"explanation": "e", "score": 0} {"explanation": "e", "score": 1}',
    '{"answer": {"explanation": "e", "score": 1}}',
    '[{"explanation": "e", "score": 57}]',
    "Explanation: e\nScore: 57",
    "Explanation: e\nScore: 1 of 10",
    "Explanation: e\nScore: 1/10",
    "Explanation: e\nScore: 1\nNo, it is 0.",
    "Explanation: e\nScore: 0\nScore: 1",
    "Score: 1",
    "The score is 1.",
    "<think>" + TEXT + "</think>",
    "",
    "{" * 10_000,
    '{"a":' * 10_000,
    '{"explanation": "' * 1_000,
    '{"explanation": "e", "score": ' + "9" * 10_000 + "}",
    "x" * 1_000_001,
]


@pytest.mark.parametrize("text", HALF_READ, ids=lambda text: text[:40])
def test_what_is_not_plain_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        parse(text, Scored)


@pytest.mark.parametrize(
    "met", ['"false"', '"true"', "0", "1", "null", '"yes"', "[true]", "False", "'true'"]
)
def test_only_true_and_false_are_verdicts(met: str) -> None:
    with pytest.raises(Unreadable):
        parse(f'{{"expectation": "e", "met": {met}}}', Verdict)


@pytest.mark.parametrize(("word", "met"), [("yes", True), ("False", False), ("**true**", True)])
def test_a_labelled_verdict_may_be_a_word(word: str, met: bool) -> None:
    assert parse(f"Expectation: e\nMet: {word}", Verdict)["met"] is met


def test_text_of_a_labelled_answer_runs_over_lines() -> None:
    read = parse("Well.\n1) explanation: one\ntwo: three\n\nfour\n2) score: 0.5", Scored)
    assert read == {"explanation": "one\ntwo: three\n\nfour", "score": 0.5}


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
verdicts = st.fixed_dictionaries(
    {
        "expectation": texts,
        "citations": st.lists(
            st.fixed_dictionaries({"path": texts, "line": st.integers(0, 10**6)}), max_size=3
        ),
        "met": st.booleans(),
    }
)


@given(verdicts, st.sampled_from(["{}", "```json\n{}\n```", "Answer: {}\nThat is all.", "\n{} "]))
def test_what_is_written_is_read(verdict: dict[str, Any], frame: str) -> None:
    assert parse(frame.replace("{}", json.dumps(verdict, indent=1)), Verdict) == verdict


@given(verdicts, st.integers(0, 400), st.integers(1, 400))
def test_a_damaged_answer_is_read_right_or_not_at_all(
    verdict: dict[str, Any], start: int, length: int
) -> None:
    text = json.dumps(verdict)
    try:
        read = parse(text[:start] + text[start + length :], Verdict)
    except Unreadable:
        return
    assert read["met"] is verdict["met"]


pieces = st.sampled_from(
    [
        '{"met": ',
        "expectation: e\n",
        '"expectation": "e"',
        "<think>",
        "</think>",
        "1. ",
        "[",
        "]",
        "true",
        "false",
        '"met"',
        ": ",
        "{",
        "}",
        ",",
        '"',
        "\\",
        "met: yes\n",
        "```\n",
        "\n",
    ]
)


@given(st.lists(pieces | texts, max_size=30).map("".join))
def test_any_text_gives_a_valid_answer_or_is_refused(text: str) -> None:
    try:
        read = parse(text, Verdict)
    except Unreadable:
        return
    assert Verdict.model_validate(read, strict=True).met in (True, False)
