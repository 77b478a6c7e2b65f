"""What failed in a grading, and the batches in which a model is asked about it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome, ExpResults
from rubric_engine.benchmarks.expbench.rubric_of import EXECUTION
from rubric_engine.benchmarks.expbench.taxonomy.values import Failure

T = TypeVar("T")

LEAVES = 10
"""Most leaves of one call of the first pass."""

TASKS = 10
"""Questions of one call of the second pass."""


def failures(results: ExpResults) -> list[Failure]:
    """The leaves that are graded and not met; a patch that does not apply fails as one, too."""
    return [found for answer in results.answers for found in _of(answer)]


def _of(answer: AnswerOutcome) -> Iterator[Failure]:
    for leaf in answer.leaves:
        if leaf.score is not None and leaf.score < 1:
            yield Failure(
                task=answer.task,
                key=leaf.key,
                category=leaf.category,
                requirements=leaf.requirements,
                explanation=leaf.explanation,
            )
    if answer.execution.value is False and not any(
        leaf.category == EXECUTION for leaf in answer.leaves
    ):
        yield Failure(
            task=answer.task,
            key="execution",
            category=EXECUTION,
            requirements="The patch applies to the masked repository, and the experiment runs",
            explanation=answer.execution.why,
        )


def leaf_batches(found: Sequence[Failure]) -> list[tuple[Failure, ...]]:
    """The batches of the first pass: leaves of one question, `LEAVES` at most."""
    by_task = _by_task(found)
    return [tuple(some) for leaves in by_task.values() for some in _batched(leaves, LEAVES)]


def task_batches(found: Sequence[Failure]) -> list[tuple[Failure, ...]]:
    """The batches of the second pass: the failures of `TASKS` questions."""
    by_task = _by_task(found)
    return [
        tuple(leaf for name in names for leaf in by_task[name])
        for names in _batched(list(by_task), TASKS)
    ]


def _by_task(found: Sequence[Failure]) -> dict[str, list[Failure]]:
    by_task: dict[str, list[Failure]] = {}
    for leaf in found:
        by_task.setdefault(leaf.task, []).append(leaf)
    return by_task


def _batched(every: Sequence[T], size: int) -> list[Sequence[T]]:
    return [every[at : at + size] for at in range(0, len(every), size)]
