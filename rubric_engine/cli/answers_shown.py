"""Answers that are graded side by side, on stderr: the live block of `grade`, an answer a leaf."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_engine.cli.progress import shown
from rubric_engine.cli.watched import Watched
from rubric_engine.criterion import Criterion
from rubric_engine.rubric import Rubric

if TYPE_CHECKING:
    from rubric_engine.connection import Traffic
    from rubric_engine.grading import Grade


@dataclass
class Answers(Watched):
    """A run over many answers, watched as a grading whose leaves are the answers."""

    def left(self, traffic: Traffic) -> float | None:
        """Seconds left at the pace of answers so far; None before the first."""
        return (self.total - self.done) * self.elapsed / self.done if self.done else None


class AnswersShown:
    """Shows how many answers are done with, their mean score, and what is spent.

    Args:
        command: What goes on, as lines of progress name it.
        name: What is run, in a few words.
        max_cost: Cap in dollars, or None.
        silent: Show nothing.

    Attributes:
        watched: What is known of the run while it is shown.
    """

    def __init__(self, command: str, name: str, *, max_cost: float | None, silent: bool) -> None:
        self._command, self._name = command, name
        self._max_cost, self._silent = max_cost, silent
        self.watched: Watched | None = None
        self._seen = ExitStack()

    def begin(self, keys: Sequence[str]) -> None:
        """Begin to show; these are the answers."""
        if not self._silent:
            self.watched = Answers(self._name, _rubric(keys), self._max_cost, command=self._command)
            self._seen.enter_context(shown(self.watched))

    def connected(self, traffic: Callable[[], Traffic]) -> None:
        """Show the traffic."""
        if self.watched is not None:
            self.watched.connected(traffic)

    def enter(self, key: str, grade: Grade) -> None:
        """Show that an answer is done with."""
        if self.watched is not None:
            self.watched.on_grade(key, grade)

    def close(self) -> None:
        """Stop showing."""
        self._seen.close()
        self.watched = None


def _rubric(keys: Sequence[str]) -> Rubric:
    """A tree in which every answer weighs the same."""
    root = Criterion(key="", id="all", requirements="All answers")
    leaves = (Criterion(key=key, id=key, requirements=key, task_category="Answer") for key in keys)
    return Rubric.build([(None, root), *(("", leaf) for leaf in leaves)])
