"""How grading answers to EXP-Bench goes on, on stderr."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rubric_engine.benchmarks.expbench.grading.watching import Watcher
from rubric_engine.cli.answers_shown import AnswersShown
from rubric_engine.grading import Grade

if TYPE_CHECKING:
    from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome
    from rubric_engine.connection import Traffic


class Watching(Watcher):
    """Shows a grading.

    Args:
        max_cost: Cap in dollars, or None.
        silent: Show nothing.

    Attributes:
        shown: What shows it.
    """

    def __init__(self, *, max_cost: float | None, silent: bool) -> None:
        self.shown = AnswersShown("expbench", "answers", max_cost=max_cost, silent=silent)

    def begin(self, tasks: Sequence[str]) -> None:
        """Begin to show."""
        self.shown.begin(tasks)

    def connected(self, traffic: Callable[[], Traffic]) -> None:
        """Show the traffic."""
        self.shown.connected(traffic)

    def graded(self, answer: AnswerOutcome) -> None:
        """Show an answer that is done with."""
        self.shown.enter(answer.task, grade_of(answer))

    def close(self) -> None:
        """Stop showing."""
        self.shown.close()


def grade_of(answer: AnswerOutcome) -> Grade:
    """The score of an answer, over what could be graded of it; none where nothing could be."""
    known = [leaf for leaf in answer.leaves if leaf.counts and leaf.score is not None]
    if known:
        total = math.fsum(leaf.worth for leaf in known)
        met = math.fsum(leaf.worth * (leaf.score or 0.0) for leaf in known)
        return Grade.graded(min(met / total, 1.0))
    if answer.trouble is not None:
        return Grade.ungradeable("infra", answer.trouble)
    return Grade.not_applicable()
