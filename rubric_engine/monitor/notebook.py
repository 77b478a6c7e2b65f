"""The code of a notebook, and of what is typed in one: Python, and lines for a shell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r'("[^"\\]*+(?:\\.[^"\\]*+)*")(\s*+:)?|[][{}]')
"""Strings of JSON, keys with their colon, and brackets: linear in a text that parses."""

_ROW = re.compile(r"[^\n]*\n|[^\n]+")
_CELL = 3
"""How many brackets are open within a cell: the notebook's, the list's, its own."""


@dataclass(frozen=True)
class Cell:
    """A code cell of a notebook.

    Attributes:
        code: Its code.
        lines: Where each line of the code stands in the notebook's file, from 1.
    """

    code: str
    lines: tuple[int, ...]

    def line(self, number: int) -> int:
        """The line of the file where a line of the code stands, both from 1."""
        return self.lines[min(number, len(self.lines)) - 1]


def cells_of(text: str) -> list[Cell]:
    """The code cells of a notebook's file; none where it does not parse."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return []
    cells, at, line = list[Cell](), 0, 1
    pieces: list[tuple[str, int]] = []
    for start, piece in _pieces(text):
        if piece is None:
            if any(said for said, _ in pieces):
                cells.append(_joined(pieces))
            pieces = []
        else:
            line += text.count("\n", at, start)
            at = start
            pieces.append((piece, line))
    return cells


def _pieces(text: str) -> Iterator[tuple[int, str | None]]:
    """The strings that code is made of, each with its offset, and None at the end of a cell."""
    depth, keys, is_code = 0, [""] * 5, False
    found: list[tuple[int, str]] = []
    for match in _TOKEN.finditer(text):
        sign, key = match[0], match[2] is not None
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
            if depth == _CELL - 1 and keys[1] == "cells":
                yield from found if is_code else ()
                yield match.start(), None
                found, is_code = [], False
        elif key and depth < len(keys):
            keys[depth] = json.loads(match[1])
        elif keys[1] == "cells" and keys[_CELL] == "cell_type" and depth == _CELL:
            is_code = json.loads(sign) == "code"
        elif keys[1] == "cells" and keys[_CELL] == "source" and depth in (_CELL, _CELL + 1):
            found.append((match.start(), json.loads(sign)))


def _joined(pieces: list[tuple[str, int]]) -> Cell:
    lines: list[int] = []
    begun = False
    for piece, line in pieces:
        for row in _ROW.findall(piece):
            if not begun:
                lines.append(line)
            begun = not row.endswith("\n")
    return Cell("".join(piece for piece, _ in pieces), tuple(lines))


def shell_lines(code: str) -> Iterator[tuple[int, str]]:
    """Lines of a cell that a shell runs (`!cmd`, `%pip`, `%%bash`), with their numbers."""
    lines = code.split("\n")
    if lines and lines[0].lstrip().startswith(("%%bash", "%%sh", "%%script")):
        yield 2, "\n".join(lines[1:])
        return
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        at = bare.find("= !") + 2 if "= !" in bare else 0
        if bare[at : at + 1] in ("!", "%"):
            yield number, bare[at:].lstrip("!%")


def without_shell(code: str) -> str:
    """A cell without the lines that a shell runs, so that it parses as Python."""
    if code.lstrip().startswith("%%"):
        return ""
    kept = ("" if line.lstrip()[:1] in ("!", "%", "?") else line for line in code.split("\n"))
    return "\n".join(kept)
