"""The code of a notebook, and of what is typed in one: Python, and lines for a shell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def code_of(text: str) -> list[str]:
    """The code cells of a notebook; none where it is no notebook that parses."""
    try:
        cells = json.loads(text).get("cells")
    except (ValueError, RecursionError, AttributeError):
        return []
    return [code for cell in cells or () if (code := _source(cell))] if _is_list(cells) else []


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


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _source(cell: Any) -> str:
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return ""
    source = cell.get("source")
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""
