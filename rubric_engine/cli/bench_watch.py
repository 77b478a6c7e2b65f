"""How a run over a set goes on, on stderr: the live block of `grade`, an answer where a leaf is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rubric_engine.benchmarks.tasksets.watching import Watcher
from rubric_engine.cli.answers_shown import AnswersShown
from rubric_engine.grading import Grade

if TYPE_CHECKING:
    from rubric_engine.benchmarks.tasksets.results import AnswerResult
    from rubric_engine.connection import Traffic


class Watching(Watcher):
    """Shows a run.

    Args:
        name: Name of the set.
        max_cost: Cap in dollars, or None.
        silent: Show nothing.

    Attributes:
        shown: What shows it.
    """

    def __init__(self, name: str, *, max_cost: float | None, silent: bool) -> None:
        self.shown = AnswersShown(name, max_cost=max_cost, silent=silent)

    def begin(self, keys: Sequence[tuple[str, int]]) -> None:
        """Begin to show."""
        self.shown.begin([_key(*each) for each in keys])

    def kept(self, answer: AnswerResult) -> None:
        """Show an answer that stands."""
        if answer.finished:
            self.judged(answer)
        else:
            self.answered(answer)

    def connected(self, traffic: Callable[[], Traffic]) -> None:
        """Show the traffic."""
        self.shown.connected(traffic)

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
        if answer.status != "missing":
            self.shown.enter(_key(answer.task, answer.sample), grade)

    def close(self) -> None:
        """Stop showing."""
        self.shown.close()


def _key(task: str, sample: int) -> str:
    return f"{task} {sample}"
