"""The lines on which a text names what a blacklist names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rubric_engine.monitor.blacklist.mentions import Mention, mentions
from rubric_engine.monitor.blacklist.reference import Reference

MOST_PLACES = 1000
"""Places of one text that are looked at."""

_BEFORE = 200
_BEHIND = 300


def placed(text: str, references: Sequence[Reference]) -> Iterator[tuple[Mention, str, int]]:
    """The mentions in a text, each with its line and the number of that."""
    at, number = 0, 1
    found = sorted(mentions(text, references), key=lambda one: one.start)
    for mention in found[:MOST_PLACES]:
        start = min(mention.start, len(text))
        number += text.count("\n", at, start)
        at = start
        yield mention, line_at(text, start), number


def line_at(text: str, at: int) -> str:
    """The line of an offset, or the part of a long one around it."""
    least = max(0, at - _BEFORE)
    begin = text.rfind("\n", least, at) + 1 or least
    end = text.find("\n", at, at + _BEHIND)
    return text[begin : end if end >= 0 else at + _BEHIND]
