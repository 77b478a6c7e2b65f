"""Watching a grading of answers while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome
    from rubric_engine.connection import Traffic


class Watcher:
    """Is told what a grading does; this one keeps it to itself."""

    def begin(self, tasks: Sequence[str]) -> None:
        """The grading begins; these are the ids of its questions."""

    def connected(self, traffic: Callable[[], Traffic]) -> None:
        """Models may be asked from here on; `traffic` tells at any moment how it goes."""

    def graded(self, answer: AnswerOutcome) -> None:
        """An answer has been graded as far as it can be now, or stands as it was kept."""
