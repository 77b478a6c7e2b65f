"""The calls of a judge under way: who starts, who is waited for, and when all must stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from rubric_engine.decision import DecisionModel
from rubric_engine.errors import BudgetError, RubricEngineError
from rubric_engine.job_queue import JobQueue, Queued
from rubric_engine.model import (
    ChatModel,
    Completion,
    ContextOverflow,
    Message,
    ModelFault,
    OverBudget,
)
from rubric_engine.recall import Recall
from rubric_engine.streak import SCOUTS, Listening, Streak

_SPARE = 8
"""One job more for each so many slots of the model."""

T = TypeVar("T")


class Ended(Protocol):
    """How something to do ended."""

    @property
    def fault(self) -> ModelFault | None:
        """Why it got no answer; None where it got one."""
        ...


E = TypeVar("E", bound=Ended)
E_co = TypeVar("E_co", bound=Ended, covariant=True)


class Work(Queued, Protocol[E_co]):
    """Something to do that takes calls."""

    async def run(self, model: Listening, sample: int) -> E_co:
        """Do it.

        Raises:
            OverBudget: A call was not sent; it is to be done again.
            RubricEngineError: The run must stop.
        """
        ...


@dataclass(frozen=True)
class Job(Generic[T]):
    """One call about one leaf, or about whatever else a judge asks.

    Attributes:
        key: What it is about; of a job whose result is a grade, the leaf.
        prefix: Name of what the prompt shares with others.
        after: The prefix whose leader goes before this one's, or None.
        render: Makes the prompt; called when the call may start.
        parse: Makes the result of the answer.
        schema: What the answer must follow.
        shorten: Makes the job with less evidence that takes this one's place, once, after a
            context overflow.
    """

    key: str
    prefix: str
    render: Callable[[], Sequence[Message]]
    parse: Callable[[Completion], T]
    schema: type[BaseModel]
    after: str | None = None
    shorten: Callable[[], Job[T]] | None = None

    async def run(self, model: Listening, sample: int) -> End[T]:
        """Make the call, and where its prompt is too long the shorter one; see `Work`."""
        came = await _call(self, model, sample)
        if not isinstance(came, ContextOverflow) or self.shorten is None:
            return End(self, came)
        shorter = self.shorten()
        answer = await _call(shorter, model, sample)
        if answer.key:
            await came.replaced(answer.key)
        return End(shorter, answer, came)


W = TypeVar("W", bound=Work[Any])


@dataclass(frozen=True)
class End(Generic[T]):
    """How a job ended.

    Attributes:
        job: The job that was answered: the one that was started, or the shorter one.
        came: What came of its call.
        too_long: How the first call ended, where a shorter one took its place.
    """

    job: Job[T]
    came: Completion | ModelFault
    too_long: ContextOverflow | None = None

    @property
    def fault(self) -> ModelFault | None:
        """Why its last call got no answer; None where it got one."""
        return self.came if isinstance(self.came, ModelFault) else None


class Crew(Generic[W, E]):
    """What is under way."""

    def __init__(self, jobs: Iterable[W], model: ChatModel | DecisionModel, sample: int) -> None:
        self.queue = JobQueue(jobs)
        self._recall = Recall()
        self._streak = Streak()
        self._scouts: set[asyncio.Task[E]] = set()
        self._model = Listening(model, self._heard)
        self._sample = sample
        self._running: dict[asyncio.Task[E], W] = {}
        # Set while calls in flight may still give back what they reserved.
        self._over: OverBudget | None = None
        self._halted = False

    @property
    def stop(self) -> RubricEngineError | None:
        """Why all must stop: nothing starts any more, and what waits to be sent is called back."""
        return self._recall.error

    def start(self) -> bool:
        """Start what may start; False once nothing runs any more."""
        if self.stop is None and self._streak.is_dead and self.queue.rest():
            self._recall.all(self._streak.error())
        while not self._halted and self.stop is None and self._over is None and self._has_room:
            scouting = self._streak.in_doubt
            job = self._scout() if scouting else self.queue.next()
            if job is None:
                break
            task = asyncio.create_task(_run(job, self._model, self._sample, self._recall))
            self._running[task] = job
            if scouting:
                self._scouts.add(task)
        if not self._running and self._over is not None:
            self._recall.all(self._over.instead or _spent(self._over))
        return bool(self._running)

    @property
    def _has_room(self) -> bool:
        # Bounds the prompts in memory; how many requests are out is the model's to say.
        most = self._model.config.max_connections
        return len(self._running) < most + most // _SPARE

    def _scout(self) -> W | None:
        most = SCOUTS - self._streak.scouts_lost
        return self.queue.scout() if len(self._scouts) < most else None

    def _heard(self) -> None:
        self._streak.answered()
        self._scouts.clear()

    async def finished(self) -> list[tuple[W, E]]:
        """Wait for the next calls to end."""
        done, _ = await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
        ends = []
        for task in done:
            job = self._running.pop(task)
            try:
                ends.append((job, task.result()))
            except OverBudget as fault:
                self.queue.again(job)
                self._over = fault
            except RubricEngineError as error:
                self.queue.again(job)
                self._recall.all(error)
            else:
                self.queue.ended(job)
                lost = task.result().fault
                if lost is not None and lost.reason == "provider_error":
                    self._streak.lose(lost.message, scout=task in self._scouts)
            self._scouts.discard(task)
        if ends:
            self._over = None
        return ends

    def halt(self) -> None:
        """Start nothing more; what runs goes on to its end."""
        self._halted = True

    async def dismiss(self) -> None:
        """Cancel what is still in flight."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


def _spent(over: OverBudget) -> BudgetError:
    return BudgetError(over.message, fix=[over.fix] if over.fix else ())


async def _run(job: Work[E], model: Listening, sample: int, recall: Recall) -> E:
    recall.under()
    return await job.run(model, sample)


async def _call(job: Job[T], model: Listening, sample: int) -> Completion | ModelFault:
    try:
        return await model.complete(job.render(), schema=job.schema, sample=sample)
    except OverBudget:
        raise
    except ModelFault as fault:
        return fault
