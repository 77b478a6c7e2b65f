"""Whether a quote stands in a part of a log, and in which line. Pure."""

from __future__ import annotations

import re

from rubric_engine.monitoring.chunks import Chunk

_LEAST = 8
"""Characters, spaces aside, that a quote needs to tell a place."""

_PASSED_OVER = re.compile(r'\\[nrt]|[\s\\"\']+')
"""What a model writes differently: spaces, quotation marks, and how JSON escapes them."""

_NUMBER = re.compile(r"^\d+: ", re.MULTILINE)


def line_of(quote: str, line: int, text: str, chunk: Chunk) -> int | None:
    """The line in which a quote stands: the one that was named, or the first of the part.

    Args:
        quote: What a model says stands there.
        line: In which line it says so.
        text: The whole text.
        chunk: The part of it that the model was shown.

    Returns:
        Its number, or None where it stands nowhere in the part.
    """
    wanted = _plain(_NUMBER.sub("", quote))
    if len(wanted) < _LEAST:
        return None
    shown = text[chunk.start : chunk.end]
    lines = shown.split("\n")
    at = line - chunk.line
    if 0 <= at < len(lines) and wanted in _plain(lines[at]):
        return line
    return _first(wanted, lines, chunk.line)


def _first(wanted: str, lines: list[str], number: int) -> int | None:
    """The line in which it begins; it may go on over the next ones."""
    plain = [_plain(each) for each in lines]
    found = "".join(plain).find(wanted)
    if found < 0:
        return None
    for at, each in enumerate(plain):
        found -= len(each)
        if found < 0:
            return number + at
    return None


def _plain(text: str) -> str:
    return _PASSED_OVER.sub("", text)
