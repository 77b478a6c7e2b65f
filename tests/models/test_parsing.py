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
OTHER = json.dumps({"explanation": "", "score": 0.0})

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
    f"[THINK]{OTHER}[/THINK]{TEXT}",
    f"<think>\n<think>\n{OTHER}</think>\n{TEXT}",
    f"<seed:think>{OTHER}</seed:think>{TEXT}",
    f"<|channel|>analysis<|message|>{OTHER}<|end|><|start|>assistant<|channel|>final<|message|>{TEXT}",
    f'{{"explanation": "a </think> in it", "score": 0}} was a draft.</think>{TEXT}',
    "Explanation\uff1aIt says {so}, twice.\nScore\uff1a1",
    f"**Explanation:** as below.\n**Score:** 1\n\n{TEXT}",
    f'["a", {TEXT}]',
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
    "<think>" + TEXT,
    "<think>hm</think><think>" + TEXT,
    "<think>\nExplanation: e\nScore: 1",
    # What stands behind the beginning of an object may be a quote within it.
    f'{{"explanation": "the code says {TEXT}", "score": 0}}',
    f'{{"explanation": "the code says {TEXT}',
    f'Here: {{"note": "the code says {TEXT}',
    f'{TEXT} {{"explanation": "e", "scor',
    f"{{'explanation': 'e', 'score': 0}} {TEXT}",
    f"{{explanation: e, score: 0}} {TEXT}",
    f'{{"explanation": "e", "score": 0}} // no\n{TEXT}',
    '{"explanation": "e", // why\n "score": 1}',
    # Two verdicts, in two forms.
    f"Score: 0\n\n{TEXT}",
    f"{TEXT}\n\n**Score**: 0",
    f'{TEXT}\n\nNo, "score": 0.5 it is.',
    f"\u201cscore\u201d\uff1a0\n{TEXT}",
    '{"explanation": "e", "score": 1, "Score": 0}',
    '{"explanation": "e", "score": 1, "sc\\u006fre": 0}',
    f'{{"draft": {TEXT}}}',
    f"[{TEXT}, {OTHER}]",
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


def test_texts_may_hold_line_ends_lone_surrogates_and_tags() -> None:
    read = parse('So: {"explanation": "a\n\tb \\ud800 <think> </think>", "score": 1}', Scored)
    assert read == {"explanation": "a\n\tb ? <think> </think>", "score": 1.0}


@pytest.mark.parametrize(
    ("word", "agrees"), [("yes", True), ("not met", False), ("see below", True)]
)
def test_a_label_beside_an_object_may_not_say_otherwise(word: str, agrees: bool) -> None:
    text = f'Met: {word}\n\n{{"expectation": "e", "met": true}}'
    if agrees:
        assert parse(text, Verdict)["met"] is True
    else:
        with pytest.raises(Unreadable, match="otherwise"):
            parse(text, Verdict)


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


frames = st.sampled_from(["{}", "So: {}", "```json\n{}\n```", "<think>hm</think>\n{}", "{}\nDone."])


@given(verdicts, verdicts, st.integers(0, 400), frames)
def test_a_verdict_that_is_quoted_in_another_is_never_taken_for_it(
    verdict: dict[str, Any], quoted: dict[str, Any], cut: int, frame: str
) -> None:
    quote = json.dumps(quoted | {"met": not verdict["met"]})
    text = json.dumps(verdict | {"expectation": "it says QUOTE, really"})
    for said in (text.replace("QUOTE", quote), text.replace("QUOTE", quote)[: len(quote) + cut]):
        try:
            read = parse(frame.replace("{}", said), Verdict)
        except Unreadable:
            continue
        assert read["met"] is verdict["met"]


@given(verdicts, verdicts, st.integers(0, 400), st.booleans())
def test_half_a_verdict_beside_another_one_is_not_passed_over(
    verdict: dict[str, Any], other: dict[str, Any], kept: int, first: bool
) -> None:
    half = json.dumps(other | {"met": not verdict["met"]})[:kept]
    whole = json.dumps(verdict)
    text = f"{half}\n{whole}" if first else f"{whole}\n{half}"
    try:
        read = parse(text, Verdict)
    except Unreadable:
        return
    assert read == verdict
    assert '"met":' not in half


@given(verdicts, verdicts, st.sampled_from(["think", "thinking", "reasoning", "thought"]))
def test_a_thought_is_no_verdict(
    verdict: dict[str, Any], thought: dict[str, Any], tag: str
) -> None:
    held, said = json.dumps(thought), json.dumps(verdict)
    assert parse(f"<{tag}>{held}</{tag}>{said}", Verdict) == verdict
    assert parse(f"{held}</{tag}>{said}", Verdict) == verdict
    with pytest.raises(Unreadable):
        parse(f"<{tag}>{held}", Verdict)


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
