"""Asking a decision model: leaves share requests, and one that gets no answers is halved."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from rubric_engine.crew import Crew
from rubric_engine.decision import Answer, DecisionModel, Question, question_tokens
from rubric_engine.errors import RubricEngineError
from rubric_engine.model import FINAL, ContextOverflow, Message, ModelFault, NotTaken, OverBudget
from rubric_engine.streak import Listening

__all__ = ["Batch", "Word", "packed", "run_batches"]

Word = Answer | ModelFault | RubricEngineError
"""What comes of a question: an answer, why its request got none, or why it was never asked."""

_Decide = Callable[[Sequence[Question]], Awaitable[Sequence[Answer]]]

_ALONE = 3
"""Questions that get no answer alone, before what is left of a batch is given up with them."""

T = TypeVar("T")


def packed(
    items: Iterable[T], size: Callable[[T], int], *, room: int, most: int
) -> list[tuple[T, ...]]:
    """Share things out in order, so that few requests hold all of them.

    Args:
        items: The things.
        size: Tokens of one.
        room: Most tokens of one share; what alone is larger gets a share of its own.
        most: Most things of one share.
    """
    shares: list[tuple[T, ...]] = []
    share: list[T] = []
    left = room
    for item in items:
        needed = size(item)
        if share and (len(share) == most or needed > left):
            shares.append(tuple(share))
            share, left = [], room
        share.append(item)
        left -= needed
    return [*shares, tuple(share)] if share else shares


@dataclass(frozen=True)
class BatchEnd:
    """How a batch ended.

    Attributes:
        words: What came of each question, by its key.
    """

    words: Mapping[str, Answer | ModelFault]

    @property
    def fault(self) -> ModelFault | None:
        """Why no question got an answer; None where some did."""
        faults = [word for word in self.words.values() if isinstance(word, ModelFault)]
        return faults[0] if faults and len(faults) == len(self.words) else None


@dataclass(frozen=True)
class Batch:
    """Questions that are asked in one request.

    Attributes:
        input: What they are about; the same object for all batches that share it.
        prefix: Name of that input.
        questions: The questions, each with a key of its own.
    """

    input: Sequence[Message]
    prefix: str
    questions: tuple[Question, ...]


@dataclass(eq=False)
class _Asking:
    """A batch under way: what got no answers in one request is asked in halves.

    Of what is too long, the shorter questions go first. Where the shortest is too long alone, it
    is the input that is, and no longer question is sent in vain. Of what is refused, those in one
    half come from all over it: neighbours tend to be alike. Where some alone are refused, too, and
    none is answered, it is the input again, and the others are given up. What the endpoint does
    not take for another reason goes the same way.

    Attributes:
        batch: The batch.
        words: What came of its questions so far, by their keys; a stop takes none of it back.
        too_long: How the shortest question was too long.
        alone: Questions that got no answer alone, for another reason.
        answered: Whether any got one.
    """

    batch: Batch
    words: dict[str, Answer | ModelFault] = field(default_factory=dict)
    too_long: ContextOverflow | None = None
    alone: int = 0
    answered: bool = False

    @property
    def prefix(self) -> str:
        """Name of the input."""
        return self.batch.prefix

    @property
    def after(self) -> str | None:
        """No other prefix goes before."""
        return None

    async def run(self, model: Listening, sample: int) -> BatchEnd:
        """Ask what nothing came of yet; see `rubric_engine.crew.Work`."""
        decide = partial(model.decide, self.batch.input, sample=sample)
        await self._ask(
            [each for each in self.batch.questions if each.key not in self.words], decide
        )
        return BatchEnd(self.words)

    async def _ask(self, questions: Sequence[Question], decide: _Decide) -> None:
        if self.too_long is not None:
            self.words |= dict.fromkeys((each.key for each in questions), self.too_long)
            return
        try:
            said = await decide(questions)
        except OverBudget:
            raise
        except ModelFault as fault:
            await self._unanswered(questions, fault, decide)
            return
        self.words |= zip((each.key for each in questions), said, strict=True)
        self.answered = self.answered or any(answer.flaw is None for answer in said)
        if len(questions) == 1 and said[0].flaw is not None:
            self._lost_alone(FINAL[said[0].flaw](said[0].detail))

    async def _unanswered(
        self, questions: Sequence[Question], fault: ModelFault, decide: _Decide
    ) -> None:
        if isinstance(fault, NotTaken):
            questions = await self._sent(questions, fault, decide)
        if len(questions) == 1 or not _is_divisible(fault):
            self.words |= dict.fromkeys((each.key for each in questions), fault)
            self._lost_alone(fault)
            return
        for half in _halves(questions, fault):
            if self._is_vain(fault):
                await self._give_up(half, fault)
            else:
                await self._ask(half, decide)

    async def _sent(
        self, questions: Sequence[Question], fault: NotTaken, decide: _Decide
    ) -> Sequence[Question]:
        """Take what is on record; what was sent may be one question alone, and is at fault then."""
        kept = [each for each in questions if each.key in fault.on_record]
        if kept:
            said = await decide(kept)
            self.words |= zip((each.key for each in kept), said, strict=True)
        return [each for each in questions if each.key not in fault.on_record]

    def _is_vain(self, fault: ModelFault) -> bool:
        """Whether what is left of a request is better not asked."""
        if isinstance(fault, ContextOverflow) and self.too_long is not None:
            return True
        return self.alone >= _ALONE and not self.answered

    def _lost_alone(self, fault: ModelFault) -> None:
        if isinstance(fault, ContextOverflow):
            self.too_long = fault
        else:
            self.alone += _is_divisible(fault)

    async def _give_up(self, questions: Sequence[Question], fault: ModelFault) -> None:
        # Only what is final is kept: a resume asks again for what was not taken.
        kept = await fault.give_up([each.key for each in questions]) if fault.final else {}
        self.words |= {each.key: kept.get(each.key, fault) for each in questions}


def _is_divisible(fault: ModelFault) -> bool:
    """Whether fewer of a request's questions may get an answer."""
    return fault.final or isinstance(fault, NotTaken)


def _halves(questions: Sequence[Question], fault: ModelFault) -> Sequence[Sequence[Question]]:
    ordered = sorted(questions, key=question_tokens)
    if not isinstance(fault, ContextOverflow):
        return ordered[::2], ordered[1::2]
    middle = len(ordered) // 2
    return ordered[:middle], ordered[middle:]


async def run_batches(
    batches: Iterable[Batch], model: DecisionModel, *, sample: int = 0
) -> AsyncIterator[tuple[str, Word]]:
    """Ask batches and yield what comes of each question as it is known.

    Args:
        batches: In the order in which they should start.
        model: Whom to ask; see `rubric_engine.jobs.run_jobs`.
        sample: Number of the repetition.

    Raises:
        RubricEngineError: The run must stop, also where the endpoint took no request at all. It is
            raised after every question left over was yielded, with what came of it before the
            stop, else with the stop.
    """
    crew = Crew[_Asking, BatchEnd](map(_Asking, batches), model, sample)
    stop: RubricEngineError | None = None
    heard = False
    try:
        while crew.start():
            for _, end in await crew.finished():
                for key, word in end.words.items():
                    stop = word.stop if isinstance(word, NotTaken) else None
                    heard = heard or stop is None
                    yield key, word
    finally:
        await crew.dismiss()
    if crew.stop is not None:
        for asking in crew.queue.rest():
            for question in asking.batch.questions:
                yield question.key, asking.words.get(question.key, crew.stop)
        raise crew.stop
    if stop is not None and not heard:
        raise stop
