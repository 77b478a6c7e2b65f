"""One judge asked again and again: which leaves, with which samples, and what comes of them."""

from __future__ import annotations

import hashlib
import math
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_engine import Grade, JudgeCard
from rubric_engine.errors import BudgetError, ProviderError
from rubric_engine.judgeeval import lead_by
from rubric_engine.judges.combine import Panel, Repeat
from tests.judges.speaking import Speaker, of, said

CARD = JudgeCard(kind="repeat", name="repeat")
OPEN = Grade.ungradeable


def asked(*words: Grade | None, n: int = 0, error: Exception | None = None, **more: Any) -> Any:
    """A judge that says these words of leaf `a`, sample by sample, and what comes of it."""
    judge = Speaker(lambda _, sample: words[sample], error=error)
    found, raised = said(Repeat(judge, CARD, n or len(words), **more))
    return found.get("a"), raised, len(judge.asked)


@pytest.mark.parametrize(
    ("vote", "scores", "expected", "probability", "calls"),
    [
        ("majority", [1, 0, 1], 1.0, 2 / 3, 3),
        ("majority", [0, 0, 1], 0.0, 1 / 3, 3),
        ("majority", [1, 0], "split", None, 2),
        ("mean", [1, 0, 0.5, 1], 0.625, 3 / 4, 4),
        ("lead_by", [1, 1, 0, 0, 0], 1.0, None, 2),
        ("lead_by", [1, 0, 0, 0, 1], 0.0, None, 4),
        ("lead_by", [1, 0, 0, 1, 1], 1.0, None, 5),
        ("lead_by", [1, 0, 0, 1], "split", None, 4),
    ],
)
def test_samples_make_a_grade(
    vote: str, scores: list[float], expected: Any, probability: float | None, calls: int
) -> None:
    grade, raised, rounds = asked(*map(of, scores), vote=vote)
    assert (grade.reason or grade.score, raised, rounds) == (expected, None, calls)
    assert grade.samples == tuple(scores[:calls])
    assert [member.score for member in grade.members] == scores[:calls]
    assert grade.probability == (None if probability is None else pytest.approx(probability))


def test_own_probabilities_go_before_the_share_of_samples() -> None:
    grade, *_ = asked(of(1, probability=0.75), of(1, probability=0.25), n=2)
    assert grade.probability == pytest.approx(0.5)


@pytest.mark.parametrize(("vote", "sd"), [("mean", math.hypot(0.3, 0.4) / 2), ("majority", None)])
def test_the_mean_of_expected_scores_has_a_standard_deviation(vote: Any, sd: float | None) -> None:
    words = (of(0.9, sd=0.3), of(0.8, sd=0.4))
    alone, *_ = asked(*words, vote=vote)
    members = [Speaker({"a": word}) for word in words]
    together, _ = said(Panel(members, JudgeCard(kind="panel", name="panel"), vote))
    for grade in (alone, together["a"]):
        assert grade.sd == (None if sd is None else pytest.approx(sd))


def test_a_failed_sample_is_no_vote() -> None:
    grade, *_ = asked(of(1), OPEN("refused"), None)
    assert (grade.score, grade.samples, len(grade.members)) == (1.0, (1.0,), 3)
    assert grade.explanation.startswith("samples: 1, refused, infra\n")
    assert asked(OPEN("refused"), OPEN("refused"))[0].reason == "refused"
    assert asked(OPEN("needs_model"), OPEN("needs_model"))[0].reason == "needs_model"
    assert asked(Grade.not_applicable(), Grade.not_applicable())[0].status == "not_applicable"


@pytest.mark.parametrize("error", [ProviderError("down"), BudgetError("spent"), ValueError("oh")])
def test_where_asking_ends_early_leaves_wait_for_a_resume(error: Exception) -> None:
    def words(key: str, sample: int) -> Grade | None:
        return of(1) if sample == 0 or key == "a" else None

    judge = Speaker(words, error=error, dies_at=1)
    found, raised = said(Repeat(judge, CARD, 3), "ab")
    assert raised is error
    reasons = {BudgetError: "budget", ProviderError: "provider_error", ValueError: "infra"}
    assert {grade.reason for grade in found.values()} == {reasons[type(error)]}
    assert found["b"].samples == (1.0,)


def test_only_undecided_leaves_are_asked_about_again() -> None:
    judge = Speaker(lambda key, sample: of(float(key != "b" or sample != 16)))
    found, _ = said(Repeat(judge, CARD, 5, "lead_by"), "abc", sample=3)
    assert judge.asked == [
        (("a", "b", "c"), 15), (("a", "b", "c"), 16), (("b",), 17), (("b",), 18),
    ]  # fmt: skip
    assert {key: len(grade.samples) for key, grade in found.items()} == {"a": 2, "b": 4, "c": 2}


@settings(max_examples=40)
@given(
    scores=st.lists(st.sampled_from([0.0, 0.5, 1.0, None]), min_size=2, max_size=7),
    data=st.data(),
)
def test_the_order_of_samples_does_not_matter_where_all_are_asked(
    scores: list[float | None], data: st.DataObject
) -> None:
    other = data.draw(st.permutations(scores))
    words = [[OPEN("refused") if score is None else of(score) for score in way]
             for way in (scores, other)]  # fmt: skip
    for vote in ("majority", "mean"):
        first, second = (asked(*way, vote=vote)[0] for way in words)
        assert (first.status, first.score, first.reason) == (
            second.status, second.score, second.reason,
        )  # fmt: skip


@settings(max_examples=40)
@given(keys=st.permutations("abcd"), flips=st.sets(st.sampled_from("abcd")))
def test_the_order_of_leaves_does_not_matter(keys: list[str], flips: set[str]) -> None:
    def words(key: str, sample: int) -> Grade:
        return of(float(key in flips and sample % 2))

    ways = [said(Repeat(Speaker(words), CARD, 5, "lead_by"), way)[0] for way in (keys, "abcd")]
    assert ways[0] == ways[1]


RIGHT, MANY = 0.83, [str(number) for number in range(3000)]


def test_a_lead_of_two_takes_as_many_calls_as_walds_formula_says() -> None:
    def words(key: str, sample: int) -> Grade:
        digest = hashlib.blake2b(f"{key} {sample}".encode(), digest_size=7).digest()
        return Grade.graded(float(int.from_bytes(digest) / 2**56 < RIGHT))

    found, _ = said(Repeat(Speaker(words), CARD, 99, "lead_by"), MANY)
    calls = [len(grade.samples) for grade in found.values()]
    right = [grade.score or 0.0 for grade in found.values()]
    wanted = lead_by(2, RIGHT)  # 2.786 calls, 0.960 right; the vectors hold both
    assert fmean(calls) == pytest.approx(wanted.calls, abs=0.1)
    assert fmean(right) == pytest.approx(wanted.right, abs=0.015)
