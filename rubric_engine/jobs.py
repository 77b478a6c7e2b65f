"""Running the calls of a judge that pays: leaders first, in bounded width, each error a reason.

A judge hands over lazy jobs; nothing of a prompt is in memory before a call may start, or after it
has ended. `rubric_engine.job_queue` says which may start next.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

from rubric_engine.crew import Crew, End, Job
from rubric_engine.errors import BudgetError, RubricEngineError
from rubric_engine.grading import Grade, Reason
from rubric_engine.model import ChatModel, ModelFault

__all__ = ["SHORTENED", "Job", "not_asked", "run_calls", "run_calls_so_far", "run_jobs"]

SHORTENED = "The first prompt was longer than the model's window; this one held less evidence."

T = TypeVar("T")


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
            after the requests that were out have ended, calls that waited to send one were called
            back, and every leaf left over was yielded.
    """
    crew = Crew[Job[Grade], End[Grade]](jobs, model, sample)
    try:
        while crew.start():
            for job, end in await crew.finished():
                yield job.key, _grade(end)
    finally:
        await crew.dismiss()
    if crew.stop is not None:
        for job in crew.queue.rest():
            yield job.key, not_asked(crew.stop)
        raise crew.stop


async def run_calls(
    jobs: Iterable[Job[T]], model: ChatModel, *, sample: int = 0
) -> dict[str, T | ModelFault]:
    """Run jobs whose results are no grades; see `run_jobs`.

    Returns:
        By the job's key its result, or why its call gave none.

    Raises:
        RubricEngineError: The run must stop; the requests that were out have ended then.
    """
    results, stop = await run_calls_so_far(jobs, model, sample=sample)
    if stop is not None:
        raise stop
    return results


async def run_calls_so_far(
    jobs: Iterable[Job[T]], model: ChatModel, *, sample: int = 0
) -> tuple[dict[str, T | ModelFault], RubricEngineError | None]:
    """Run jobs as `run_calls` does; what had come where the run must stop is not lost.

    Returns:
        The results by the jobs' keys, and what ended it before every job had one.
    """
    crew = Crew[Job[T], End[T]](jobs, model, sample)
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
    return results, crew.stop


def not_asked(stop: RubricEngineError) -> Grade:
    """The grade of a leaf that was never asked about, as the run had to stop."""
    reason: Reason = "budget" if isinstance(stop, BudgetError) else "provider_error"
    return Grade.ungradeable(reason, stop.message)


def _grade(end: End[Grade]) -> Grade:
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
