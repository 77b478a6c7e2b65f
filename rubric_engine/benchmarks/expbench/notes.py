"""What is wrong or doubtful in a file of EXP-Bench, collected while it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rubric_engine.errors import Place, Problem
from rubric_engine.near import near

WRONG, UNKNOWN = "E610", "E611"
KEPT, TAKEN, DOUBTFUL = "W241", "W242", "W243"

_MOST = 1_000

Where = Callable[[Sequence[Any], bool], Place]
"""Gives the place of a value by its path, or that of its key."""


@dataclass
class Notes:
    """Problems and warnings of what is read.

    Attributes:
        strict: Whether unknown keys are problems.
        problems: What cannot be read.
        warnings: What was let pass.
    """

    strict: bool = False
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def wrong(self, message: str, place: Place, hint: str | None = None) -> None:
        """Take a problem."""
        self._add(self.problems, Problem(WRONG, message, place, hint=hint))

    def warn(self, code: str, message: str, place: Place, hint: str | None = None) -> None:
        """Take a warning."""
        self._add(self.warnings, Problem(code, message, place, hint=hint))

    def unknown(self, name: str, known: Iterable[str], place: Place) -> None:
        """Take a key that nobody knows: a problem where it is strict, else it is kept."""
        hint = near(name, known)
        if self.strict:
            self._add(self.problems, Problem(UNKNOWN, f"unknown key {name!r}", place, hint=hint))
        else:
            self.warn(KEPT, f"unknown key {name!r} kept", place, hint)

    def _add(self, kept: list[Problem], one: Problem) -> None:
        if len(kept) < _MOST:
            kept.append(one)
        elif len(kept) == _MOST:
            kept.append(Problem(one.code, "and more of the like", one.place))


@dataclass(frozen=True)
class Part:
    """A mapping of a file, where it stands, and what it is called.

    Attributes:
        values: The mapping.
        where: Places of what is in it.
        notes: Takes what is wrong.
        name: How a message calls it.
        known: Keys that it may have.
    """

    values: dict[str, Any]
    where: Where
    notes: Notes
    name: str
    known: frozenset[str] = frozenset()

    def absent(self, key: str) -> None:
        """Take a problem with a key that is missing or empty, with what may have been meant."""
        if key in self.values:
            self.wrong(key, f"{key!r} is empty")
        else:
            strangers = [name for name in self.values if name not in self.known]
            place = self.where((), False)
            hint = near(key, strangers)
            self.notes.wrong(f"{self.name}: {key!r} is missing", place, hint)

    def wrong(self, key: str, message: str, hint: str | None = None) -> None:
        """Take a problem with the value of a key."""
        self.notes.wrong(f"{self.name}: {message}", self.where((key,), False), hint)

    def warn(self, code: str, key: str, message: str) -> None:
        """Take a warning about the value of a key."""
        self.notes.warn(code, f"{self.name}: {message}", self.where((key,), False))

    def inside(self, key: str, values: dict[str, Any]) -> Part:
        """The mapping under a key."""
        return Part(
            values,
            lambda loc, of_key: self.where((key, *loc), of_key),
            self.notes,
            f"{self.name}, {key}",
        )
