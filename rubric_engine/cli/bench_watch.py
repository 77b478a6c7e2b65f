"""How a run over a set goes on, on stderr: the live block of `grade`, an answer where a leaf is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_engine.benchmarks.tasksets.watching import Watcher
from rubric_engine.cli.progress import shown
from rubric_engine.cli.watched import Watched
from rubric_engine.criterion import Criterion
from rubric_engine.grading import NOBODY_TRIED, REASONS, Grade, Reason
from rubric_engine.rubric import Rubric

if TYPE_CHECKING:
    from rubric_engine.benchmarks.tasksets.results import AnswerResult
    from rubric_engine.connection import Traffic

_REASONS: Mapping[str, Reason] = {reason: reason for reason in REASONS} | {"form": "unparseable"}
"""By the reason of an answer that of a grade; an agent that breaks has none among these."""


@dataclass
class Answers(Watched):
    """A run over a set, watched as a grading whose leaves are the answers."""

    command = "bench"

    def left(self, traffic: Traffic) -> float | None:
        """Seconds left at the pace of answers so far; None before the first."""
        return (self.total - self.done) * self.elapsed / self.done if self.done else None


class Watching(Watcher):
    """Shows a run.

    Args:
        name: Name of the set.
        max_cost: Cap in dollars, or None.
        silent: Show nothing.
    """

    def __init__(self, name: str, *, max_cost: float | None, silent: bool) -> None:
        self._name, self._max_cost, self._silent = name, max_cost, silent
        self._watched: Watched | None = None
        self._seen = ExitStack()

    def begin(self, keys: Sequence[tuple[str, int]]) -> None:
        """Begin to show."""
        if self._silent:
            return
        self._watched = Answers(self._name, _rubric(keys), self._max_cost)
        self._seen.enter_context(shown(self._watched))

    def kept(self, answer: AnswerResult) -> None:
        """Show an answer that stands."""
        if answer.finished:
            self.judged(answer)
        else:
            self.answered(answer)

    def connected(self, traffic: Callable[[], Traffic]) -> None:
        """Show the traffic."""
        if self._watched is not None:
            self._watched.connected(traffic)

    def answered(self, answer: AnswerResult) -> None:
        """An answer that nobody can judge is done with."""
        if not answer.returned:
            self._enter(answer)

    def judged(self, answer: AnswerResult) -> None:
        """Show a score, or why there is none."""
        self._enter(answer)

    def _enter(self, answer: AnswerResult) -> None:
        if self._watched is not None and answer.status != "missing":
            self._watched.on_grade(_key(answer.task, answer.sample), grade_of(answer))

    def close(self) -> None:
        """Stop showing."""
        self._seen.close()
        self._watched = None


def grade_of(answer: AnswerResult) -> Grade:
    """An answer as the grade of a leaf: its score, or the reason for which it has none."""
    if answer.whole is not None:
        return Grade.graded(answer.whole)
    if not answer.returned:
        return Grade.ungradeable(_REASONS.get(answer.reason or "", "infra"), answer.detail)
    reasons = sorted({leaf.reason for leaf in answer.leaves if leaf.reason is not None})
    # What kept a judge from a grade goes before what nobody was to grade.
    told = [*(each for each in reasons if each not in NOBODY_TRIED), *reasons, ""]
    return Grade.ungradeable(_REASONS.get(told[0], "infra"), answer.trouble or "")


def _key(task: str, sample: int) -> str:
    return f"{task} {sample}"


def _rubric(keys: Sequence[tuple[str, int]]) -> Rubric:
    """A tree in which every answer weighs the same."""
    root = Criterion(key="", id="all", requirements="All answers")
    leaves = (
        Criterion(key=key, id=key, requirements=key, task_category="Answer")
        for key in (_key(*each) for each in keys)
    )
    return Rubric.build([(None, root), *(("", leaf) for leaf in leaves)])
