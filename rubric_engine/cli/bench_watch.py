"""How a run over a set goes on, on stderr: the live block of `grade`, an answer where a leaf is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_engine.benchmarks.tasksets.watching import Watcher
from rubric_engine.cli.progress import shown
from rubric_engine.cli.watched import Watched
from rubric_engine.criterion import Criterion
from rubric_engine.grading import Grade
from rubric_engine.rubric import Rubric

if TYPE_CHECKING:
    from rubric_engine.benchmarks.tasksets.results import AnswerResult
    from rubric_engine.connection import Traffic


@dataclass
class _Answers(Watched):
    """A run over a set, watched as a grading whose leaves are the answers."""

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
        self._watched = _Answers(self._name, _rubric(keys), self._max_cost)
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
            self._enter(answer, Grade.ungradeable("refused", answer.detail))

    def judged(self, answer: AnswerResult) -> None:
        """Show a score."""
        if answer.whole is not None:
            self._enter(answer, Grade.graded(answer.whole))
        elif answer.finished:
            self._enter(answer, Grade.ungradeable("unparseable", answer.trouble or ""))

    def _enter(self, answer: AnswerResult, grade: Grade) -> None:
        if self._watched is not None and answer.status != "missing":
            self._watched.on_grade(_key(answer.task, answer.sample), grade)

    def close(self) -> None:
        """Stop showing."""
        self._seen.close()
        self._watched = None


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
