"""A Jupyter notebook as text: its cells and what they printed, never the pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_OUTPUT_LINES = 20
"""Lines kept of each end of an output."""


def render_notebook(text: str) -> str | None:
    """Render a notebook.

    Args:
        text: The file, JSON.

    Returns:
        Cells in order, each after a line that numbers it; None where it is no notebook.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list):
        return None
    shown = (_cell(number, cell) for number, cell in enumerate(cells, 1) if isinstance(cell, dict))
    return "\n".join(line for lines in shown for line in lines) + "\n"


def _cell(number: int, cell: dict[str, Any]) -> Iterator[str]:
    yield f"# [{number}] {cell.get('cell_type')}"
    yield from _text(cell.get("source")).splitlines()
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        if isinstance(output, dict):
            yield f"# [{number}] output"
            yield from _ends(_output(output).splitlines())


def _output(output: dict[str, Any]) -> str:
    if output.get("output_type") == "error":
        return f"{output.get('ename')}: {output.get('evalue')}"
    if "text" in output:
        return _text(output["text"])
    data = output.get("data")
    if not isinstance(data, dict):
        return ""
    others = sorted(str(name) for name in data if name != "text/plain")
    return "\n".join([_text(data.get("text/plain")), *(f"({name} not shown)" for name in others)])


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _ends(lines: list[str]) -> list[str]:
    left_out = len(lines) - 2 * _OUTPUT_LINES
    if left_out <= 0:
        return lines
    mark = f"({left_out} lines of output not shown)"
    return [*lines[:_OUTPUT_LINES], mark, *lines[-_OUTPUT_LINES:]]
