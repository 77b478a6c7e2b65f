"""How things are printed: escaped, 80 columns wide, and colour never the only sign.

Everything for stdout goes through this module. A reader that leaves early, as `head` does, ends
the output and nothing else: the exit code stays what it was.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.wrapping import fitted
from rubric_engine.errors import StorageError
from rubric_engine.figures import percent, points, span
from rubric_engine.visible import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = [
    "counted",
    "fill",
    "leaves",
    "note",
    "percent",
    "points",
    "print_json",
    "printable",
    "put",
    "room_beside",
    "say",
    "show",
    "silence",
    "span",
    "table",
]


def printable(text: str, limit: int | None = None) -> str:
    """Make untrusted text safe for a terminal: one line, no controls, no hidden characters.

    Args:
        text: Any text, surrogates included.
        limit: Cut to so many characters, with an ellipsis.
    """
    if limit is not None and len(text) > limit:
        text = text[: limit - 1] + "…"
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(char) for char in text)


def _visible(char: str) -> str:
    if char == "\n":
        return "\\n"
    if char == "\t":
        return " "
    return visible(char)


def say(*lines: str) -> None:
    """Print lines to stdout; on a terminal, broken between words where they are too long.

    Raises:
        StorageError: It cannot be written.
    """
    put("".join(f"{fitted(line, sys.stdout)}\n" for line in lines))


def put(text: str) -> None:
    """Write text to stdout as it is.

    Raises:
        StorageError: It cannot be written.
    """
    with _writing():
        sys.stdout.write(text)
        sys.stdout.flush()


def print_json(value: dict[str, Any]) -> None:
    """Print the one JSON document of a command to stdout."""
    put(json.dumps(value, indent=1, allow_nan=False) + "\n")


def note(text: str) -> None:
    """Print a line to stderr, if there is anybody to read it."""
    with suppress(OSError):
        sys.stderr.write(f"{fitted(text, sys.stderr)}\n")


def show(*parts: str | Table) -> None:
    """Print lines and tables to stdout; text is always text, never markup."""
    with _console() as out:
        for part in parts:
            if isinstance(part, str):
                out.print(fitted(part, sys.stdout), soft_wrap=True)
            else:
                # A table that is wider than the terminal runs over; cut figures would lie.
                out.print(part, width=max(out.width, _needed(part)), crop=False)


@contextmanager
def _console() -> Iterator[Console]:
    """A console whose output reaches stdout in one piece."""
    from rich.console import Console

    text = StringIO()
    out = Console(file=text, highlight=False, markup=False, emoji=False)
    yield out
    put("\n".join(line.rstrip(" ") for line in text.getvalue().split("\n")))


@contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        silence()
    except OSError as error:
        silence()
        why = error.strerror or str(error)
        raise StorageError(f"the output cannot be written: {why}", code="E904") from None


def silence() -> None:
    """Send what is still to be printed nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def table(*columns: str, wide: str | None = None) -> Table:
    """A plain table: numbers right-aligned and never cut, one wide column that may be.

    Args:
        *columns: Headers; those that start with ``<`` are left-aligned.
        wide: Header of the text column that gives way where the terminal is narrow.
    """
    from rich import box
    from rich.table import Table

    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    for name in columns:
        header = name.removeprefix("<")
        left = name.startswith("<")
        if header == wide:
            grid.add_column(header, ratio=1, overflow="ellipsis", no_wrap=True)
        else:
            grid.add_column(header, justify="left" if left else "right", no_wrap=True)
    grid.expand = wide is not None
    return grid


def fill(grid: Table, rows: Iterable[Iterable[str]], *, wide: int | None = None) -> Table:
    """Add rows; every column but the wide one is as wide as its longest cell, whatever the width.

    Args:
        grid: The table.
        rows: Cells, as text.
        wide: Index of the column that gives way.
    """
    from rich.cells import cell_len

    cells = [list(row) for row in rows]
    for index, column in enumerate(grid.columns):
        if index != wide:
            texts = [*str(column.header).split("\n"), *(row[index] for row in cells)]
            column.min_width = max(map(cell_len, texts))
    for row in cells:
        grid.add_row(*row)
    return grid


def room_beside(grid: Table, width: int = 80) -> int:
    """Columns that a table's other columns leave for the first one.

    Args:
        grid: A table with its rows.
        width: Columns that the whole may take.
    """
    return width - _needed(grid) + (grid.columns[0].min_width or 0)


def _needed(grid: Table) -> int:
    """Columns of the terminal below which a table would lose figures."""
    widths = [column.min_width or _LEAST for column in grid.columns]
    return sum(widths) + 2 * (len(widths) - 1)


_LEAST = 12
"""Columns that the text of a wide column keeps."""


def counted(number: float, word: str) -> str:
    """A number of things, such as `1 call` or `2,000 calls`.

    Args:
        number: How many.
        word: The thing, as one.
    """
    return f"{number:,.0f} {word}" if number == 1 else f"{number:,.0f} {word}s"


def leaves(number: int) -> str:
    """A number of leaves, in words."""
    return f"{number} leaf" if number == 1 else f"{number} leaves"
