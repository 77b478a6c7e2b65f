"""Lines that fit a terminal: broken between words, and indented where they go on."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from typing import TextIO

_LABEL = re.compile(r" *\S+(?: \S+)? {2,}|[-!*~$] ")
_GAP = re.compile(r"( {3,})")
_WORD = re.compile(r" *\S+")


def fitted(text: str, stream: TextIO) -> str:
    """The text as it is for a program; for a terminal, with lines that fit it."""
    if not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(part for line in text.split("\n") for part in wrapped(line, width))


def wrapped(line: str, width: int) -> Iterator[str]:
    """Break a line between words.

    What three blanks set apart stays together where it can. A word that is longer than a line is
    left whole, so that it can be copied.

    Args:
        line: One line; a label at its start, which blanks follow, or the mark of a
            footnote keeps a column of its own.
        width: Columns of the terminal.
    """
    if _cells(line) <= width:
        yield line
        return
    label = _LABEL.match(line)
    hang = label.end() if label is not None and label.end() <= width // 3 else _indent(line)
    now, empty = line[:hang], True
    for piece in _pieces(line[hang:], width - hang):
        if not empty and _cells(now) + _cells(piece) > width:
            yield now.rstrip()
            now, piece = " " * hang, piece.lstrip()
        now, empty = now + piece, False
    yield now.rstrip()


def _pieces(text: str, room: int) -> Iterator[str]:
    """What is not to be broken, each with the blanks before it."""
    gap = ""
    for part in _GAP.split(text):
        if _GAP.fullmatch(part):
            gap = part
        elif _cells(part) <= room:
            yield gap + part
        else:
            words = _WORD.findall(part)
            yield from (gap + word if at == 0 else word for at, word in enumerate(words))


def _cells(text: str) -> int:
    """Columns that a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
