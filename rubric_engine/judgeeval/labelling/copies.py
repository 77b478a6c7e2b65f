"""Annotators whose labels are so alike that one file may be a copy of the other. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter

from rubric_engine.labels import Labels

FEWEST = 3
"""Leaves below which the same words prove nothing."""

SHARE = 0.9
"""Share of the leaves that both labelled, from which on sameness is told."""


_said = attrgetter("verdict", "reason", "score", "citations", "flag", "seconds")


@dataclass(frozen=True, slots=True)
class Alike:
    """Two annotators who said the same in the same words.

    Attributes:
        annotators: The two.
        same: Leaves on which verdict, reason, score, citations, flag and seconds are the same.
        both: Leaves that both labelled.
    """

    annotators: tuple[str, str]
    same: int
    both: int


def alike(labels: Mapping[str, Labels]) -> tuple[Alike, ...]:
    """Each two annotators whose labels are the same, word by word, on nearly all leaves.

    People who agree do so in words of their own; agreement of a copy with itself shows nothing.
    """
    found = (_compared(first, second, labels) for first, second in combinations(labels, 2))
    return tuple(each for each in found if each.same >= max(FEWEST, SHARE * each.both))


def _compared(first: str, second: str, labels: Mapping[str, Labels]) -> Alike:
    one, other = labels[first].labels, labels[second].labels
    both = one.keys() & other.keys()
    same = sum(_said(one[key]) == _said(other[key]) for key in both)
    return Alike((first, second), same, len(both))
