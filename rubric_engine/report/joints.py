"""Texts without what only stands between the parts of a word: keys hide in pieces as well.

A joint is hard where the parts are one text to whoever runs or copies it: characters that nobody
sees, and strings that a program puts together. It is soft where that is a guess: the end of a line,
strings side by side.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

UNSEEN = (
    rb"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|\x1b(?:\[[0-9;]{0,20}[A-Za-z])?"
    rb"|\xc2\xad|\xcd\x8f|\xe1\xa0\x8e|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]"
    rb"|\xef\xb8[\x80-\x8f]|\xef\xbb\xbf|\xf3\xa0[\x80-\x81][\x80-\xbf]"
)
"""Controls, colours of a terminal, soft hyphens, characters of no width, marks of direction."""

_GAP = rb"[ \t\r\n]{0,40}"
_QUOTE = rb"\\?[\"'`]"
_BEGINS = rb"[bfrBFRuU]{0,2}" + _QUOTE

PUT_TOGETHER = (
    _QUOTE
    + _GAP
    + rb"(?:\+|\.{1,2}|&|\|\||~|\\\r?\n|\.concat\()"
    + _GAP
    + _BEGINS
    + rb"|\\\r?\n[ \t]{0,40}"
)
_SIDE_BY_SIDE = _QUOTE + _GAP + rb"(?:," + _GAP + rb")?" + _BEGINS
_LINE_ENDS = rb"(?: ?\|)?\r?\n[ \t]*(?:(?:#|//|>|\*|\||\+|-)[ \t]+|\+)?"

_HARD = re.compile(UNSEEN + rb"|" + PUT_TOGETHER)
_ALL_HARD = re.compile(rb"(?:" + _HARD.pattern + rb")*")
_ANY = re.compile(UNSEEN + rb"|" + PUT_TOGETHER + rb"|" + _SIDE_BY_SIDE + rb"|" + _LINE_ENDS)


@dataclass(frozen=True)
class Joined:
    """A text without its joints.

    Attributes:
        data: The text.
        starts: Where each part of it starts there.
        origins: Where it starts in the text that it was made of.
    """

    data: bytes
    starts: list[int]
    origins: list[int]

    def parts(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The bounds of a place in the text that it was made of, part by part."""
        at = bisect_right(self.starts, start) - 1
        while start < end:
            stop = self.starts[at + 1] if at + 1 < len(self.starts) else len(self.data)
            offset = self.origins[at] - self.starts[at]
            if stop > start:
                yield start + offset, min(stop, end) + offset
            start, at = max(start, stop), at + 1


def joined(data: bytes, *, soft: bool = False) -> Joined:
    """A text without its joints.

    Args:
        data: The text.
        soft: Whether soft joints go as well.
    """
    pieces, starts, origins = [], [], []
    done = size = 0
    for joint in (_ANY if soft else _HARD).finditer(data):
        pieces.append(data[done : joint.start()])
        starts.append(size)
        origins.append(done)
        size += joint.start() - done
        done = joint.end()
    return Joined(b"".join([*pieces, data[done:]]), [*starts, size], [*origins, done])


def is_hard(between: bytes) -> bool:
    """Whether a joint is hard."""
    return _ALL_HARD.fullmatch(between) is not None
