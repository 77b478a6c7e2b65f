"""A long text in parts that fit into a prompt, each with the number of its first line. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from rubric_engine.tokens import estimate_tokens

_PIECE = 400
"""Characters of a line that are taken at once: three tokens each fit into the smallest part."""

_NUMBER = 4
"""Tokens of a line's number."""


@dataclass(frozen=True)
class Chunk:
    """A part of a text, by its place: the text itself is held once.

    Attributes:
        start: Offset of its first character.
        end: Offset behind its last one.
        line: Number of the line that it begins in, from 1.
    """

    start: int
    end: int
    line: int

    def numbered(self, text: str) -> str:
        """What stands there, each line with its number."""
        lines = text[self.start : self.end].split("\n")
        return "\n".join(f"{self.line + at}: {line}" for at, line in enumerate(lines))


def chunks(text: str, tokens: int, overlap: int) -> Iterator[Chunk]:
    """Cut a text at ends of lines; a line that is too long is cut within.

    Args:
        text: The text.
        tokens: Estimated tokens of a part, at most.
        overlap: Tokens that a part has of the one before, at most.
    """
    held: deque[tuple[Chunk, int]] = deque()
    total = 0
    for piece in _pieces(text):
        cost = estimate_tokens(text[piece.start : piece.end]) + _NUMBER
        if held and total + cost > tokens:
            yield _joined(held)
            while held and (total > overlap or total + cost > tokens):
                total -= held.popleft()[1]
        held.append((piece, cost))
        total += cost
    if held:
        yield _joined(held)


def _joined(held: deque[tuple[Chunk, int]]) -> Chunk:
    first, last = held[0][0], held[-1][0]
    return Chunk(first.start, last.end, first.line)


def _pieces(text: str) -> Iterator[Chunk]:
    """Lines, and parts of long ones, in order."""
    start, line = 0, 1
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        for begin in range(start, max(end, start + 1), _PIECE):
            yield Chunk(begin, min(begin + _PIECE, end), line)
        start, line = end + 1, line + 1
