"""Untrusted text as numbered lines that no line of it can step out of.

Every line is shown as ``12|text``: citations need the number, and a text that imitates one of our
headers stands behind a number, where it is no header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

LONG_LINE = 2000
"""A line with more characters keeps its beginning and its end."""

_KEEP_START = 1200
_KEEP_END = 300

# Lone surrogates cannot be sent, and control characters break terminals and some servers.
_UNSENDABLE = re.compile("[\ud800-\udfff\x00-\x08\x0b-\x1f\x7f]")
_UNPRINTABLE = re.compile("[\ud800-\udfff\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    r"""The text with `\n` as its only line end, and a mark for what cannot be sent.

    Line numbers stay those of an editor; the number of characters of a line does too.
    """
    return _UNSENDABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def split(text: str) -> list[str]:
    r"""The lines of a text as an editor numbers them, cleaned; a last line end opens none.

    >>> split("a\r\nb\n")
    ['a', 'b']
    """
    lines = clean(text).split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def shown_path(path: str) -> str:
    r"""A path on one line: what would break or turn the line round stands as an escape.

    >>> shown_path("a\nb")
    'a\\x0ab'
    """
    return _UNPRINTABLE.sub(_escaped, path.replace("\\", "\\\\"))


def shorten(line: str) -> str:
    """A line of bounded length: beginning and end of a long one."""
    if len(line) <= LONG_LINE:
        return line
    left_out = len(line) - _KEEP_START - _KEEP_END
    return f"{line[:_KEEP_START]}[... {left_out} characters left out ...]{line[-_KEEP_END:]}"


def numbered(lines: Sequence[str], numbers: Iterable[int]) -> str:
    """The lines of these numbers (from 1, ascending), with a mark where others are left out."""
    out = []
    expected = 1
    for number in numbers:
        if number > expected:
            out.append(gap(expected, number - 1))
        out.append(f"{number}|{shorten(lines[number - 1])}\n")
        expected = number + 1
    if expected <= len(lines):
        out.append(gap(expected, len(lines)))
    return "".join(out)


def gap(first: int, last: int) -> str:
    """The mark for lines that are left out."""
    return f"[lines {first}-{last} left out]\n"


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
