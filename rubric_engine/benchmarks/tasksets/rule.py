"""A rule that a task may name: what it needs, and what it demands of an answer."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BeforeValidator

from rubric_engine.benchmarks.tasksets.task import NonEmpty, SetTask, Value

ANSWER = "answer.md"
"""The file of a submission that holds the whole answer as it came."""

Texts = Annotated[
    tuple[NonEmpty, ...],
    BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
]


class Rule(Value):
    """Base of the rules."""

    def completed(self, task: SetTask) -> Self:
        """The rule with what it takes from its task.

        Raises:
            ValueError: It needs something that neither it nor the task says.
        """
        return self

    def checks(self) -> list[dict[str, Any]]:
        """The engine's checks that it stands for; empty where it looks for itself."""
        return []

    def says(self) -> str:
        """What it demands of an answer, in words."""
        raise NotImplementedError


def listed(names: tuple[str, ...]) -> str:
    """Names as a sentence has them."""
    return ", ".join(map(repr, names))
