"""What every judge promises: the shipped ones keep it, and whoever breaks it is found out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from rubric_engine.errors import JudgeCardError, LabelsError
from rubric_engine.grading import Grade
from rubric_engine.judge import JudgeCard
from rubric_engine.judges import LabelJudge
from rubric_engine.lookup import shipped
from rubric_engine.testing import check_judge
from rubric_engine.testing.judge_conformance import UNTRIED, try_judge
from rubric_engine.testing.judge_promises import JUDGE_PROMISES
from tests.testing import breaking_judges as breaking

NEEDS_LABELS = "labels"
NO_JUDGE = "monitor"


@pytest.mark.parametrize(
    "name", [name for name in shipped("judges") if name not in (NEEDS_LABELS, NO_JUDGE)]
)
def test_shipped_judges_keep_every_promise(name: str) -> None:
    check_judge(name)


@pytest.mark.parametrize(
    "settings",
    [
        {"kind": "repeat", "of": "simple", "n": 3, "vote": "lead_by"},
        {"kind": "repeat", "of": "panel", "n": 2, "vote": "mean"},
        {"kind": "panel", "judges": ["cascade", "all-met"], "vote": "unanimous"},
        {"kind": "cascade", "judges": ["auto", "panel", "decision"], "unsure": [0.4, 0.6]},
    ],
    ids=lambda settings: f"{settings['kind']} {settings.get('vote', '')}",
)
def test_judges_made_of_judges_keep_every_promise(settings: dict[str, object]) -> None:
    check_judge(JudgeCard.model_validate({"name": "made", **settings}))


def test_the_judge_that_replays_labels_keeps_every_promise() -> None:
    check_judge(LabelJudge({"momentum": Grade.graded(1.0, "seen"), "prints": Grade.graded(0.0)}))


def test_labels_of_another_rubric_are_an_error_of_theirs() -> None:
    with pytest.raises(LabelsError, match="none of 1 labels"):
        check_judge(LabelJudge({"elsewhere": Grade.graded(1.0)}))
    with pytest.raises(JudgeCardError):
        check_judge("no-such-judge")


def test_a_good_judge_is_good_as_it_is_and_by_its_card() -> None:
    check_judge(breaking.Good())
    check_judge(breaking.Good().card)


@pytest.mark.parametrize(
    ("judge", "promise", "why"),
    [
        (breaking.EndsTheProcess, "every leaf gets a grade or a reason", "it ends the process"),
        (breaking.Interrupts, "every leaf gets a grade or a reason", "it raises KeyboardInterrupt"),
        (breaking.Cancels, "the order of leaves does not matter", "it raises CancelledError"),
        (breaking.NoPairs, "every leaf gets a grade or a reason", "it yields Grade, no pair"),
        (breaking.NamesByNumber, "no leaf comes twice", "it names a leaf by int, no key"),
        (breaking.NoGenerator, "grades are in range", "grade must be `async def` and yield"),
        (breaking.OtherGrades, "grades are in range", "of 'solver' it says dict, no Grade"),
        (breaking.TakesLeaves, "what it is given stays as it is", "it changes the list of leaves"),
        (breaking.ChangesLeaves, "what it is given stays as it is", "the case or its leaves"),
        (breaking.ChangesTheCase, "what it is given stays as it is", "the case or its leaves"),
        (breaking.RemembersInItsModule, "nothing is carried over", "after another case, it says"),
        (breaking.LeavesOneOut, "every leaf gets a grade or a reason", "'momentum'"),
        (breaking.SaysMore, "nothing is said of leaves that were not asked", "it speaks of 'root'"),
        (breaking.SaysTwice, "no leaf comes twice", "'solver' comes more than once"),
        (breaking.OutOfRange, "grades are in range", "1.5, no number from 0 to 1"),
        (breaking.NoWords, "an explanation is text", "is of type NoneType"),
        (breaking.ByPlace, "the order of leaves does not matter", "gets another grade"),
        (breaking.Remembers, "nothing is carried over", "after another case, it says something"),
        (breaking.ChangesItsCard, "nothing is carried over", "its fingerprint changes while"),
        (breaking.NoSample, "a repetition is taken by its number", "it raises TypeError"),
        (breaking.NeedsRun, "a case without paper and run", "AttributeError: there is no log"),
        (breaking.Formats, "hostile words of leaves break nothing", "it raises KeyError"),
        (breaking.Reads, "a submission that cannot be read", "it raises SubmissionError"),
        (breaking.OwnLoop, "the engine grades with it inside a running", "the judge broke"),
        (breaking.Deaf, "cancelled, it ends", "it takes no notice: it grades to its end"),
        (breaking.LeavesTask, "left before its end", "it leaves 1 tasks running"),
        (breaking.LeavesThread, "cancelled, it ends", "threads running: mine"),
        (breaking.LeavesFile, "left before its end", ".mine"),
        (breaking.WritesThere, "cancelled, it ends", "it writes into the submission"),
    ],
)
def test_a_broken_promise_is_named(judge: type[breaking.Good], promise: str, why: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_judge(judge())
    lines = [line for line in str(caught.value).splitlines() if line.startswith(f"- {promise}")]
    assert lines, str(caught.value)
    assert why in lines[0]


DROPPED: list[tuple[dict[str, object], str]] = [
    ({"drops": "vote", "vote": "one"}, "it does not change with 'vote'"),
    ({"drops": "expected", "expected": False}, "it does not change with 'expected'"),
    ({"drops": "requests", "requests": {"by": "a"}}, "it does not change with 'requests.by'"),
    ({"drops": "band", "band": [0.5]}, "it does not change with 'band.0'"),
]
"""A card of which one key is left out of the fingerprint, and what is said of it."""


@pytest.mark.parametrize(
    ("judge", "settings", "why"),
    [
        (breaking.OneCard, {}, "it does not change with 'name'"),
        *((breaking.DropsKeys, *each) for each in DROPPED),
        (breaking.DescribedCard, {}, "it changes with the description"),
        (breaking.PacedCard, {"model": {"name": "m"}}, "it changes with the pace (timeout)"),
    ],
)
def test_a_fingerprint_is_that_of_the_card(
    judge: type[breaking.Good], settings: dict[str, object], why: str
) -> None:
    kind = f"{breaking.__name__}:{judge.__name__}"
    card = JudgeCard.model_validate({"kind": kind, "name": "one", **settings})
    broken = {kept.says: kept.broken for kept in try_judge(card) if kept.broken}
    assert set(broken) == {"the fingerprint is that of the card"}
    assert why in str(broken)


def test_it_can_be_called_where_a_loop_runs() -> None:
    async def inside() -> None:
        check_judge("rules")

    asyncio.run(inside())


def test_a_judge_that_says_more_and_more_is_not_heard_to_an_end() -> None:
    with pytest.raises(AssertionError, match="it says more and more"):
        check_judge(breaking.NeverDone(), JUDGE_PROMISES[:1])


@pytest.fixture
def released() -> Iterator[None]:
    """Let go in the end what waits for ever."""
    breaking.RELEASED.clear()
    yield
    breaking.RELEASED.set()


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize(
    ("judge", "why"),
    [
        (breaking.Blocks, "it blocks: it does not come back within 0.5 s"),
        (breaking.BlocksAThread, "it blocks: it does not come back within 0.5 s"),
        (breaking.Waits, "it does not end within 0.5 s"),
    ],
)
def test_a_judge_that_never_comes_back_is_waited_for_once(
    judge: type[breaking.Good], why: str
) -> None:
    tried = {kept.says: kept.broken for kept in try_judge(judge(), patience=0.5)}
    broken = [said for said in tried.values() if said]
    assert broken == [why, *[UNTRIED] * (len(broken) - 1)]
    assert tried["the order of leaves does not matter"] is None
    assert tried["nothing is carried over from one grading to the next"] == why
    assert tried["a case without paper and run is graded, too"] == UNTRIED


@pytest.mark.usefixtures("released")
def test_a_judge_that_is_never_made_is_an_error_of_it() -> None:
    card = JudgeCard(kind=f"{breaking.__name__}:BlocksWhenMade", name="one")
    with pytest.raises(JudgeCardError, match="not made: it blocks"):
        check_judge(card, patience=0.1)
