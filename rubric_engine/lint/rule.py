"""What a lint rule is, what it looks at and what it finds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from rubric_engine.criterion import Criterion
from rubric_engine.rubric import Rubric

Level = Literal["error", "warning", "info"]

Refusals = Mapping[str, Callable[[str], str | None]]
"""What says what is wrong with a pattern, a json path or a query, or None, by these names."""


@dataclass(frozen=True)
class Subject:
    """A rubric under lint, with what several rules need of it."""

    rubric: Rubric
    refusals: Refusals = field(default_factory=dict)

    @cached_property
    def leaves(self) -> tuple[Criterion, ...]:
        """The leaves in document order."""
        return tuple(self.rubric[key] for key in self.rubric.leaves())

    @cached_property
    def families(self) -> tuple[tuple[Criterion, tuple[Criterion, ...]], ...]:
        """Every group with its children, in document order."""
        rubric = self.rubric
        found = ((key, rubric.children(key)) for key in rubric)
        return tuple(
            (rubric[key], tuple(rubric[child] for child in children))
            for key, children in found
            if children
        )

    def points(self, key: str) -> float:
        """Worth of a criterion in points of 100."""
        return 100 * self.rubric.worth(key)


Hits = Iterator[tuple[str, str]]
"""Key and message of each finding of one rule."""


@dataclass(frozen=True)
class Rule:
    """One rule: its code, how much a finding weighs, and the function that looks.

    The function's docstring is the rule's explanation.
    """

    code: str
    level: Level
    title: str
    check: Callable[[Subject], Hits]

    @property
    def explanation(self) -> str:
        """What the rule is for and what to do about a finding."""
        return inspect.getdoc(self.check) or self.title


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that lint found.

    Attributes:
        code: Code of the rule, such as ``R105``.
        level: ``error``, ``warning`` or ``info``.
        message: What was found, naming the offender.
        key: The criterion; the root where the finding is about the whole rubric.
    """

    code: str
    level: Level
    message: str
    key: str
