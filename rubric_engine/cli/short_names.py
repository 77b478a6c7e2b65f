"""Names for narrow tables: escaped, cut, and still told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rubric_engine.cli.output import printable
from rubric_engine.judgeeval.naming import quoted

LONGEST = 300
"""Columns that a name may take where it is said in full."""


def short_names(texts: Iterable[str], width: int) -> dict[str, str]:
    """What a table shows for each text; no two texts look the same.

    Args:
        texts: Untrusted names.
        width: Columns of the terminal that one may take.
    """
    shown: dict[str, str] = {}
    used: set[str] = set()
    for text in dict.fromkeys(texts):
        safe = printable(text)
        short, number = _cut(safe, width), 2
        while short in used:
            mark = f" #{number}"
            short, number = _cut(safe, width - len(mark)) + mark, number + 1
        used.add(short)
        shown[text] = short
    return shown


def in_full(shown: Mapping[str, str]) -> Iterator[str]:
    """Lines that say which name is which, for those that a table shows cut or numbered.

    Args:
        shown: What the table shows for each text, as `short_names` gives it.
    """
    full = short_names(shown, LONGEST)
    for text, short in shown.items():
        if short != full[text]:
            yield f"{short}: {full[text]}"


def listed(names: Iterable[str], most: int | None = None) -> str:
    """Names in a row, escaped; one that holds a comma or a blank at an end is quoted.

    Args:
        names: Untrusted names.
        most: How many are named; of the others only their number is.
    """
    texts = [quoted(printable(name)) for name in names]
    if most is None or len(texts) <= most:
        return ", ".join(texts)
    return f"{', '.join(texts[:most])} and {len(texts) - most:,} more"


def _cut(text: str, width: int) -> str:
    """Cut the middle out: what tells names apart stands at their ends."""
    from rich.cells import cell_len

    if cell_len(text) <= width:
        return text
    tail = _within(text[::-1], width // 2)[::-1]
    return f"{_within(text, width - 1 - cell_len(tail))}…{tail}"


def _within(text: str, width: int) -> str:
    """As much of the start of a text as fits."""
    from rich.cells import cell_len

    room, kept = width, 0
    for char in text:
        room -= cell_len(char)
        if room < 0:
            break
        kept += 1
    return text[:kept]
