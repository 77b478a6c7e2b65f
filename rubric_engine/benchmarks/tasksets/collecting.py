"""From answers to the rows of results: every task with its own. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rubric_engine.benchmarks.tasksets.results import AnswerResult, TaskResult, task_result
from rubric_engine.benchmarks.tasksets.task_set import TaskSet
from rubric_engine.grading import MISSING_WORK, NOBODY_TRIED

Key = tuple[str, int]
"""Task and sample."""


def keys_of(task_set: TaskSet, samples: int) -> list[Key]:
    """The answers that are wanted, in the order of asking: every task once, then once more."""
    return [(task.task_id, at) for at in range(samples) for task in task_set]


def unasked(key: Key) -> AnswerResult:
    """The answer that was never asked for."""
    detail = "the run ended before the agent was asked"
    task, sample = key
    return AnswerResult(
        task=task, sample=sample, status="missing", reason="not_asked", detail=detail
    )


def task_results(
    task_set: TaskSet, answers: Mapping[Key, AnswerResult], keys: Sequence[Key]
) -> tuple[TaskResult, ...]:
    """Every task with its answers, in the order of the set."""
    own: dict[str, list[AnswerResult]] = {task.task_id: [] for task in task_set}
    for key in keys:
        own[key[0]].append(answers.get(key) or unasked(key))
    return tuple(
        task_result(
            TaskResult(
                task_id=task.task_id,
                sha256=task_set.hash_of(task),
                version=task.version,
                phase=task.phase,
                domain=task.domain,
                difficulty=task.difficulty,
                autonomy=task.autonomy,
            ),
            own[task.task_id],
        )
        for task in task_set
    )


def is_asked_again(answer: AnswerResult | None, *, retry_failed: bool) -> bool:
    """Whether a run that goes on asks the agent for it."""
    if answer is None or answer.status == "missing":
        return True
    return retry_failed and answer.status == "failed"


def is_judged_again(answer: AnswerResult, *, retry_failed: bool) -> bool:
    """Whether a run that goes on has something of it to be judged."""
    if not answer.returned:
        return False
    if not answer.finished:
        return True
    reasons = {leaf.reason for leaf in answer.leaves if leaf.reason is not None}
    again = reasons - NOBODY_TRIED if retry_failed else reasons & MISSING_WORK
    return bool(again)
