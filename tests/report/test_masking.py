"""What is hidden in texts that go out, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import UsageError
from rubric_engine.report import Mask
from rubric_engine.report.apart import told_apart
from rubric_engine.report.masking import HIDDEN

RANDOM = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3"


@pytest.mark.parametrize(
    "secret",
    [
        f"sk-proj-{RANDOM}",
        f"sk-ant-api03-{RANDOM}",
        f"AIza{RANDOM}aB",
        f"ya29.{RANDOM}",
        f"ghp_{RANDOM}",
        f"github_pat_{RANDOM}",
        f"glpat-{RANDOM[:20]}",
        f"hf_{RANDOM}",
        "xoxb-1234567890-abcdef",
        "AKIA" + "ABCD" * 4,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.SflKxwRJSMeKKF2QT4",
    ],
)
def test_a_key_is_hidden_by_its_look_and_the_text_around_it_stays(secret: str) -> None:
    mask = Mask()
    assert mask.text(f"before {secret} 后") == f"before {HIDDEN} 后"
    assert mask.text(f'{{"key": "{secret}"}}') == f'{{"key": "{HIDDEN}"}}'
    assert mask.count.to_dict() == {"secrets": 2, "redacted": 0}


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("password = 'hT8#kq2!zz'", "password = '***'"),
        ("DB_TOKEN: kQ9z-31xX_pLm8", "DB_TOKEN: ***"),
        ('"api_key":"7f3a2c9be014d5587f3a2c9be014d558"', '"api_key":"***"'),
        ("postgres://user:s3cr3t@host/db", "postgres://user:***@host/db"),
    ],
)
def test_of_an_assignment_the_value_is_hidden(text: str, masked: str) -> None:
    assert Mask().text(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "num_tokens = 128000000",
        "token = tokenizer.eos_token_id",
        "password: correct horse",
        "api_key = os.environ['OPENAI_API_KEY']",
        "sk-learn-is-a-name-and-not-a-key-at-all",
        "secret=************",
        "max_tokens=4096, token_ids=input_ids[0]",
        "sha256 7f3a2c9be014d5587f3a2c9be014d5587f3a2c9be014d558",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    mask = Mask()
    assert mask.text(text) == text
    assert mask.count.secrets == 0


def test_a_private_key_goes_whole_and_leaves_its_lines() -> None:
    body = "MIIEowIBAAKCAQEA1234567890abcd\n" * 3
    head = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,AA\n\n"
    text = f"first\n{head}{body}-----END RSA PRIVATE KEY-----\nlast"
    masked = Mask().text(text)
    assert masked.count("\n") == text.count("\n")
    assert set(masked.split("\n")) == {"first", HIDDEN, "", "last"}
    torn = Mask().text(f"{head.splitlines()[0]}\n{body}and then prose")
    assert "MIIE" not in torn
    assert torn.endswith("and then prose")


def test_what_a_person_names_is_hidden_in_all_texts_but_in_no_word_of_the_engine() -> None:
    mask = Mask(["met", "R[0-9]+"])
    value = {"verdict": ["met", "not met"], "text": "it was met in R12", "votes": {"R1": "met"}}
    assert mask.of(value) == {
        "verdict": ["met", "not met"],
        "text": "it was *** in ***",
        "votes": {"***": "met"},
    }
    assert mask.count.to_dict() == {"secrets": 0, "redacted": 3}


def test_names_that_look_alike_once_hidden_stay_apart() -> None:
    masked = Mask(["[ab]"]).of({"votes": {"a": 1, "b": 2}})
    assert masked == {"votes": {"***": 1, "***#2": 2}}


@pytest.mark.parametrize(
    ("pattern", "said"),
    [("(", "refuses"), ("(?=a)", "refuses"), ("x*", "empty"), (r"\b", "empty"), (r"\B", "empty")],
)
def test_a_pattern_that_names_nothing_is_refused(pattern: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        Mask([pattern])
    assert refused.value.code == "E013"


@given(st.text(alphabet=st.characters(codec=None), max_size=60))
def test_lines_stay_lines_whatever_is_hidden(text: str) -> None:
    masked = Mask([r"\C", "(?s).b"]).lines(text.split("\n"))
    assert len(masked.lines) == text.count("\n") + 1


@given(st.text(max_size=80))
def test_what_is_masked_is_not_masked_again(text: str) -> None:
    first = Mask().text(f"{text} ghp_{RANDOM} {text}")
    again = Mask()
    assert again.text(first) == first
    assert again.count.secrets == 0


@pytest.mark.parametrize(
    "text", ["-----BEGIN PRIVATE KEY-----\n", "token=", "://a:", "eyJaaaaaaaaa."]
)
def test_a_text_of_beginnings_alone_takes_no_longer_than_any(text: str) -> None:
    masked = Mask().text(text * 100_000)
    assert masked.count("\n") == (text * 100_000).count("\n")


@given(st.lists(st.sampled_from(["***", "***#2", "***#3", "***#2#2", "a"])))
def test_no_two_names_are_alike_and_the_first_of_each_keeps_it(names: list[str]) -> None:
    told = told_apart(names)
    assert len({*told}) == len(names)
    assert all(told[names.index(name)] == name for name in names)
    assert all(own.startswith(name) for own, name in zip(told, names, strict=True))


def test_very_many_alike_names_are_numbered() -> None:
    told = told_apart(["***"] * 100_000)  # where each was counted from 1, this would not end
    assert told[:3] == ["***", "***#2", "***#3"]
    assert told[-1] == "***#100000"


def test_names_in_settings_are_hidden_at_any_depth_and_those_of_the_engine_stay() -> None:
    key = f"ghp_{RANDOM}"
    inside = {key: {key: [{key: 1}]}, "a": 1}
    masked = Mask(["card"]).of({"judge": {"card": inside, "name": "x"}})
    assert masked == {"judge": {"card": {HIDDEN: {HIDDEN: [{HIDDEN: 1}]}, "a": 1}, "name": "x"}}
