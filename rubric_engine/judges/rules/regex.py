"""The edge to google-re2, whose running time is linear in the text: no text makes it hang."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from rubric_engine.judges.rules.outcome import Undecided

_MAX_MEMORY = 32_000_000  # bytes; room for patterns with large classes, four times re2's own


@dataclass(frozen=True)
class Match:
    """One place where a pattern or a text was found.

    Attributes:
        line: Line of the place, from 1.
        quote: That line.
        value: The first group, or the whole match where the pattern has no group.
    """

    line: int
    quote: str
    value: str


Finder = Callable[[str], Iterator[Match]]
"""Finds all places in a text, in order."""


def regex_finder(pattern: str) -> Finder:
    """Return what finds a pattern line-wise: ``^`` and ``$`` stand for the ends of lines.

    Raises:
        Undecided: re2 refuses the pattern; the rubric is wrong.
    """
    return partial(_find_regex, _compile(pattern))


def text_finder(needle: str) -> Finder:
    """Return what finds a text as it stands; occurrences do not overlap."""
    return partial(_find_text, _bytes(needle))


def _find_regex(compiled: Any, text: str) -> Iterator[Match]:
    data = _bytes(text)
    group = 1 if compiled.groups else 0
    line, counted = 1, 0
    for found in compiled.finditer(data):
        start = found.start()
        line, counted = line + data.count(b"\n", counted, start), start
        if (value := found.group(group)) is not None:
            yield Match(line, _line_at(data, start), value.decode("utf-8", "replace"))


def _find_text(wanted: bytes, text: str) -> Iterator[Match]:
    data = _bytes(text)
    line, counted = 1, 0
    start = data.find(wanted)
    while start >= 0:
        line, counted = line + data.count(b"\n", counted, start), start
        yield Match(line, _line_at(data, start), wanted.decode())
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


def _line_at(data: bytes, start: int) -> str:
    # A line may be as long as the file; only its part around the match is of use.
    begin = max(data.rfind(b"\n", 0, start) + 1, start - 80)
    end = data.find(b"\n", start)
    stop = min(end if end >= 0 else len(data), begin + 400)
    return data[begin:stop].decode("utf-8", "replace")
