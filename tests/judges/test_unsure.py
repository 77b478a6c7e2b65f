"""Cascades with a band: what a judge is unsure of goes to the next one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine import Grade, JudgeCard
from rubric_engine.errors import BudgetError, CredentialsError, ProviderError
from rubric_engine.judges.combine import Cascade, Panel
from tests.judges.speaking import Speaker, of, said

CARD = JudgeCard(kind="cascade", name="cascade")
BAND = (0.25, 0.75)
OPEN = Grade.ungradeable


def cascade(*members: Speaker) -> Cascade:
    return Cascade(members, CARD, BAND)


def unsure(score: float = 1.0, probability: float = 0.5) -> Grade:
    return of(score, probability=probability)


@pytest.mark.parametrize(
    ("word", "goes_on"),
    [
        (unsure(1, 0.25), True),
        (unsure(0, 0.75), True),
        (unsure(1, 0.76), False),
        (unsure(0, 0.24), False),
        (of(1), False),
        (Grade.not_applicable(probability=0.5), False),
    ],
)
def test_only_what_lies_in_the_band_goes_on(word: Grade, *, goes_on: bool) -> None:
    next_one = Speaker({"a": of(0)})
    found, _ = said(cascade(Speaker({"a": word}), next_one))
    assert [keys for keys, _ in next_one.asked] == ([("a",)] if goes_on else [])
    assert (found["a"].score == 0) == (goes_on or word.score == 0)
    assert len(found["a"].members) == (2 if goes_on else 0)


def test_without_a_band_nothing_does() -> None:
    found, _ = said(Cascade([Speaker({"a": unsure()}), Speaker({"a": of(0)})], CARD))
    assert found["a"].score == 1


def test_the_later_word_counts_and_tells_of_the_earlier() -> None:
    first, second = unsure(0, 0.4), of(1, calls=("k",), usage={"input_tokens": 1})
    found = said(cascade(Speaker({"a": first}, "first"), Speaker({"a": second}, "next")))[0]["a"]
    assert (found.score, found.probability, found.calls) == (1, None, ("k",))
    assert [member.score for member in found.members] == [0, 1]
    assert [(member.judge or "").split()[0] for member in found.members] == ["first", "next"]
    assert found.explanation == "it is 1\nA judge before it was unsure: 0 with probability 0.4."


FAILURES = ["refused", "rubric_error", "check_limit", "provider_error", "infra", "split"]


@pytest.mark.parametrize("reason", FAILURES)
def test_an_unsure_grade_stands_where_the_next_judge_fails(reason: Any) -> None:
    found, raised = said(cascade(Speaker({"a": unsure()}), Speaker({"a": OPEN(reason)})))
    grade = found["a"]
    assert (grade.score, grade.probability, raised) == (1, 0.5, None)
    assert [member.reason for member in grade.members] == [None, reason]
    assert f"A judge after it could not grade this: {reason}." in grade.explanation


@pytest.mark.parametrize("words", [{}, {"a": OPEN("needs_model")}])
def test_an_unsure_grade_stands_as_it_is_where_nobody_else_speaks(words: Any) -> None:
    grade = said(cascade(Speaker({"a": unsure()}), Speaker(words)))[0]["a"]
    assert (grade.score, grade.members) == (1, ())


DEATHS = [
    (ProviderError("down"), True),
    (CredentialsError("wrong key"), True),
    (ValueError("broken"), False),
]


@pytest.mark.parametrize(("error", "stops"), DEATHS)
def test_a_judge_that_dies_leaves_no_leaf_that_an_earlier_one_graded(
    error: Exception, *, stops: bool
) -> None:
    dead = Speaker({}, error=error)
    found, raised = said(cascade(Speaker({"a": unsure()}), dead))
    assert (found["a"].score, says(raised, error)) == (1, stops)
    assert [word.judge for word in found["a"].unheard()] == [found["a"].members[1].judge]
    found, raised = said(cascade(Speaker({"a": unsure(), "b": OPEN("needs_model")}), dead), "ab")
    assert (found["a"].score, says(raised, error)) == (1, True)


def says(raised: BaseException | None, error: Exception) -> bool:
    """Whether an error is the other, maybe with the name of the judge that it ended."""
    return type(raised) is type(error) and str(raised).endswith(str(error.args[0]))


def test_what_a_cap_kept_from_the_next_judge_waits_for_a_resume() -> None:
    dear = Speaker({}, error=BudgetError("spent"))
    found, raised = said(cascade(Speaker({"a": unsure()}), dear))
    assert (found["a"].reason, isinstance(raised, BudgetError)) == ("budget", True)
    assert found["a"].members[0].score == 1


def test_what_was_passed_on_and_never_asked_waits_too() -> None:
    dies = Speaker({"a": unsure(), "b": OPEN("refused")}, error=ProviderError("down"))
    found, raised = said(cascade(dies, Speaker({"a": of(1), "b": of(1)})), "ab")
    assert (found["a"].reason, found["b"].reason) == ("provider_error", "refused")
    assert isinstance(raised, ProviderError)


def test_the_last_grade_stands_behind_any_number_of_judges() -> None:
    words = [OPEN("cut_off"), unsure(0, 0.3), unsure(1, 0.6), OPEN("refused")]
    found = said(cascade(*(Speaker({"a": word}) for word in words)))[0]["a"]
    assert (found.score, found.probability) == (1, 0.6)
    assert [member.reason or member.score for member in found.members] == [
        "cut_off", 0, 1, "refused",
    ]  # fmt: skip


PROBABILITIES = st.dictionaries(st.sampled_from("abcd"), st.floats(0, 1), min_size=4, max_size=4)


@settings(max_examples=40)
@given(probabilities=PROBABILITIES, keys=st.permutations("abcd"))
def test_the_next_judge_is_asked_about_the_band_alone(
    probabilities: dict[str, float], keys: list[str]
) -> None:
    words = {key: unsure(round(value), value) for key, value in probabilities.items()}
    last = Speaker(lambda key, sample: OPEN("refused"))
    found, _ = said(cascade(Speaker(words), last), keys)
    inside = {key for key, value in probabilities.items() if BAND[0] <= value <= BAND[1]}
    assert {key for asked, _ in last.asked for key in asked} == inside
    assert {key: grade.score for key, grade in found.items()} == {
        key: word.score for key, word in words.items()
    }


@pytest.mark.parametrize("goes_on", [True, False])
def test_the_word_of_a_cascade_in_a_judge_bears_the_cascades_name(*, goes_on: bool) -> None:
    odds = Speaker({"a": unsure() if goes_on else of(1)}, "odds")
    inner = Cascade([odds, Speaker({"a": of(0)}, "chat")], CARD, BAND)
    outer = Panel([inner, Speaker({"a": of(0)}, "other")], JudgeCard(kind="panel"), "mean")
    members = said(outer)[0]["a"].members
    assert [(each.judge or "").split()[0] for each in members] == ["cascade", "other"]
    inside = [(each.judge or "").split()[0] for each in members[0].members]
    assert inside == (["odds", "chat"] if goes_on else [])
