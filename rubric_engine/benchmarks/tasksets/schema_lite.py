"""The part of JSON Schema that sets of tasks use, told apart from what they do not. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from rubric_engine.near import near

MOST = 20
"""Most deviations that are told of one value."""

_TYPES: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {
        "object": (dict,),
        "array": (list,),
        "string": (str,),
        "number": (int, float),
        "integer": (int,),
        "boolean": (bool,),
        "null": (type(None),),
    }
)
_COUNTS = ("minItems", "maxItems", "minLength", "maxLength")
_BOUNDS = ("minimum", "maximum")
_SILENT = ("title", "description", "examples", "$schema")
KEYWORDS = (
    "type", "properties", "required", "additionalProperties", "items", "enum",
    *_COUNTS, *_BOUNDS, *_SILENT,
)  # fmt: skip


def is_schema(structure: Any) -> bool:
    """Whether a mapping is a schema, and no mapping of names to words about them."""
    if not isinstance(structure, Mapping):
        return False
    kind = structure.get("type")
    return (
        kind in _TYPES
        or isinstance(kind, list)
        or any(
            isinstance(structure.get(name), due)
            for name, due in (("properties", dict), ("items", dict), ("enum", list))
        )
        or any(isinstance(structure.get(name), int | float) for name in (*_COUNTS, *_BOUNDS))
    )


def flaws(schema: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """What is wrong with a schema: where in it, and what."""
    if not isinstance(schema, Mapping):
        yield where, "a schema is a mapping"
        return
    for key in schema:
        if key not in KEYWORDS:
            meant = near(str(key), KEYWORDS) or f"known: {', '.join(KEYWORDS)}"
            yield (*where, key), f"unknown keyword {key!r}; {meant}"
    for key, holds, due in _DUE:
        if key in schema and not holds(schema[key]):
            yield (*where, key), f"{key} must be {due}"
    properties = schema.get("properties")
    for name, inner in properties.items() if isinstance(properties, Mapping) else ():
        yield from flaws(inner, (*where, "properties", name))
    if "items" in schema:
        yield from flaws(schema["items"], (*where, "items"))


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_type(value: Any) -> bool:
    names = value if isinstance(value, list) and value else [value]
    return all(isinstance(each, str) and each in _TYPES for each in names)


_DUE: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("type", _is_type, f"one or several of {', '.join(_TYPES)}"),
    ("properties", lambda value: isinstance(value, Mapping), "a mapping of names to schemas"),
    ("required", _is_texts, "a list of names"),
    ("additionalProperties", lambda value: isinstance(value, bool), "true or false"),
    ("enum", lambda value: isinstance(value, list) and bool(value), "a list of values"),
    *((name, _is_count, "a whole number, 0 or more") for name in _COUNTS),
    *((name, _is_number, "a number") for name in _BOUNDS),
)


def deviations(value: Any, schema: Mapping[str, Any], where: str = "$") -> Iterator[str]:
    """How a value deviates from a schema without flaws, one sentence each.

    Args:
        value: Plain JSON values, not deeper than a parser goes.
        schema: The schema.
        where: What sentences call the value.
    """
    kinds = schema.get("type")
    if kinds is not None and not _is_one_of(value, kinds if isinstance(kinds, list) else [kinds]):
        yield f"{where} is {_kind(value)}, and {_or(kinds)} is due"
        return
    if "enum" in schema and not any(_same(value, each) for each in schema["enum"]):
        yield f"{where} is none of the values that are allowed"
    yield from _sizes(value, schema, where)
    if isinstance(value, dict):
        yield from _of_object(value, schema, where)
    if isinstance(value, list) and "items" in schema:
        for at, item in enumerate(value):
            yield from deviations(item, schema["items"], f"{where}[{at}]")


def _of_object(value: dict[str, Any], schema: Mapping[str, Any], where: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{where} lacks {name!r}"
    for name, item in value.items():
        if name in properties:
            yield from deviations(item, properties[name], f"{where}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{where} has {name!r}, which is not allowed"


def _sizes(value: Any, schema: Mapping[str, Any], where: str) -> Iterator[str]:
    if isinstance(value, list | str):
        noun = "Items" if isinstance(value, list) else "Length"
        least, most = schema.get(f"min{noun}", 0), schema.get(f"max{noun}")
        if len(value) < least or (most is not None and len(value) > most):
            limit = f"at least {least}" if len(value) < least else f"at most {most}"
            things = "items" if noun == "Items" else "characters"
            yield f"{where} has {len(value)} {things}, {limit} are due"
    if _is_number(value):
        if "minimum" in schema and value < schema["minimum"]:
            yield f"{where} is {value}, below {schema['minimum']}"
        if "maximum" in schema and value > schema["maximum"]:
            yield f"{where} is {value}, above {schema['maximum']}"


def _is_one_of(value: Any, kinds: list[str]) -> bool:
    return any(
        isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
        for kind in kinds
    ) or ("integer" in kinds and isinstance(value, float) and value.is_integer())


def _same(value: Any, other: Any) -> bool:
    """Equal as JSON: true is not 1."""
    return isinstance(value, bool) == isinstance(other, bool) and bool(value == other)


def _kind(value: Any) -> str:
    kinds = (name for name in _TYPES if name != "number" and _is_one_of(value, [name]))
    return next(kinds, "number")


def _or(kinds: Any) -> str:
    return " or ".join(kinds) if isinstance(kinds, list) else str(kinds)


def keys_of(structure: Any) -> tuple[str, ...]:
    """Names that a structure asks for: of a list, of a schema's `required`, or of a mapping."""
    if isinstance(structure, list):
        return tuple(name for name in structure if isinstance(name, str))
    if not isinstance(structure, Mapping):
        return ()
    if is_schema(structure):
        found = structure.get("required")
        return tuple(found) if isinstance(found, list) else tuple(structure.get("properties", ()))
    return tuple(structure)


WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_]+(?:['\u2019-][^\W_]+)*")
"""A word; every Han character counts as one, as texts in Chinese put no spaces between words."""
