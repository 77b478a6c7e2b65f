"""Two agents on the same tasks: whose answers score higher, if that is shown. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from rubric_engine.benchmarks.tasksets.results import Results, TaskResult
from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.intervals import Interval, t_interval
from rubric_engine.judgeeval.sign_flips import SignFlip, sign_flip
from rubric_engine.run_warnings import RunWarning

ALPHA = 0.05
"""Chance of a false alarm that is taken."""

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class TaskDifference:
    """A task on which both have a score."""

    task_id: str
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class Compared:
    """The first agent against the second, task by task.

    Attributes:
        first: Name of the first.
        second: Name of the second.
        tasks: The tasks on which both have a score.
        left_out: Why other tasks are not compared, by their ids.
        difference: Mean of the first's score less the second's; None without a common task.
        interval: Where that mean would lie for new tasks of the kind (Student's t).
        test: Sign-flip test over tasks.
        warnings: What a reader should know beside.
    """

    first: str
    second: str
    tasks: tuple[TaskDifference, ...]
    left_out: dict[str, str]
    difference: float | None
    interval: Interval
    test: SignFlip
    warnings: tuple[RunWarning, ...] = ()

    @property
    def shown(self) -> bool:
        """Whether a difference is shown: the test says so, and no interval says otherwise."""
        if self.test.p is None or self.test.p >= ALPHA:
            return False
        return self.interval.low is None or self.interval.excludes(0.0)

    @property
    def better(self) -> str | None:
        """Who is better; None where no difference is shown."""
        if not self.shown or self.difference is None:
            return None
        return self.first if self.difference > 0 else self.second


def compare_results(first: Results, second: Results, *, seed: int = 0) -> Compared:
    """Compare the answers of two agents on the tasks that both have a score on.

    Args:
        first: Results of one agent.
        second: Those of another, over the same set.
        seed: The same seed draws the same patterns of signs.

    Raises:
        UsageError: They have no task in common.
    """
    others = {task.task_id: task for task in second.tasks}
    if not any(task.task_id in others for task in first.tasks):
        raise UsageError(
            "the two results have no task in common",
            code="E635",
            looked=[_few_tasks(one) for one in (first, second)],
            fix=["rubric-engine bench run TASKS --agent-model NAME   asks another agent the same"],
        )
    left_out = dict(_left_out(first, second))
    tasks = tuple(
        TaskDifference(task.task_id, *_means(task, others[task.task_id]))
        for task in first.tasks
        if task.task_id not in left_out
    )
    differences = [task.first - task.second for task in tasks]
    names = _names(first, second)
    return Compared(
        first=names[0],
        second=names[1],
        tasks=tasks,
        left_out=left_out,
        difference=math.fsum(differences) / len(differences) if differences else None,
        interval=t_interval(differences, bounds=(-1.0, 1.0)),
        test=sign_flip(differences, seed=seed),
        warnings=tuple(_warnings(first, second)),
    )


def _few_tasks(results: Results) -> str:
    names = [task.task_id for task in results.tasks]
    more = ", ..." if len(names) > _SHOWN else ""
    return f"{results.task_set.name} by {results.agent.name}: {', '.join(names[:_SHOWN])}{more}"


def _left_out(first: Results, second: Results) -> Iterator[tuple[str, str]]:
    ours = {task.task_id: task for task in first.tasks}
    theirs = {task.task_id: task for task in second.tasks}
    for name in dict.fromkeys([*ours, *theirs]):
        if name not in ours or name not in theirs:
            yield name, "only one of the two was asked"
        elif ours[name].sha256 != theirs[name].sha256:
            yield name, "the task was changed between the two"
        else:
            without = [
                who
                for who, task in (("first", ours[name]), ("second", theirs[name]))
                if _mean(task) is None
            ]
            if without:
                yield name, f"no whole score of the {' and the '.join(without)}"


def _mean(task: TaskResult) -> float | None:
    return task.score.value if task.score is not None else None


def _means(first: TaskResult, second: TaskResult) -> tuple[float, float]:
    pair = _mean(first), _mean(second)
    assert pair[0] is not None
    assert pair[1] is not None
    return pair[0], pair[1]


def _names(first: Results, second: Results) -> tuple[str, str]:
    one, other = first.agent.name, second.agent.name
    return (one, other) if one != other else (f"{one} (first)", f"{other} (second)")


def _warnings(first: Results, second: Results) -> Iterator[RunWarning]:
    if (first.judge.name, first.judge.fingerprint) != (second.judge.name, second.judge.fingerprint):
        said = "the two were judged by different judges: a difference may be theirs"
        yield RunWarning("W251", said)
    if first.agent.fingerprint == second.agent.fingerprint:
        yield RunWarning("W252", "both are the same agent: what differs is chance")
    for one, which in ((first, "first"), (second, "second")):
        if one.status != "done":
            yield RunWarning("W253", f"the {which} run was not carried out to its end")
