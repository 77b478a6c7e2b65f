"""A rubric as YAML text for people: block style, long texts folded; no recursion over the tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rubric_engine.rubric_file.yaml_scalars import NotYamlError, flow, in_block, key_text

_WIDTH = 96


def yaml_of(
    header: dict[str, Any] | None, nodes: Iterable[tuple[int, dict[str, Any]]]
) -> str | None:
    """Write the text.

    Args:
        header: Keys above the tree, or None where the root is the outermost value.
        nodes: Level (the root's is 1) and keys of each criterion, in document order.

    Returns:
        The text, or None where YAML cannot hold it.
    """
    try:
        return "\n".join(_lines(header, nodes)) + "\n"
    except NotYamlError:
        return None


def _lines(
    header: dict[str, Any] | None, nodes: Iterable[tuple[int, dict[str, Any]]]
) -> Iterator[str]:
    base = 0
    if header is not None:
        yield from _mapping(header, 0)
        yield "root:"
        base = 2
    level = 0
    for depth, fields in nodes:
        indent = base + 4 * (depth - 1)
        if depth > level and level:
            yield " " * (indent - 4) + "sub_tasks:"
        lines = _mapping(fields, indent)
        if depth > 1:
            # The dash of a list item stands in the first key's own indentation.
            yield " " * (indent - 2) + "- " + next(lines)[indent:]
        yield from lines
        level = depth


def _mapping(values: dict[str, Any], indent: int) -> Iterator[str]:
    for key, value in values.items():
        yield from _item(f"{' ' * indent}{key_text(key)}:", value, indent + 2)


def _item(start: str, value: Any, indent: int) -> Iterator[str]:
    """A value behind its key or dash: in the same line where it fits, else below."""
    if isinstance(value, str):
        first, *rest = in_block(value, " " * indent)
        yield f"{start} {first}"
        yield from rest
        return
    short = flow(value)
    if not value or not isinstance(value, dict | list) or len(start) + len(short) < _WIDTH:
        yield f"{start} {short}"
    elif isinstance(value, dict):
        yield start
        yield from _mapping(value, indent)
    else:
        yield start
        for item in value:
            yield from _list_item(item, indent)


def _list_item(item: Any, indent: int) -> Iterator[str]:
    dash = " " * indent + "-"
    lines = _item(dash, item, indent + 2)
    first = next(lines)
    # A mapping below its dash begins beside it.
    yield f"{dash} {next(lines).lstrip()}" if first == dash and isinstance(item, dict) else first
    yield from lines
