"""Answers written as a list of labelled lines, such as ``2. **Score**: 1``."""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic import BaseModel

_LABEL = re.compile(
    r"""^[ \t]*(?:(?:[-*+>]|\#{1,6}|\d{1,3}[.)])[ \t]+)*   # list marks
        [*_`"]{0,3}(?P<name>[A-Za-z][\w \-]{0,60}?)[*_`"]{0,3}
        [ \t]*[:=\uff1a](?![=/])[*_`]{0,3}[ \t]*(?P<value>.*)$""",
    re.VERBOSE,
)
# A verdict by its label at the start of a line, or by its key in quotes anywhere.
_STATED = (
    r"""(?:^[ \t>*#_`\-+\d.)]*|["'\u201c]){name}["'\u201d*_`]*"""
    r"""\s*[:=\uff1a]\s*["'*_`]*(?P<value>[\w.+-]*\w)"""
)
_FENCE = re.compile(r"^\s*```.*$")
_WORDS = {"true": True, "yes": True, "false": False, "no": False}


def labelled_values(text: str, schema: type[BaseModel]) -> dict[str, Any] | None:
    """Read lines that name the schema's fields, or return None where they say it not plainly.

    A text may run over several lines. Anything else stands on the line of its label, alone: a
    number with words after it may mean less than it seems to.
    """
    names = {_plain(name): name for name in schema.model_fields}
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in text.splitlines():
        if _FENCE.match(line):
            continue
        label = _LABEL.match(line)
        name = names.get(_plain(label["name"])) if label else None
        if label and name:
            if name in found:
                return None
            current = found[name] = [label["value"]]
        elif current is not None:
            current.append(line)
    return {name: _value(lines, schema, name) for name, lines in found.items()} or None


def contradiction(text: str, values: dict[str, Any], schema: type[BaseModel]) -> str | None:
    """Return what words beside an object say of a verdict in it, where that is another one.

    Texts and lists are left alone: people introduce an object by a heading of the same name.
    """
    for name, field in schema.model_fields.items():
        if field.annotation not in (bool, int, float):
            continue
        for said in re.finditer(_STATED.format(name=re.escape(name)), text, re.MULTILINE | re.I):
            value = _judged(said["value"].lower())
            if value is not None and value != values[name]:
                return said[0].strip()
    return None


def _judged(word: str) -> bool | float | None:
    try:
        return float(word)
    except ValueError:
        return {**_WORDS, "met": True, "not": False, "unmet": False}.get(word)


def _value(lines: list[str], schema: type[BaseModel], name: str) -> Any:
    text = "\n".join(lines).strip()
    if schema.model_fields[name].annotation is str:
        return text
    bare = text.strip("*_` \t")
    if schema.model_fields[name].annotation is bool:
        return _WORDS.get(bare.lower(), bare)
    try:
        return json.loads(bare)
    except (ValueError, RecursionError):
        return bare


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "_", name.strip().casefold())
