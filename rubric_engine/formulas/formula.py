"""What a metric asks, as a value: categories that pass, under `and`, `or` and `not`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passes:
    """True where a category passes.

    Attributes:
        category: Its name.
        at_least: Least mean of its leaves' scores; None where every leaf must be met.
    """

    category: str
    at_least: float | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """True where another metric is."""

    name: str


@dataclass(frozen=True, slots=True)
class Not:
    """True where a part is false."""

    part: Formula


@dataclass(frozen=True, slots=True)
class And:
    """True where every part is."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """True where a part is."""

    parts: tuple[Formula, ...]


Formula = Passes | Named | Not | And | Or


def signed_atoms(formula: Formula, sign: bool = True) -> Iterator[tuple[Passes | Named, bool]]:
    """The names in a formula, each with False where it stands under an odd number of `not`."""
    match formula:
        case Passes() | Named():
            yield formula, sign
        case Not(part):
            yield from signed_atoms(part, not sign)
        case And(parts) | Or(parts):
            for part in parts:
                yield from signed_atoms(part, sign)
