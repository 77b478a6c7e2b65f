"""Running the calls of a judge that pays: leaders first, in bounded width, each error a reason.

A judge hands over lazy jobs; nothing of a prompt is in memory before a call may start, or after it
has ended. `rubric_engine.line` says which may start next.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from rubric_engine.errors import BudgetError, RubricEngineError
from rubric_engine.grading import Grade, Reason
from rubric_engine.line import Line
from rubric_engine.model import (
    ChatModel,
    Completion,
    ContextOverflow,
    Message,
    ModelFault,
    OverBudget,
)
from rubric_engine.streak import SCOUTS, Listening, Streak

SHORTENED = "The first prompt was longer than the model's window; this one held less evidence."

_SPARE = 8
"""One job more for each so many slots of the model."""

T = TypeVar("T")


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


async def run_jobs(
    jobs: Iterable[Job[Grade]], model: ChatModel, *, sample: int = 0
) -> AsyncIterator[tuple[str, Grade]]:
    """Run jobs and yield each grade as it is known.

    Args:
        jobs: In the order in which they should start.
        model: Whom to ask. It keeps to `config.max_connections` itself; a few more jobs than that
            are under way, so that none of its slots is free while others read or write the ledger.
        sample: Number of the repetition.

    Returns:
        Key and grade of every job. A call that fails gives an ungradeable leaf with its reason.

    Raises:
        RubricEngineError: The run must stop: no credentials, budget, or provider. It is raised
            after the calls in flight have ended and every leaf left over was yielded.
    """
    crew = _Crew(jobs, model, sample)
    try:
        while crew.start():
            for job, end in await crew.finished():
                yield job.key, _grade(end)
    finally:
        await crew.dismiss()
    if crew.stop is not None:
        for job in crew.line.rest():
            yield job.key, not_asked(crew.stop)
        raise crew.stop


async def run_calls(
    jobs: Iterable[Job[T]], model: ChatModel, *, sample: int = 0
) -> dict[str, T | ModelFault]:
    """Run jobs whose results are no grades; see `run_jobs`.

    Returns:
        By the job's key its result, or why its call gave none.

    Raises:
        RubricEngineError: The run must stop; the calls in flight have ended then.
    """
    crew = _Crew(jobs, model, sample)
    results: dict[str, T | ModelFault] = {}
    try:
        while crew.start():
            for job, end in await crew.finished():
                if isinstance(end.came, ModelFault):
                    results[job.key] = end.came
                else:
                    results[job.key] = end.job.parse(end.came)
    finally:
        await crew.dismiss()
    if crew.stop is not None:
        raise crew.stop
    return results


def not_asked(stop: RubricEngineError) -> Grade:
    """The grade of a leaf that was never asked about, as the run had to stop."""
    reason: Reason = "budget" if isinstance(stop, BudgetError) else "provider_error"
    return Grade.ungradeable(reason, stop.message)


@dataclass(frozen=True)
class _End(Generic[T]):
    """How a job ended.

    Attributes:
        job: The job that was answered: the one that was started, or the shorter one.
        came: What came of its call.
        too_long: How the first call ended, where a shorter one took its place.
    """

    job: Job[T]
    came: Completion | ModelFault
    too_long: ContextOverflow | None = None


class _Crew(Generic[T]):
    """The calls in flight."""

    def __init__(self, jobs: Iterable[Job[T]], model: ChatModel, sample: int) -> None:
        self.line = Line(jobs)
        self.stop: RubricEngineError | None = None
        self._streak = Streak()
        self._scouts: set[asyncio.Task[_End[T]]] = set()
        self._model = Listening(model, self._heard)
        self._sample = sample
        self._running: dict[asyncio.Task[_End[T]], Job[T]] = {}
        # Set while calls in flight may still give back what they reserved.
        self._over: OverBudget | None = None

    def start(self) -> bool:
        """Start what may start; False once nothing runs any more."""
        if self.stop is None and self._streak.is_dead and self.line.rest():
            self.stop = self._streak.error()
        while self.stop is None and self._over is None and self._has_room:
            scouting = self._streak.in_doubt
            job = self._scout() if scouting else self.line.next()
            if job is None:
                break
            task = asyncio.create_task(_run(job, self._model, self._sample))
            self._running[task] = job
            if scouting:
                self._scouts.add(task)
        if not self._running and self._over is not None and self.stop is None:
            self.stop = BudgetError(self._over.message)
        return bool(self._running)

    @property
    def _has_room(self) -> bool:
        most = self._model.config.max_connections
        return len(self._running) < most + most // _SPARE

    def _scout(self) -> Job[T] | None:
        most = SCOUTS - self._streak.scouts_lost
        return self.line.scout() if len(self._scouts) < most else None

    def _heard(self) -> None:
        self._streak.answered()
        self._scouts.clear()

    async def finished(self) -> list[tuple[Job[T], _End[T]]]:
        """Wait for the next calls to end."""
        done, _ = await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
        ends = []
        for task in done:
            job = self._running.pop(task)
            try:
                ends.append((job, task.result()))
            except OverBudget as fault:
                self.line.again(job)
                self._over = fault
            except RubricEngineError as error:
                self.line.again(job)
                self.stop = self.stop or error
            else:
                self.line.ended(job)
                came = task.result().came
                if isinstance(came, ModelFault) and came.reason == "provider_error":
                    self._streak.lose(came.message, scout=task in self._scouts)
            self._scouts.discard(task)
        if ends:
            self._over = None
        return ends

    async def dismiss(self) -> None:
        """Cancel what is still in flight."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


async def _run(job: Job[T], model: ChatModel, sample: int) -> _End[T]:
    came = await _call(job, model, sample)
    if not isinstance(came, ContextOverflow) or job.shorten is None:
        return _End(job, came)
    shorter = job.shorten()
    answer = await _call(shorter, model, sample)
    if answer.key:
        await came.replaced(answer.key)
    return _End(shorter, answer, came)


async def _call(job: Job[T], model: ChatModel, sample: int) -> Completion | ModelFault:
    try:
        return await model.complete(job.render(), schema=job.schema, sample=sample)
    except OverBudget:
        raise
    except ModelFault as fault:
        return fault


def _grade(end: _End[Grade]) -> Grade:
    before = _calls(end.too_long)
    if isinstance(end.came, ModelFault):
        calls = (*before, *_calls(end.came))
        return Grade.ungradeable(end.came.reason, end.came.message, calls=calls)
    grade = end.job.parse(end.came)
    return grade if end.too_long is None else _of_less(grade, before)


def _of_less(grade: Grade, before: tuple[str, ...]) -> Grade:
    """A grade that came of the shorter prompt, saying so."""
    said = f"{grade.explanation}\n{SHORTENED}".strip()
    return grade.model_copy(update={"explanation": said, "calls": (*before, *grade.calls)})


def _calls(fault: ModelFault | None) -> tuple[str, ...]:
    return (fault.key,) if fault is not None and fault.key else ()
