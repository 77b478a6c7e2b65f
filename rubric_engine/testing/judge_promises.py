"""The promises of judges."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from rubric_engine.case import Case
from rubric_engine.grading import Grade
from rubric_engine.judge import JudgeCard
from rubric_engine.model import PACE
from rubric_engine.testing.judge_bench import Bench, Word, grades_of, words
from rubric_engine.testing.judge_cases import judge_cases, leaves_of, picture
from rubric_engine.testing.judge_conformance import JudgePromise
from rubric_engine.testing.judge_leaving import ends_when_cancelled, ends_when_left

_BROKE = frozenset({"W207", "W208"})
"""Warnings of the engine about a judge that raised, or that said what is no grade."""


def _keys(said_words: list[Word]) -> list[Any]:
    return [key for key, _ in said_words]


def _answers_all(bench: Bench, case: Case, sample: int | None = None) -> None:
    heard = _keys(bench.words(bench.fresh(), case, sample=sample))
    missing = set(case.task.rubric.leaves()) - set(heard)
    assert not missing, f"nothing is said of {_named(missing)}"


def _named(keys: set[Any]) -> str:
    first = sorted(map(repr, keys))
    return ", ".join(first[:3]) + (f" and {len(first) - 3} more" if len(first) > 3 else "")


def _every_leaf(bench: Bench) -> None:
    _answers_all(bench, bench.cases.ran)


def _only_asked(bench: Bench) -> None:
    some = leaves_of(bench.cases.ran)[::2]
    for asked in (some, []):
        heard = bench.words(bench.fresh(), bench.cases.ran, asked)
        other = set(_keys(heard)) - {leaf.key for leaf in asked}
        assert not other, f"it speaks of {_named(other)}"


def _once(bench: Bench) -> None:
    heard = Counter(_keys(bench.words(bench.fresh(), bench.cases.ran)))
    twice = {key for key, times in heard.items() if times > 1}
    assert not twice, f"{_named(twice)} comes more than once"


def _in_range(bench: Bench) -> None:
    for key, grade in grades_of(bench.words(bench.fresh(), bench.cases.ran)):
        numbers = (grade.score, grade.probability, *grade.samples)
        wrong = [number for number in numbers if not _is_share(number)]
        assert not wrong, f"of {key!r} it says {wrong[0]!r}, no number from 0 to 1"
        graded, reasoned = grade.score is not None, grade.reason is not None
        fits = graded == (grade.status == "graded")
        fits = fits and reasoned == (grade.status == "ungradeable")
        assert fits, f"of {key!r} it says {grade.status} with {grade.score} and {grade.reason}"


def _is_share(number: object) -> bool:
    if number is None:
        return True
    return isinstance(number, int | float) and math.isfinite(number) and 0 <= number <= 1


def _in_words(bench: Bench) -> None:
    for key, grade in grades_of(bench.words(bench.fresh(), bench.cases.ran)):
        explanation: object = grade.explanation
        what = type(explanation).__name__
        assert isinstance(explanation, str), f"the explanation of {key!r} is of type {what}"


def _verdicts(grades: dict[str, Grade]) -> dict[str, tuple[object, ...]]:
    return {
        key: (grade.status, grade.score, grade.probability, grade.reason)
        for key, grade in grades.items()
    }


def _any_order(bench: Bench) -> None:
    case, leaves = bench.cases.ran, leaves_of(bench.cases.ran)
    first = _verdicts(bench.said(bench.fresh(), case, leaves))
    for order in (leaves[::-1], leaves[3:] + leaves[:3]):
        other = _verdicts(bench.said(bench.fresh(), case, order))
        differ = {key for key in first if other.get(key) != first[key]}
        assert not differ, f"in another order {_named(differ)} gets another grade"


def _no_state(bench: Bench) -> None:
    ran, bare = bench.cases.ran, bench.cases.bare
    judge = bench.fresh()
    before, fingerprint = bench.said(judge, ran), judge.card.fingerprint
    between = bench.said(judge, bare)
    _same(before, bench.said(judge, ran), "asked again after another case, it says something else")
    if bench.card is not None:
        _same(
            bench.said(bench.fresh(), bare),
            between,
            "a case before changes what it says of the next",
        )
    assert judge.card.fingerprint == fingerprint, "its fingerprint changes while it grades"


def _same(one: dict[str, Grade], other: dict[str, Grade], otherwise: str) -> None:
    differ = {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)}
    assert not differ, f"{otherwise} of {_named(differ)}"


def _untouched(bench: Bench) -> None:
    with judge_cases() as cases:  # of its own: in others a judge has left its marks by now
        for case in (cases.ran, cases.bare):
            leaves, before = leaves_of(case), picture(case)
            given = list(leaves)
            bench.patience.run(words(bench.fresh(), case, given))
            assert given == leaves, "it changes the list of leaves that it is given"
            assert picture(case) == before, "it changes the case or its leaves"


def _sample(bench: Bench) -> None:
    _answers_all(bench, bench.cases.ran, sample=1)


def _without_run(bench: Bench) -> None:
    _answers_all(bench, bench.cases.bare)


def _hostile(bench: Bench) -> None:
    _answers_all(bench, bench.cases.hostile)


def _unreadable(bench: Bench) -> None:
    _answers_all(bench, bench.cases.unreadable)


def _in_a_loop(bench: Bench) -> None:
    from rubric_engine.engine import grade

    async def inside() -> None:
        case = bench.cases.ran
        report = grade(case.task, case.submission, judge=bench.fresh(), execution=case.execution)
        told = [warning.message for warning in report.warnings if warning.code in _BROKE]
        assert not told, told[0]

    bench.patience.run(inside())


def _fingerprint(bench: Bench) -> None:
    judge = bench.fresh()
    assert isinstance(judge.card, JudgeCard), "its card is no JudgeCard"
    if bench.card is None:
        return
    own = judge.card.fingerprint
    assert bench.of(bench.card).card.fingerprint == own, "the same card gives another one"
    for card, what in _alike(bench.card):
        assert bench.of(card).card.fingerprint == own, f"it changes with {what}"
    for card, place in bench.variants(bench.card):
        assert bench.of(card).card.fingerprint != own, f"it does not change with {place!r}"


def _alike(card: JudgeCard) -> list[tuple[JudgeCard, str]]:
    """Cards of the same judge: other words about it, and another pace."""
    described = card.model_copy(update={"description": f"{card.description} In other words."})
    alike = [(described, "the description")]
    model = card.settings.get("model")
    if isinstance(model, dict):
        for name in sorted(PACE):
            paced = card.model_copy(update={"model": {**model, name: 7}})
            alike.append((paced, f"the pace ({name})"))
    return alike


JUDGE_PROMISES = (
    JudgePromise("every leaf gets a grade or a reason", _every_leaf),
    JudgePromise("nothing is said of leaves that were not asked about", _only_asked),
    JudgePromise("no leaf comes twice", _once),
    JudgePromise("grades are in range", _in_range),
    JudgePromise("an explanation is text", _in_words),
    JudgePromise("the order of leaves does not matter", _any_order),
    JudgePromise("nothing is carried over from one grading to the next", _no_state),
    JudgePromise("what it is given stays as it is", _untouched),
    JudgePromise("a repetition is taken by its number", _sample),
    JudgePromise("a case without paper and run is graded, too", _without_run),
    JudgePromise("hostile words of leaves break nothing", _hostile),
    JudgePromise("a submission that cannot be read gives reasons", _unreadable),
    JudgePromise("the engine grades with it inside a running event loop", _in_a_loop),
    JudgePromise("cancelled, it ends and leaves nothing behind", ends_when_cancelled),
    JudgePromise("left before its end, it leaves nothing behind", ends_when_left),
    JudgePromise("the fingerprint is that of the card", _fingerprint),
)
"""What every judge promises."""
