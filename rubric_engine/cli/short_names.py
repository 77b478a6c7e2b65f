"""Names for narrow tables: escaped, cut, and still told apart."""

from __future__ import annotations

from collections.abc import Iterable

from rubric_engine.cli.output import printable


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


def _cut(text: str, width: int) -> str:
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…"
