"""Running the calls of a judge that pays: leaders first, in bounded width, each error a reason.

A judge hands over lazy jobs; nothing of a prompt is in memory before a call may start, or after it
has ended. The first call of a shared prefix goes ahead, so that the provider has the prefix cached
when the others come; a prefix that extends another waits for that one's leader.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Job:
    """One call about one leaf.

    Attributes:
        key: The leaf.
        prefix: Name of what the prompt shares with others.
        after: The prefix whose leader goes before this one's, or None.
        render: Makes the prompt; called when the call may start.
        parse: Makes the grade of the answer.
        schema: What the answer must follow.
        shorten: Makes a shorter prompt for the one retry after a context overflow.
    """

    key: str
    prefix: str
    render: Callable[[], Sequence[Message]]
    parse: Callable[[Completion], Grade]
    schema: type[BaseModel]
    after: str | None = None
    shorten: Callable[[], Sequence[Message]] | None = None


async def run_jobs(
    jobs: Iterable[Job], model: ChatModel, *, sample: int = 0
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
            for key, grade in await crew.finished():
                yield key, grade
    finally:
        await crew.dismiss()
    if crew.stop is not None:
        for job in crew.line.rest():
            yield job.key, Grade.ungradeable(_reason(crew.stop), crew.stop.message)
        raise crew.stop


class _Crew:
    """The calls in flight."""

    def __init__(self, jobs: Iterable[Job], model: ChatModel, sample: int) -> None:
        self.line = Line(jobs)
        self.stop: RubricEngineError | None = None
        self._streak = Streak()
        self._scouts: set[asyncio.Task[Grade]] = set()
        self._model = Listening(model, self._heard)
        self._sample = sample
        self._running: dict[asyncio.Task[Grade], Job] = {}
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

    def _scout(self) -> Job | None:
        most = SCOUTS - self._streak.scouts_lost
        return self.line.scout() if len(self._scouts) < most else None

    def _heard(self) -> None:
        self._streak.answered()
        self._scouts.clear()

    async def finished(self) -> list[tuple[str, Grade]]:
        """Wait for the next calls to end."""
        done, _ = await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
        grades = []
        for task in done:
            job = self._running.pop(task)
            try:
                grades.append((job.key, task.result()))
            except OverBudget as fault:
                self.line.again(job)
                self._over = fault
            except RubricEngineError as error:
                self.line.again(job)
                self.stop = self.stop or error
            else:
                self.line.ended(job)
                if task.result().reason == "provider_error":
                    self._streak.lose(task.result().explanation, scout=task in self._scouts)
            self._scouts.discard(task)
        if grades:
            self._over = None
        return grades

    async def dismiss(self) -> None:
        """Cancel what is still in flight."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


async def _run(job: Job, model: ChatModel, sample: int) -> Grade:
    try:
        try:
            asked = await model.complete(job.render(), schema=job.schema, sample=sample)
        except ContextOverflow as fault:
            if job.shorten is None:
                raise
            asked = await model.complete(job.shorten(), schema=job.schema, sample=sample)
            return _of_less(job.parse(asked), fault)
    except OverBudget:
        raise
    except ModelFault as fault:
        return Grade.ungradeable(fault.reason, fault.message, calls=_calls(fault))
    return job.parse(asked)


def _of_less(grade: Grade, fault: ModelFault) -> Grade:
    """A grade that came of the shorter prompt, saying so."""
    said = f"{grade.explanation}\n{SHORTENED}".strip()
    return grade.model_copy(update={"explanation": said, "calls": (*_calls(fault), *grade.calls)})


def _calls(fault: ModelFault) -> tuple[str, ...]:
    return (fault.key,) if fault.key else ()


def _reason(stop: RubricEngineError) -> Reason:
    return "budget" if isinstance(stop, BudgetError) else "provider_error"
