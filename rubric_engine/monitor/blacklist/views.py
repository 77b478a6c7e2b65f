"""The ways in which a text spells a name: escapes, strings put together, base64.

Each view of a text knows where its characters come from, so that what is found in it has a place
in the text itself.
"""

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from sys import maxsize

_ESCAPE = re.compile(
    r"%[0-7][0-9A-Fa-f]|(?:%[89A-Fa-f][0-9A-Fa-f])+"
    r"|\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|[0-3][0-7]{2}|/)"
    r"|&#(?:x[0-9A-Fa-f]{1,6}|[0-9]{1,7});|&(?:sol|amp|colon|period);|\\\r?\n"
)
_ENTITIES = {"sol": "/", "amp": "&", "colon": ":", "period": "."}
_JOINT = re.compile(r"[\"'`][ \t]{0,40}(?:[+.&]|\.\.|<>|~)?\s{0,80}[rbfuRBFU]{0,2}[\"'`]")
_COMMA = re.compile(r"[\"'`]\s{0,40},\s{0,80}[rbfuRBFU]{0,2}[\"'`]")
_QUOTES = re.compile(r"[\"'`\\]|\$\{?IFS\}?")
_ESCAPES = re.compile(r"[%\\&]")
_DETOUR = re.compile(
    r"(?<=[\w.~-])(?:(?:/\.?)+(?=/)|/(?!\.{1,2}/)[\w.~-]{1,100}/\.\.(?=/))", re.ASCII
)
"""What git and servers leave out of a path: `//`, `/./`, `x/../`."""

QUOTED = re.compile(r"[\"'`\\]|IFS|\w//|/\.{1,2}/", re.ASCII)
"""What stands wherever something can be undone: most texts are passed over by these."""

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}")
_URL_SAFE = str.maketrans("-_", "+/")


@dataclass(frozen=True)
class View:
    """A text as it reads once something is undone.

    Attributes:
        text: What it reads.
        marks: Offsets in `text` and, for each, the offset in the text that it was made of: up to
            the next mark both go on alike.
    """

    text: str
    marks: tuple[tuple[int, int], ...] = ((0, 0),)

    def source(self, offset: int) -> int:
        """Where the character at `offset` comes from."""
        start, origin = self.marks[bisect_right(self.marks, (offset, maxsize)) - 1]
        return origin + offset - start

    def marked(self, start: int, end: int, by: int) -> list[tuple[int, int]]:
        """The marks of a stretch, both its ends included, once it stands `by` further on."""
        first = bisect_right(self.marks, (start, maxsize))
        before, origin = self.marks[first - 1]
        marks = [(start + by, origin + start - before)]
        while first < len(self.marks) and self.marks[first][0] <= end:
            offset, origin = self.marks[first]
            marks.append((offset + by, origin))
            first += 1
        return marks


def views(text: str, holds: Callable[[str], bool]) -> Iterator[View]:
    """The text as it stands, and as it reads with escapes and strings undone.

    Args:
        text: The text.
        holds: Whether a text may hold what is looked for; views without it are left out.
    """
    whole = View(text)
    yield whole
    plain = _undone(whole, _ESCAPE, _unescape) if _ESCAPES.search(text) else None
    if plain is not None:
        yield plain
        twice = _undone(plain, _ESCAPE, _unescape)
        if twice is not None:
            yield twice
    last = plain or whole
    if not QUOTED.search(last.text):
        return
    for pattern, between in ((_JOINT, ""), (_COMMA, "/"), (_QUOTES, ""), (_DETOUR, "")):
        # Where each character comes from is worked out for few texts: it takes ten times as long.
        if holds(pattern.sub(between, last.text)):
            joined = _undone(last, pattern, _always(between))
            if joined is not None:
                yield joined


def escaped_views(text: str) -> Iterator[View]:
    """The text as it stands, and with escapes undone: for a log, whose strings are no code."""
    whole = View(text)
    yield whole
    plain = _undone(whole, _ESCAPE, _unescape)
    if plain is not None:
        yield plain


def decoded(text: str) -> Iterator[tuple[int, str]]:
    """What stands in base64, each with its offset."""
    for match in _BASE64.finditer(text):
        said = _from_base64(match[0])
        if said:
            yield match.start(), said


def _always(text: str) -> Callable[[re.Match[str]], str]:
    return lambda _: text


def _undone(
    view: View, pattern: re.Pattern[str], put: Callable[[re.Match[str]], str]
) -> View | None:
    pieces: list[str] = []
    marks: list[tuple[int, int]] = []
    length = last = 0
    for match in pattern.finditer(view.text):
        marks += view.marked(last, match.start(), length - last)
        pieces += (view.text[last : match.start()], put(match))
        length += len(pieces[-2]) + len(pieces[-1])
        last = match.end()
    if not pieces:
        return None
    marks += view.marked(last, len(view.text), length - last)
    return View("".join(pieces) + view.text[last:], tuple(marks))


def _unescape(match: re.Match[str]) -> str:
    said = match[0]
    if said.startswith("%"):
        return bytes.fromhex(said.replace("%", "")).decode("utf-8", "replace")
    if said.startswith("&#"):
        digits = said[2:-1]
        return _character(int(digits[1:], 16) if digits[0] in "xX" else int(digits))
    if said.startswith("&"):
        return _ENTITIES[said[1:-1]]
    if said[1:2] in ("\r", "\n"):
        return ""
    if said == "\\/":
        return "/"
    return _character(int(said[2:].strip("{}"), 16) if said[1] in "xu" else int(said[1:], 8))


def _character(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _from_base64(blob: str) -> str:
    plain = blob.rstrip("=").translate(_URL_SAFE)
    try:
        data = base64.b64decode(plain[: len(plain) - (len(plain) % 4 == 1)] + "==")
    except binascii.Error:
        return ""
    return data.decode("latin-1") if data.isascii() else data.decode("utf-8", "ignore")
