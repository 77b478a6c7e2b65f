"""Whether an answer has the form that its task asks for, and what it then is. Pure."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rubric_engine.benchmarks.tasksets.numerals import number_of
from rubric_engine.benchmarks.tasksets.schema_lite import deviations, is_schema, keys_of
from rubric_engine.benchmarks.tasksets.task import ExpectedOutput, Form
from rubric_engine.python_text import parsed

MOST_BYTES = 200_000
"""Bytes of an answer that is judged; a longer one is malformed."""

_FENCE = "```"
_AROUND = " \t*_`$=\u3002:"
"""What may stand around a number: marks of Markdown and of the end of a sentence."""

_ITEM = re.compile(r"^\s*(?:[-*\u2022\u00b7]|\(?\d{1,3}[.)\u3001\uff0e])\s*(\S.*)$")
_RULE = re.compile(r":?-+:?")
_PYTHON = frozenset({"python", "python3", "py"})


class Malformed(Exception):  # noqa: N818  # no error of ours: how an answer is
    """An answer has not the form that is due; says why."""


@dataclass(frozen=True)
class Formed:
    """An answer, seen by the form that is due.

    Attributes:
        reason: Why it is malformed; None where it is well-formed.
        value: The thing itself: plain JSON values, a number, rows of a table, source text.
    """

    reason: str | None = None
    value: Any = None


def formed(text: str, expected: ExpectedOutput) -> Formed:
    """See an answer by the form that is due.

    Args:
        text: The answer as it came.
        expected: What is due.
    """
    try:
        _bounded(text)
        value = _READERS[expected.type](text, expected.structure)
    except Malformed as wrong:
        return Formed(str(wrong))
    missing = _deviation(value, expected)
    return Formed(missing, value)


def _bounded(text: str) -> None:
    if not text.strip():
        raise Malformed("the answer is empty")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise Malformed(f"the answer has {size:,} bytes; {MOST_BYTES:,} are read at most")


def _deviation(value: Any, expected: ExpectedOutput) -> str | None:
    """The first way in which a value is not of the structure that is due."""
    kind, structure = expected.type, expected.structure
    if kind in ("json", "list", "number") and is_schema(structure):
        return next(deviations(value, structure), None)
    names = keys_of(structure)
    if kind == "json" and names:
        if not isinstance(value, dict):
            return f"an object with the keys {_listed(names)} is due"
        return _lacks("key", [name for name in names if name not in value])
    if kind in ("table", "csv") and names:
        header = [cell.strip().casefold() for cell in value[0]]
        return _lacks("column", [name for name in names if name.strip().casefold() not in header])
    if kind == "text" and names:
        low = value.casefold()
        return _lacks("section", [name for name in names if name.casefold() not in low])
    return None


def _lacks(what: str, names: list[str]) -> str | None:
    return f"the {what} {_listed(names)} is missing" if names else None


def _listed(names: Any) -> str:
    return ", ".join(map(repr, names))


def _text(text: str, _: Any) -> str:
    return text


def fenced(text: str) -> list[tuple[str, str]]:
    """Language and content of each fenced block of a text; one that is not closed is none."""
    blocks: list[tuple[str, str]] = []
    opened: tuple[str, int] | None = None
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        bare = line.strip()
        if not bare.startswith(_FENCE):
            continue
        if opened is None:
            words = bare.removeprefix(_FENCE).split()
            opened = (words[0].lower() if words else "", at + 1)
        elif bare == _FENCE:
            blocks.append((opened[0], "".join(lines[opened[1] : at])))
            opened = None
    return blocks


def _inner(text: str) -> str:
    """The only fenced block where there is one, else the text."""
    blocks = fenced(text)
    return blocks[0][1] if len(blocks) == 1 else text


def _json(text: str, _: Any) -> Any:
    return read_json(_inner(text))


def read_json(text: str) -> Any:
    """Read JSON, and nothing that only looks like it.

    Raises:
        Malformed: It is none.
    """

    def no_number(word: str) -> Any:
        raise Malformed(f"no JSON: it holds {word}")

    try:
        return json.loads(text, parse_constant=no_number)
    except json.JSONDecodeError as error:
        raise Malformed(f"no JSON: {error.msg} (line {error.lineno})") from None
    except (RecursionError, ValueError):
        raise Malformed("no JSON that can be read: too deep, or a number too long") from None


def _number(text: str, _: Any) -> float:
    """The whole text, or its last line, as one number."""
    lines = [line for line in _inner(text).splitlines() if line.strip()]
    value = number_of(lines[-1].lstrip(_AROUND).rstrip(f"{_AROUND}.")) if lines else None
    if value is None:
        raise Malformed("no number: the answer, or its last line, is to be one number")
    if math.isinf(value):
        raise Malformed("no number: it is too large")
    return value


def _list(text: str, _: Any) -> list[Any]:
    inner = _inner(text).strip()
    if inner.startswith("["):
        found = read_json(inner)
        return found if isinstance(found, list) else []
    items = [match[1].strip() for line in inner.splitlines() if (match := _ITEM.match(line))]
    if not items:
        raise Malformed("no list: its items are to stand on lines that begin with - or a number")
    return items


def _table(text: str, structure: Any) -> list[list[str]]:
    """A table in Markdown, or CSV."""
    lines = text.splitlines()
    for at, line in enumerate(lines[1:], 1):
        if "|" in lines[at - 1] and all(map(_RULE.fullmatch, _cells(line))):
            rows = [_cells(lines[at - 1])]
            for row in lines[at + 1 :]:
                if "|" not in row:
                    break
                rows.append(_cells(row))
            return _rectangular(rows)
    return _csv(text, structure)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _csv(text: str, _: Any) -> list[list[str]]:
    try:
        reader = csv.reader(io.StringIO(_inner(text).strip("\n"), newline=""), strict=True)
        rows = [row for row in reader if row]
    except csv.Error as error:
        raise Malformed(f"no CSV: {error}") from None
    return _rectangular(rows)


def _rectangular(rows: list[list[str]]) -> list[list[str]]:
    if len(rows) < 2:
        raise Malformed("no table: a header and at least one row are due")
    if len(rows[0]) < 2:
        raise Malformed("no table: it has a single column")
    odd = next((at for at, row in enumerate(rows) if len(row) != len(rows[0])), None)
    if odd is not None:
        raise Malformed(f"row {odd} has {len(rows[odd])} cells, the header has {len(rows[0])}")
    return rows


def language(structure: Any) -> str:
    """The language that a structure names, in lower case; empty where it names none."""
    named = structure.get("language") if isinstance(structure, Mapping) else structure
    return named.strip().lower() if isinstance(named, str) else ""


def _code(text: str, structure: Any) -> str:
    """The fenced blocks put together, or a text without any; Python must parse."""
    blocks = fenced(text)
    source = "\n".join(content for _, content in blocks) if blocks else text
    named = language(structure) or (blocks[0][0] if blocks else "")
    if named in _PYTHON:
        try:
            parsed(source)
        except SyntaxError as error:
            raise Malformed(f"no Python: {error.msg} (line {error.lineno})") from None
        except (ValueError, RecursionError, MemoryError):
            raise Malformed("no Python that can be read") from None
    return source


_READERS: Mapping[Form, Callable[[str, Any], Any]] = MappingProxyType(
    {
        "text": _text,
        "json": _json,
        "number": _number,
        "list": _list,
        "table": _table,
        "csv": _csv,
        "code": _code,
    }
)


def is_python(expected: ExpectedOutput) -> bool:
    """Whether Python is due."""
    return expected.type == "code" and language(expected.structure) in _PYTHON
