"""The edge to google-re2, whose running time is linear in the text: no text makes it hang."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from rubric_engine.judges.rules.outcome import Undecided

TIME_LIMIT = 30.0
"""Seconds that one check may search for a pattern, in all its texts."""

_BEFORE = 80  # bytes of a line quoted before a match
_QUOTED = 400
_MAX_MEMORY = 32_000_000  # bytes; room for patterns with large classes, four times re2's own


@dataclass(frozen=True)
class Match:
    """One place where a pattern or a text was found.

    Attributes:
        line: Line of the place, from 1.
        value: The first group, or the whole match where the pattern has no group.
    """

    line: int
    value: str
    _data: bytes
    _start: int

    @property
    def quote(self) -> str:
        """That line; of a long one the part around the match."""
        data, start = self._data, self._start
        begin = max(data.rfind(b"\n", max(0, start - _BEFORE), start) + 1, start - _BEFORE, 0)
        end = data.find(b"\n", start, begin + _QUOTED)
        return data[begin : end if end >= 0 else begin + _QUOTED].decode("utf-8", "replace")


Finder = Callable[[str], Iterator[Match]]
"""Finds all places in a text, in order."""


def regex_finder(pattern: str, time_limit: float = TIME_LIMIT) -> Finder:
    """Return what finds a pattern line-wise: ``^`` and ``$`` stand for the ends of lines.

    Args:
        pattern: In google-re2's syntax.
        time_limit: Seconds from now, for all texts together, after which finding gives up.

    Raises:
        Undecided: re2 refuses the pattern; the rubric is wrong.
    """
    return partial(_find_regex, _compile(pattern), time.monotonic() + time_limit)


def text_finder(needle: str) -> Finder:
    """Return what finds a text as it stands; occurrences do not overlap."""
    return partial(_find_text, _bytes(needle))


def _find_regex(compiled: Any, deadline: float, text: str) -> Iterator[Match]:
    data = _bytes(text)
    group = 1 if compiled.groups else 0
    line, counted = 1, 0
    for found in compiled.finditer(data):
        # One search is linear; a pattern that looks far ahead of each of many matches is not.
        if time.monotonic() > deadline:
            raise Undecided("check_limit", "the search of the pattern took too long")
        start = found.start()
        line, counted = line + data.count(b"\n", counted, start), start
        if (value := found.group(group)) is not None:
            yield Match(line, value.decode("utf-8", "replace"), data, start)


def _find_text(wanted: bytes, text: str) -> Iterator[Match]:
    data = _bytes(text)
    line, counted = 1, 0
    start = data.find(wanted)
    while start >= 0:
        line, counted = line + data.count(b"\n", counted, start), start
        yield Match(line, wanted.decode(), data, start)
        start = data.find(wanted, start + len(wanted))


def refusal(pattern: str) -> str | None:
    """What is wrong with a pattern in google-re2's words, or None."""
    try:
        _compile(pattern)
    except Undecided as error:
        return str(error)
    return None


@lru_cache(maxsize=256)
def _compile(pattern: str) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    try:
        return re2.compile(_bytes(f"(?m){pattern}"), options)
    except re2.error as error:
        words = error.args[0] if error.args else ""
        said = words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
        message = f"google-re2 refuses the pattern {pattern!r}: {said}"
        raise Undecided("rubric_error", message) from None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
