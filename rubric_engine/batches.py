"""Asking a decision model: leaves share requests, and one that is too large is split."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rubric_engine.crew import Crew
from rubric_engine.decision import Answer, DecisionModel, Question, question_tokens
from rubric_engine.errors import RubricEngineError
from rubric_engine.model import ContextOverflow, Message, ModelFault, OverBudget
from rubric_engine.streak import Listening

__all__ = ["Batch", "Word", "packed", "run_batches"]

Word = Answer | ModelFault | RubricEngineError
"""What comes of a question: an answer, why its request got none, or why it was never asked."""

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

    @property
    def after(self) -> str | None:
        """No other prefix goes before."""
        return None

    async def run(self, model: Listening, sample: int) -> BatchEnd:
        """Ask; see `rubric_engine.crew.Work`."""
        return BatchEnd(await _Splitting(self, model, sample).ask(self.questions))


@dataclass
class _Splitting:
    """Halves a request until it fits.

    The shorter questions go first. Where the shortest is too long alone, it is the input that is,
    and no longer question is sent in vain.
    """

    batch: Batch
    model: Listening
    sample: int
    too_long: ContextOverflow | None = None

    async def ask(self, questions: Sequence[Question]) -> dict[str, Answer | ModelFault]:
        if self.too_long is not None:
            return dict.fromkeys((each.key for each in questions), self.too_long)
        try:
            said = await self.model.decide(self.batch.input, questions, sample=self.sample)
        except OverBudget:
            raise
        except ContextOverflow as fault:
            return await self._halves(questions, fault)
        except ModelFault as fault:
            return dict.fromkeys((each.key for each in questions), fault)
        words = zip((each.key for each in questions), said, strict=True)
        if len(questions) == 1 and said[0].flaw == "context_overflow":
            self.too_long = ContextOverflow(said[0].detail)
        return dict(words)

    async def _halves(
        self, questions: Sequence[Question], fault: ContextOverflow
    ) -> dict[str, Answer | ModelFault]:
        if len(questions) == 1:
            self.too_long = fault
            return {questions[0].key: fault}
        ordered = sorted(questions, key=question_tokens)
        middle = len(ordered) // 2
        return {**await self.ask(ordered[:middle]), **await self.ask(ordered[middle:])}


async def run_batches(
    batches: Iterable[Batch], model: DecisionModel, *, sample: int = 0
) -> AsyncIterator[tuple[str, Word]]:
    """Ask batches and yield what comes of each question as it is known.

    Args:
        batches: In the order in which they should start.
        model: Whom to ask; see `rubric_engine.jobs.run_jobs`.
        sample: Number of the repetition.

    Raises:
        RubricEngineError: The run must stop. It is raised after every question left over was
            yielded with it.
    """
    crew = Crew[Batch, BatchEnd](batches, model, sample)
    try:
        while crew.start():
            for _, end in await crew.finished():
                for word in end.words.items():
                    yield word
    finally:
        await crew.dismiss()
    if crew.stop is not None:
        for batch in crew.queue.rest():
            for question in batch.questions:
                yield question.key, crew.stop
        raise crew.stop
