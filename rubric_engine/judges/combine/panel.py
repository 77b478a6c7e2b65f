"""A panel: several judges grade every leaf, and a vote makes one grade of their words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.errors import BudgetError
from rubric_engine.grading import MISSING_WORK, Citation, Grade
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.judges.combine.composite import (
    Composite,
    Intake,
    ends_run,
    is_word,
    joined,
    name_of,
    of_member,
    unsaid,
)
from rubric_engine.judges.combine.side_by_side import Ended, side_by_side
from rubric_engine.judges.combine.votes import VOTES, PanelVote, pooled, sd_of_mean, verdict
from rubric_engine.judges.combine.words import stopped, tally, why_none, why_undecided


class Panel(Composite):
    """Several judges grade every leaf at once.

    A judge that gives no grade abstains, and the others vote without it. Where no result comes of
    the vote, the leaf is open with the reason `split`; docs/decisions/0022 says why.

    Args:
        judges: The members.
        card: The card; its fingerprint comes to cover those of the members.
        vote: ``majority`` and ``weighted``: the verdict with more than half of the votes or of
            their weight; ``mean``: the mean of the scores; ``unanimous``: the verdict of all.
        weights: Weight of each member's vote, in the order of the members; one each by default.
    """

    def __init__(
        self,
        judges: Sequence[Judge],
        card: JudgeCard,
        vote: PanelVote = "majority",
        weights: Sequence[float] | None = None,
    ) -> None:
        super().__init__(judges, card)
        self.vote = vote
        self.weights = tuple(weights) if weights is not None else (1.0,) * len(self.judges)

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`."""
        intake = Intake(self.receipts)
        asks = [partial(judge.grade, leaves, case, sample=sample) for judge in self.judges]
        table = _Table({leaf.key: leaf for leaf in leaves}, self)
        async with aclosing(side_by_side(asks, partial(_hear, self.judges, intake))) as heard:
            async for word in heard:
                if isinstance(word, Ended):
                    for pair in table.ended(word.member, word.error):
                        yield pair
                elif not is_word(word.key, word.said, table.leaves):
                    yield word.key, word.said  # who asked knows what to make of it
                elif (grade := table.enter(word.member, word.key, word.said)) is not None:
                    yield word.key, grade
        if table.stop is not None:
            raise table.stop

    def result(self, leaf: Criterion, words: Sequence[Grade]) -> Grade:
        """The grade that comes of all members' words.

        Args:
            leaf: The leaf.
            words: One of each member, in their order.
        """
        said = f"{self.vote} of {len(words)}: {tally(self._names(), words)}"
        voting = [
            (word, weight)
            for word, weight in zip(words, self.weights, strict=True)
            if word.score is not None
        ]
        idle = sum(word.status == "not_applicable" for word in words)
        if (reason := stopped(words)) is not None:
            found = Grade.ungradeable(reason, said)
        elif not voting and not idle:
            found = Grade.ungradeable(why_none(words), said)
        elif idle > len(voting):
            found = Grade.not_applicable(said)
        else:
            scores = [(word.score or 0.0, weight) for word, weight in voting]
            score = VOTES[self.vote](leaf, scores)
            if score is None:
                found = Grade.ungradeable(why_undecided(words), said)
            else:
                voters = [word for word, _ in voting]
                sd = sd_of_mean(voters) if self.vote == "mean" else None
                found = _graded(leaf, score, voters, said, sd)
        return joined(found, words)

    def _names(self) -> list[str]:
        """What the members are called where their words are told."""
        names = [*map(name_of, self.judges)]
        if self.vote != "weighted":
            return names
        pairs = zip(names, self.weights, strict=True)
        return [f"{name} (weight {weight:.3g})" for name, weight in pairs]


def _graded(
    leaf: Criterion, score: float, voters: Sequence[Grade], said: str, sd: float | None
) -> Grade:
    step = verdict(leaf, score)
    agree = [word for word in voters if verdict(leaf, word.score or 0.0) == step]
    why = [said, *(word.explanation for word in agree[:1])]
    return Grade.graded(
        score,
        "\n".join(why).strip(),
        citations_of(agree),
        probability=pooled(voters),
        sd=sd,
        receipt=next((word.receipt for word in agree if word.receipt is not None), None),
    )


def citations_of(grades: Sequence[Grade]) -> tuple[Citation, ...]:
    """The citations of several grades, each once."""
    return tuple(dict.fromkeys(place for grade in grades for place in grade.citations))


def _hear(judges: Sequence[Judge], intake: Intake, member: int, said: Any) -> Any:
    return intake.take(judges[member], said) if isinstance(said, Grade) else said


@dataclass
class _Table:
    """Who has said what of which leaf.

    Attributes:
        leaves: The leaves by key.
        panel: Whose.
        stop: What the panel has to raise in the end, as leaves are open for want of it.
    """

    leaves: dict[str, Criterion]
    panel: Panel
    stop: BaseException | None = None
    _said: dict[str, dict[int, Grade]] = field(default_factory=dict)
    _done: set[str] = field(default_factory=set)
    _errors: list[tuple[Judge, BaseException]] = field(default_factory=list)
    _waiting: int = 0

    def enter(self, member: int, key: str, word: Grade) -> Grade | None:
        """Take a word, the first of a member about a leaf; gives the result with the last one."""
        if key in self._done:
            return None
        said = self._said.setdefault(key, {})
        if member in said:
            return None
        said[member] = word
        if len(said) < len(self.panel.judges):
            return None
        self._done.add(key)
        del self._said[key]
        found = self.panel.result(self.leaves[key], [said[number] for number in sorted(said)])
        self._waiting += found.reason in MISSING_WORK
        return found

    def ended(self, member: int, error: BaseException | None) -> Iterator[tuple[str, Grade]]:
        """A member says no more: it abstains where it has said nothing.

        Raises:
            RubricEngineError: No other judge could make it good.
        """
        judge = self.panel.judges[member]
        if error is not None:
            if ends_run(error):
                raise error
            self._errors.append((judge, error))
        word = Intake({}).take(judge, unsaid(error))
        for key in self.leaves:
            grade = self.enter(member, key, word)
            if grade is not None:
                yield key, grade
        self.stop = self._gravest() if self._waiting else None

    def _gravest(self) -> BaseException | None:
        """What leaves wait for, with the others' names: a cap first, else what came first."""
        if not self._errors:
            return None
        order = sorted(self._errors, key=lambda each: not isinstance(each[1], BudgetError))
        (judge, error), *others = order
        named = ", ".join(sorted({repr(name_of(each)) for each, _ in others}))
        beside = f"; nor can {named}" if others else ""
        leaves = "1 leaf waits" if self._waiting == 1 else f"{self._waiting} leaves wait"
        return of_member(judge, error, f"{beside}; {leaves} for a vote that may decide")
