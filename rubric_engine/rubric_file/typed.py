"""Turn what a parser gave into what a pydantic model's fields expect, guided by their types.

`converter` is called once for a type and gives a function from raw to typed values. Whatever does
not fit becomes `Wrong`, which the model's validation then reports at its place.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator

from rubric_engine.checks import CLASSES
from rubric_engine.near import near
from rubric_engine.rubric_file import scalars
from rubric_engine.rubric_file.scalars import NotJsonError, Plain, Wrong, is_null, shown

Converter = Callable[[Any], Any]

_SCALARS: dict[Any, Converter] = {
    str: scalars.text,
    Path: scalars.text,
    float: scalars.number,
    int: scalars.integer,
    bool: scalars.boolean,
}
_CHECKS = frozenset(CLASSES.values())


def converter(annotation: Any) -> Converter:
    """Return the function that turns a raw value into one for this annotation."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return converter(args[0])
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if origin is Literal:
        return _literal(args)
    if origin in (Union, types.UnionType):
        return _union(args)
    if _is(origin or annotation, Mapping):
        return _mapping(converter(args[1]) if args else _free)
    if _is(origin or annotation, Sequence) or _is(origin or annotation, AbstractSet):
        return _list(converter(args[0]) if args else _free)
    if _is(annotation, BaseModel):
        return _model(annotation)
    return _free


@cache
def fields_of(model: type[BaseModel]) -> dict[str, Converter]:
    """Converters of a model's fields, by the names they have in a file."""
    found = {}
    for name, field in model.model_fields.items():
        first = any(isinstance(item, BeforeValidator) for item in field.metadata)
        # What a model's own validator reads may be written in more ways than its type has.
        convert = _free if first else converter(field.annotation)
        may_be_empty = _holds(field.annotation) and not field.is_required()
        found[field.alias or name] = _or_default(convert) if may_be_empty else convert
    return found


class _Left:
    """Stands for an empty value of a field that has a default."""


LEFT_OUT = _Left()


def record(model: type[BaseModel], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a mapping to the input of a model; unknown keys become `Wrong`."""
    converters = fields_of(model)
    extra = model.model_config.get("extra")
    values: dict[str, Any] = {}
    for key, value in raw.items():
        if key in converters:
            values[key] = converters[key](value)
        elif extra == "forbid":
            values[key] = unknown(key, converters)
        else:
            values[key] = _free(value)
    return {key: value for key, value in values.items() if value is not LEFT_OUT}


def unknown(key: str, names: Mapping[str, Any]) -> Wrong:
    """The value of a key that a mapping must not have."""
    return Wrong(f"unknown key {shown(key)}", name=key, known=tuple(names))


def _holds(annotation: Any) -> bool:
    """True for lists, sets and mappings."""
    kind = get_origin(annotation) or annotation
    return kind is not str and any(_is(kind, base) for base in (Sequence, AbstractSet, Mapping))


def _is(annotation: Any, base: type) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, base)


def _or_default(convert: Converter) -> Converter:
    """Nothing, where a list or a mapping may be left out, counts as left out."""

    def convert_or_leave(value: Any) -> Any:
        return LEFT_OUT if is_null(value) else convert(value)

    return convert_or_leave


def _free(value: Any) -> Any:
    try:
        return scalars.free(value)
    except NotJsonError as error:
        return Wrong(str(error))


def _list(convert: Converter) -> Converter:
    def convert_list(value: Any) -> Any:
        if not isinstance(value, list):
            return Wrong(f"a list is due here, found {shown(value)}", "write it as [one, two]")
        return [convert(item) for item in value]

    return convert_list


def _mapping(convert: Converter) -> Converter:
    def convert_mapping(value: Any) -> Any:
        if not isinstance(value, dict):
            return Wrong(f"a mapping is due here, found {shown(value)}")
        return {key: convert(item) for key, item in value.items()}

    return convert_mapping


def _model(model: type[BaseModel]) -> Converter:
    def convert_model(value: Any) -> Any:
        if not isinstance(value, dict):
            return Wrong(f"a mapping is due here, found {shown(value)}")
        return record(model, value)

    return convert_model


def _literal(choices: tuple[Any, ...]) -> Converter:
    def convert_choice(value: Any) -> Any:
        candidates = [str(value)] if isinstance(value, str) else [value]
        if type(value) is Plain:
            candidates += [scalars.integer(value), scalars.boolean(value)]
        for choice in choices:
            if any(type(c) is type(choice) and c == choice for c in candidates):
                return choice
        known = ", ".join(map(str, choices))
        return Wrong(f"{shown(value)} is none of {known}", _meant(value, choices))

    return convert_choice


def _meant(value: Any, choices: tuple[Any, ...]) -> str | None:
    return near(value, map(str, choices)) if isinstance(value, str) else None


def _union(members: tuple[Any, ...]) -> Converter:
    some = [member for member in members if member is not types.NoneType]
    inner = _one_of(some)
    if len(some) == len(members):
        return inner

    def convert_optional(value: Any) -> Any:
        return None if is_null(value) else inner(value)

    return convert_optional


def _one_of(members: list[Any]) -> Converter:
    if len(members) == 1:
        return converter(members[0])
    if set(members) <= _CHECKS:
        return _check
    # Narrow types first: a number is a number also where text would do.
    ordered = sorted(members, key=lambda member: _NARROW.get(member, -1))
    converters = [converter(member) for member in ordered]

    def convert_first(value: Any) -> Any:
        tried = [convert(value) for convert in converters]
        fits = (found for found in tried if not isinstance(found, Wrong))
        return next(fits, tried[-1])

    return convert_first


_NARROW = {bool: 0, int: 1, float: 2, str: 3, Path: 3, Any: 4}


def _check(value: Any) -> Any:
    """A check in its one-key form; what is not of that form is left to the model to refuse."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    kind, fields = next(iter(value.items()))
    if kind == "not":
        return {kind: _check(fields)}
    if kind in ("any", "all") and isinstance(fields, list):
        return {kind: [_check(item) for item in fields]}
    if kind in CLASSES and isinstance(fields, dict):
        return {kind: record(CLASSES[kind], fields)}
    return value
