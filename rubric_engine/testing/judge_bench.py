"""A judge on the bench: made anew as often as a promise needs it, and what it says, collected."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from pydantic import BaseModel

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.decision import Answer, DecisionModel, Question
from rubric_engine.errors import RubricEngineError
from rubric_engine.grading import Grade
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.model import ChatModel, Completion, Message
from rubric_engine.testing.card_changes import changed, changes, words_taken
from rubric_engine.testing.judge_cases import Cases, leaves_of
from rubric_engine.testing.patience import Patience, as_told
from rubric_engine.testing.scripted_decisions import ScriptedDecisions
from rubric_engine.testing.scripted_model import ScriptedModel

MOST_WORDS = 10
"""Words a leaf after which a judge is not waited for any more."""

Word = tuple[Any, Any]
"""What a judge yields, which may be anything."""


def scripted_context() -> JudgeContext:
    """What a judge is made with where no real model is to be asked."""
    return JudgeContext(
        connect=lambda config: ScriptedModel(config=config),
        decide=lambda config, limits: ScriptedDecisions(config=config),
        nonce=lambda sha256: sha256[:16],
    )


@dataclass(frozen=True)
class Bench:
    """A judge, and what it is tried on.

    Attributes:
        judge: The judge, as it was handed in.
        cases: What it is tried on.
        card: Its card, where it can be made anew; None where there is only the judge itself.
        context: What it is made with.
        patience: How long it is waited for.
    """

    judge: Judge
    cases: Cases
    card: JudgeCard | None
    context: JudgeContext
    patience: Patience

    def words(
        self,
        judge: Judge,
        case: Case,
        leaves: Sequence[Criterion] | None = None,
        *,
        sample: int | None = None,
    ) -> list[Word]:
        """All that a judge says of some leaves; of all of the case by default."""
        asked = leaves_of(case) if leaves is None else list(leaves)
        return self.patience.run(words(judge, case, asked, sample=sample))

    def said(
        self, judge: Judge, case: Case, leaves: Sequence[Criterion] | None = None
    ) -> dict[str, Grade]:
        """The grades of a judge by leaf."""
        return dict(grades_of(self.words(judge, case, leaves)))

    def fresh(self) -> Judge:
        """The judge, made anew where that is possible."""
        return self.judge if self.card is None else self.of(self.card)

    def of(self, card: JudgeCard) -> Judge:
        """The judge that another card makes."""
        from rubric_engine.judges import load_judge

        return self.patience.call(lambda: load_judge(card, context=self.context))

    def stalling(self, stall: Stall) -> Judge:
        """The judge, its model falling silent; itself where it cannot be made anew."""
        connect, decide = self.context.connect, self.context.decide
        if self.card is None or connect is None or decide is None:
            return self.judge
        context = replace(
            self.context,
            connect=lambda config: Stalling(connect(config), stall),
            decide=lambda config, limits: StallingDecisions(decide(config, limits), stall),
        )
        return replace(self, context=context).of(self.card)

    def variants(self, base: JudgeCard) -> Iterator[tuple[JudgeCard, str]]:
        """Cards that say something else in one place, and that make a judge; and the place."""
        for path, value in changes(base):
            place = ".".join(map(str, path))
            refused = self._refused(card := changed(base, path, value))
            if refused is None:
                yield card, place
            elif isinstance(value, str) and isinstance(path[-1], str):
                words = (changed(base, path, word) for word in words_taken(refused))
                others = (card for card in words if card != base and self._refused(card) is None)
                yield from ((card, place) for card in islice(others, 1))

    def _refused(self, card: JudgeCard) -> RubricEngineError | None:
        """Why a card makes no judge; None where it makes one."""
        try:
            self.of(card)
        except RubricEngineError as error:
            return error
        return None


@dataclass
class Stall:
    """When models fall silent.

    Attributes:
        answers: How many calls are answered first.
        models: How many models there are.
        silent: Set once a call gets no answer.
    """

    answers: int
    models: int = 0
    silent: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self) -> None:
        """Let a call be answered, or let it wait for ever."""
        if self.answers <= 0:
            self.silent.set()
            await asyncio.Event().wait()
        self.answers -= 1


class Stalling:
    """A model that answers some calls, and then no more."""

    def __init__(self, inner: ChatModel, stall: Stall) -> None:
        self.config = inner.config
        self._inner = inner
        self._stall = stall
        stall.models += 1

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        """Answer, or wait for ever."""
        await self._stall.answer()
        return await self._inner.complete(messages, schema=schema, sample=sample)


class StallingDecisions:
    """A decision model that answers some requests, and then no more."""

    def __init__(self, inner: DecisionModel, stall: Stall) -> None:
        self.config = inner.config
        self._inner = inner
        self._stall = stall
        stall.models += 1

    async def decide(
        self, input: Sequence[Message], questions: Sequence[Question], *, sample: int = 0
    ) -> Sequence[Answer]:
        """Answer, or wait for ever."""
        await self._stall.answer()
        return await self._inner.decide(input, questions, sample=sample)


async def words(
    judge: Judge, case: Case, leaves: Sequence[Criterion], *, sample: int | None = None
) -> list[Word]:
    """All that a judge says of some leaves."""
    most = MOST_WORDS * (len(leaves) + 1)
    more = {} if sample is None else {"sample": sample}
    said: list[Word] = []
    try:
        async for word in begun(judge.grade(leaves, case, **more)):
            said.append(_pair(word))
            assert len(said) <= most, "it says more and more"
    except (SystemExit, KeyboardInterrupt) as error:  # inside the loop, which these would end
        raise AssertionError(as_told(error)) from None
    return said


def begun(grading: AsyncIterator[Word]) -> AsyncIterator[Word]:
    """What `grade` of a judge returned, where words can be taken from it."""
    if asyncio.iscoroutine(grading):
        grading.close()
    assert hasattr(grading, "__anext__"), "grade must be `async def` and yield (key, grade)"
    return grading


def grades_of(said: Sequence[Word]) -> list[tuple[str, Grade]]:
    """What was said, where all of it is grades."""
    for key, grade in said:
        assert isinstance(grade, Grade), f"of {key!r} it says {type(grade).__name__}, no Grade"
    return list(said)


def _pair(word: object) -> Word:
    """What a judge yields, where it is a key and something said of it."""
    assert isinstance(word, tuple), f"it yields {type(word).__name__}, no pair of key and grade"
    assert len(word) == 2, f"it yields {len(word)} things, no pair of key and grade"
    assert isinstance(word[0], str), f"it names a leaf by {type(word[0]).__name__}, no key"
    return word[0], word[1]
