"""How things are printed: escaped, 80 columns wide, and colour never the only sign."""

from __future__ import annotations

import json
import sys
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from rubric_engine.grading import Score

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


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
    if unicodedata.category(char) in _HIDDEN:
        return f"\\u{{{ord(char):x}}}"
    return char


def print_json(value: dict[str, Any]) -> None:
    """Print the one JSON document of a command to stdout."""
    sys.stdout.write(json.dumps(value, indent=1) + "\n")


def console() -> Console:
    """A console on stdout, without markup, so that text is always text."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=False)


def note(text: str) -> None:
    """Print a line to stderr."""
    sys.stderr.write(f"{text}\n")


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
    if wide is not None:
        grid.expand = True
    return grid


def percent(value: float | None) -> str:
    """A share as a percentage with one decimal, or a dash."""
    return "-" if value is None else f"{100 * value:.1f}%"


def span(score: Score) -> str:
    """A score as one percentage, or as its range where leaves are open."""
    if score.low == score.high:
        return percent(score.low)
    return f"{percent(score.low)[:-1]}-{percent(score.high)}"


def points(value: float) -> str:
    """Points of 100 with one decimal; what is too small to show says so."""
    return "<0.1" if 0 < value < 0.05 else f"{value:.1f}"
