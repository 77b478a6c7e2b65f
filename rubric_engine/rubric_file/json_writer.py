"""A rubric as JSON text, one key a line. Nothing recurses over the tree."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

_STEP = "  "
_DEEPEST_INDENT = 40


def json_of(header: dict[str, Any] | None, nodes: Iterable[tuple[int, dict[str, Any]]]) -> str:
    """Write the text.

    Args:
        header: Keys above the tree, or None where the root is the outermost value.
        nodes: Level (the root's is 1) and keys of each criterion, in document order.
    """
    pieces: list[str] = []
    base = 0
    if header is not None:
        base = 1
        above = "".join(f"{_STEP}{json.dumps(k)}: {json.dumps(v)},\n" for k, v in header.items())
        pieces.append("{\n" + above + _STEP + '"root": ')
    level = 0
    for depth, fields in nodes:
        outer, inner = _indent(2 * depth - 2 + base), _indent(2 * depth - 1 + base)
        if depth <= level:
            pieces.append(_closed(range(level, depth - 1, -1), base) + f",\n{outer}")
        elif level:
            pieces.append(f"\n{outer}")
        lines = (f"{inner}{json.dumps(key)}: {json.dumps(item)}" for key, item in fields.items())
        pieces.append("{\n" + ",\n".join(lines) + f',\n{inner}"sub_tasks": [')
        level = depth
    pieces.append(_closed(range(level, 0, -1), base))
    return "".join(pieces) + ("\n}\n" if header is not None else "\n")


def _closed(levels: Iterable[int], base: int) -> str:
    """The ends of a criterion without sub-tasks and of those above it, innermost first."""
    ends: list[str] = []
    for level in levels:
        if ends:
            ends.append("\n" + _indent(2 * level - 1 + base))
        ends.append(f"]\n{_indent(2 * level - 2 + base)}}}")
    return "".join(ends)


def _indent(steps: int) -> str:
    # Capped: the text of a very deep tree would grow with the square of its depth.
    return _STEP * min(steps, _DEEPEST_INDENT)
