"""How a run over a set goes on, on stderr: the live block of `grade`, an answer where a leaf is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from rubric_engine.benchmarks.tasksets.watching import Watcher
from rubric_engine.cli.answers_shown import AnswersShown
from rubric_engine.grading import NOBODY_TRIED, REASONS, Grade, Reason

if TYPE_CHECKING:
    from rubric_engine.benchmarks.tasksets.results import AnswerResult
    from rubric_engine.connection import Traffic

_REASONS: Mapping[str, Reason] = {reason: reason for reason in REASONS} | {"form": "unparseable"}
"""By the reason of an answer that of a grade; an agent that breaks has none among these."""


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
        self.shown = AnswersShown("bench", name, max_cost=max_cost, silent=silent)

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
            self._enter(answer)

    def judged(self, answer: AnswerResult) -> None:
        """Show a score, or why there is none."""
        self._enter(answer)

    def _enter(self, answer: AnswerResult) -> None:
        if answer.status != "missing":
            self.shown.enter(_key(answer.task, answer.sample), grade_of(answer))

    def close(self) -> None:
        """Stop showing."""
        self.shown.close()


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
