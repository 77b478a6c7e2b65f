"""The figures of a run over a set of tasks, each with the number of things it rests on. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rubric_engine.benchmarks.tasksets.results import AnswerResult, Results, TaskResult
from rubric_engine.benchmarks.tasksets.task import FACTS, fact_of
from rubric_engine.errors import UsageError
from rubric_engine.near import near


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, or why there is none.

    Attributes:
        value: The number; None where it is undefined.
        n: How many things it rests on.
        of: What these are: answers, tasks or claims.
        why: Why it is undefined.
    """

    value: float | None
    n: int
    of: str
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """What a mean would be if every answer without a whole score were 0, or 1.

    Attributes:
        low: If every one were 0.
        high: If every one were 1.
        n: Answers, those without a score counted in.
    """

    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of some tasks; none counts a missing answer, `missing` tells how many there are.

    Attributes:
        name: What the tasks have in common; empty for all.
        tasks: How many.
        asked: Answers that are in the denominators.
        missing: Answers that could not be asked for, for reasons that are not the agent's.
        success: Share of answers that came back and were well-formed.
        malformed: Share that came back in another form.
        failed: Share where the agent gave none.
        score: Mean score of the answers that were judged to the end.
        score_range: What that mean is over all that were asked, unknown scores at their ends.
        seconds: Mean time to an answer.
        seconds_95: The 95th percentile of these times.
        between_tasks: Variance of the tasks' mean scores.
        within_tasks: Mean over tasks of the variance among a task's answers.
        judge_sd: Mean standard deviation of repeated judgements of one thing.
        hallucination: Share of claims that have no ground.
        interventions: Mean number of times that a human stepped in, an answer.
    """

    name: str
    tasks: int
    asked: int
    missing: int
    success: Figure
    malformed: Figure
    failed: Figure
    score: Figure
    score_range: Range
    seconds: Figure
    seconds_95: Figure
    between_tasks: Figure
    within_tasks: Figure
    judge_sd: Figure
    hallucination: Figure
    interventions: Figure


def summarise(results: Results) -> Summary:
    """The figures of all tasks of a run."""
    return summary_of("", results.tasks)


def summarise_by(results: Results, key: str) -> tuple[Summary, ...]:
    """The figures of tasks that have a fact in common.

    They come in the order of the set; autonomy by its levels, and tasks without one last.

    Args:
        results: The results.
        key: One of `phase`, `domain`, `difficulty` and `autonomy`.

    Raises:
        UsageError: Tasks have no such fact.
    """
    if key not in FACTS:
        meant = near(key, FACTS) or f"known: {', '.join(FACTS)}"
        raise UsageError(
            f"tasks are not told apart by {key!r}; {meant}",
            code="E634",
            fix=[f"--by {fact}" for fact in FACTS],
        )
    groups: dict[str, list[TaskResult]] = {}
    for task in results.tasks:
        groups.setdefault(fact_of(task, key), []).append(task)
    names = sorted(groups) if key == "autonomy" else list(groups)
    return tuple(summary_of(name, groups[name]) for name in names)


def summary_of(name: str, tasks: Sequence[TaskResult]) -> Summary:
    """The figures of some tasks.

    Args:
        name: What they have in common.
        tasks: The tasks.
    """
    every = [answer for task in tasks for answer in task.answers]
    asked = [answer for answer in every if answer.status != "missing"]
    seconds = [answer.seconds for answer in asked if answer.seconds is not None]
    return Summary(
        name=name,
        tasks=len(tasks),
        asked=len(asked),
        missing=len(every) - len(asked),
        success=_share(asked, lambda answer: answer.status == "answered"),
        malformed=_share(asked, lambda answer: answer.status == "malformed"),
        failed=_share(asked, lambda answer: answer.status == "failed"),
        score=_mean([a.whole for a in asked if a.whole is not None], "answers", "none is judged"),
        score_range=_range(asked),
        seconds=_mean(seconds, "answers", "no time was taken"),
        seconds_95=_percentile_95(seconds),
        between_tasks=_between(tasks),
        within_tasks=_within(tasks),
        judge_sd=_judge_sd(asked),
        hallucination=_hallucination(asked),
        interventions=_mean(
            [a.interventions for a in asked if a.interventions is not None],
            "answers",
            "nobody counted",
        ),
    )


def _mean(values: Sequence[float], of: str, why: str) -> Figure:
    if not values:
        return Figure(None, 0, of, why)
    return Figure(math.fsum(values) / len(values), len(values), of)


def _share(answers: Sequence[AnswerResult], holds: Callable[[AnswerResult], bool]) -> Figure:
    return _mean([float(holds(answer)) for answer in answers], "answers", "none was asked for")


def _range(answers: Sequence[AnswerResult]) -> Range:
    if not answers:
        return Range(None, None, 0)
    lows, highs = zip(*(answer.range for answer in answers), strict=True)
    n = len(answers)
    return Range(math.fsum(lows) / n, math.fsum(highs) / n, n)


def _percentile_95(values: Sequence[float]) -> Figure:
    """Linear between the two nearest values (Hyndman and Fan 1996, definition 7)."""
    if not values:
        return Figure(None, 0, "answers", "no time was taken")
    if len(values) == 1:
        return Figure(values[0], 1, "answers")
    found = statistics.quantiles(values, n=100, method="inclusive")[94]
    return Figure(found, len(values), "answers")


def _whole(task: TaskResult) -> list[float]:
    return [answer.whole for answer in task.answers if answer.whole is not None]


def _between(tasks: Iterable[TaskResult]) -> Figure:
    means = [math.fsum(whole) / len(whole) for task in tasks if (whole := _whole(task))]
    if len(means) < 2:
        return Figure(None, len(means), "tasks", "it takes two tasks with a score")
    return Figure(statistics.variance(means), len(means), "tasks")


def _within(tasks: Iterable[TaskResult]) -> Figure:
    spreads = [statistics.variance(whole) for task in tasks if len(whole := _whole(task)) > 1]
    return _mean(spreads, "tasks", "it takes a task with two answers that have a score")


def _judge_sd(answers: Iterable[AnswerResult]) -> Figure:
    spreads = [leaf.sd for a in answers for leaf in a.leaves if leaf.sd is not None]
    return _mean(spreads, "judgements", "nothing was judged more than once")


def _hallucination(answers: Iterable[AnswerResult]) -> Figure:
    found = [answer.claims for answer in answers if answer.claims is not None]
    claims = sum(each.claims for each in found)
    if not found:
        return Figure(None, 0, "claims", "nobody looked for claims without ground")
    if not claims:
        return Figure(None, 0, "claims", "there is no claim")
    return Figure(sum(each.ungrounded for each in found) / claims, claims, "claims")


def figures(summary: Summary) -> Mapping[str, Figure]:
    """The figures of a summary, by name."""
    names = (
        "success", "malformed", "failed", "score", "seconds", "seconds_95", "between_tasks",
        "within_tasks", "judge_sd", "hallucination", "interventions",
    )  # fmt: skip
    return {name: getattr(summary, name) for name in names}
