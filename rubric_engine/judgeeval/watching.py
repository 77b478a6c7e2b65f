"""Watching an evaluation while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.connection import Traffic
    from rubric_engine.grading import Grade
    from rubric_engine.judgeeval.case_result import CaseResult
    from rubric_engine.judgeeval.cases import LabelledCase


class Watcher:
    """Is told what an evaluation does; this one keeps it to itself."""

    def kept(self, result: CaseResult) -> None:
        """A case stands as it was kept; nothing of it is asked again."""

    def begin(self, case: LabelledCase, keys: frozenset[str]) -> None:
        """A case begins, and these leaves of it are asked about."""

    def standing(self, grades: Mapping[str, Grade]) -> None:
        """The case is gone on with, and these leaves have their grades from before."""

    def connected(self, traffic: Callable[[], Traffic]) -> None:
        """A judge may ask its model from here on; `traffic` tells at any moment how it goes."""

    def grade(self, key: str, grade: Grade) -> None:
        """A leaf has its grade."""

    def end(self, result: CaseResult) -> None:
        """The case has ended."""
