"""Regular expressions, on every Python that we support."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import rubric_engine

_POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d+(?:,\d*)?\})\+")


def test_no_group_is_repeated_possessively() -> None:
    """Before Python 3.11.5 such a group lost what it had matched; a set in brackets never did."""
    package = Path(rubric_engine.__file__).parent
    found = [
        f"{path.relative_to(package)}:{node.lineno} {node.value}"
        for path in sorted(package.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if _POSSESSIVE_GROUP.search(node.value)
    ]
    assert found == []
