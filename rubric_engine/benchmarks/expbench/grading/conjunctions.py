"""Which parts of an answer must hold together, in logic of three values. Pure.

A part holds, fails, or is undefined (None). All of several holds where every one does, and fails
where one does, whatever the others are; else it is undefined (Kleene's strong conjunction).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal

Part = Literal["D", "I", "C", "E", "M"]

PARTS: Mapping[Part, str] = MappingProxyType(
    {"D": "design", "I": "implementation", "C": "conclusion", "E": "execution", "M": "monitor"}
)
"""The parts, and what they are called."""

CONJUNCTIONS: Mapping[str, tuple[Part, ...]] = MappingProxyType(
    {
        "C.D": ("C", "D"),
        "I.E": ("I", "E"),
        "All": ("D", "I", "C"),
        "All.E": ("D", "I", "C", "E"),
    }
)
"""The conjunctions of the benchmark's own table."""

CHAIN: Mapping[str, tuple[Part, ...]] = MappingProxyType(
    {
        "M": ("M",),
        "MD": ("M", "D"),
        "MDC": ("M", "D", "C"),
        "MDCI": ("M", "D", "C", "I"),
        "MDCIE": ("M", "D", "C", "I", "E"),
    }
)
"""The chain: each is what the one before demands, and one part more."""


def all_of(values: Iterable[bool | None]) -> bool | None:
    """Whether all hold: False where one fails, else None where one is undefined.

    >>> all_of([True, None, False]), all_of([True, None]), all_of([True, True])
    (False, None, True)
    """
    found = set(values)
    return False if False in found else None if None in found else True


def conjunction(marks: Mapping[Part, bool | None], parts: Iterable[Part]) -> bool | None:
    """Whether some parts of an answer hold together.

    Args:
        marks: Whether each part holds.
        parts: Those that must.
    """
    return all_of(marks[part] for part in parts)
