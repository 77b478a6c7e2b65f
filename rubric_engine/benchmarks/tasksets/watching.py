"""Watching a run over a set while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.benchmarks.tasksets.results import AnswerResult
    from rubric_engine.connection import Traffic


class Watcher:
    """Is told what a run does; this one keeps it to itself."""

    def begin(self, keys: Sequence[tuple[str, int]]) -> None:
        """The run begins; these are the answers that are wanted, as task and sample."""

    def kept(self, answer: AnswerResult) -> None:
        """An answer stands as it was kept; nothing of it is asked again."""

    def connected(self, traffic: Callable[[], Traffic]) -> None:
        """Models may be asked from here on; `traffic` tells at any moment how it goes."""

    def answered(self, answer: AnswerResult) -> None:
        """The agent gave an answer, or none."""

    def judged(self, answer: AnswerResult) -> None:
        """An answer has been judged as far as it can be now."""
