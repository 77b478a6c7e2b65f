"""Load a small YAML file into a pydantic model, as strictly as a rubric."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rubric_engine.errors import InputError, Place, Problem
from rubric_engine.rubric_file.document import KEEP, Document, TextFault
from rubric_engine.rubric_file.parsing import parse
from rubric_engine.rubric_file.places import Mark, Places
from rubric_engine.rubric_file.scalars import MAX_DEPTH, Wrong, shown
from rubric_engine.rubric_file.source import Blame, read_source
from rubric_engine.rubric_file.typed import record

Model = TypeVar("Model", bound=BaseModel)


def load_model(
    path: str | os.PathLike[str], model: type[Model], *, error: type[InputError], code: str
) -> Model:
    """Read a YAML (or JSON) file as a value of a model.

    Duplicate and unknown keys, anchors, tags and values of the wrong type are errors; plain scalars
    parse by the type of their field. An empty file counts as an empty mapping. Validators of the
    model that run before its fields must bear values of any type.

    Args:
        path: The file.
        model: A pydantic model.
        error: Class of the error to raise.
        code: Its code.

    Raises:
        InputError: Of class `error`, with every problem of the file and its place.
    """
    blame = Blame(error, code, "file")
    document = parse_yaml(path, blame)
    if document.value is None or document.value == "":
        document.value = {}
    problems = list(fault_problems(document, code))
    if not isinstance(document.value, dict):
        found = f"a mapping of keys is due here, found {shown(document.value)}"
        problems.append(Problem(code, found, document.place((1, 1))))
    elif too_deep(document.value):
        problems.append(Problem(code, "nested too deeply", document.place((1, 1))))
    elif not problems:
        try:
            return model.model_validate(record(model, document.value))
        except ValidationError as failed:
            problems += _located(failed, document, code)
    raise several(problems, error, unkept=document.unkept)


def parse_yaml(path: str | os.PathLike[str], blame: Blame) -> Document:
    """Read a YAML or JSON file as plain values with positions.

    Args:
        path: The file.
        blame: How to raise.

    Returns:
        The document; its `faults` are for the caller to report.

    Raises:
        InputError: As `blame` says.
    """
    source = Path(path)
    return parse(read_source(source, blame), str(source), blame, placed=True)


def several(problems: Sequence[Problem], error: type[InputError], *, unkept: int = 0) -> InputError:
    """One error for all problems of a file; it speaks of the first.

    Args:
        problems: At least one.
        error: Class of the error.
        unkept: How many more there are.
    """
    ordered = sorted(problems, key=_position)
    first, more = ordered[0], len(ordered) + unkept - 1
    rest = f" (and {more} more problem{'s' if more > 1 else ''})" if more else ""
    return error(
        first.message + rest,
        code=first.code,
        place=first.place,
        key=first.key,
        looked=[f"under: {trail(first.path)}"] if first.path else (),
        fix=[first.hint] if first.hint else (),
        problems=ordered[:KEEP],
    )


def trail(path: Sequence[str]) -> str:
    """The texts above a criterion in one line."""
    return " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} ".join(
        text if len(text) <= 40 else text[:37] + "..." for text in path
    )


def fault_problems(document: Document, code: str | None = None) -> Iterator[Problem]:
    """The faults of a document, under one code or their own."""
    for fault in document.faults:
        yield _problem_of(fault, document.place(fault.mark), code)


def validation_problems(failed: ValidationError) -> Iterator[tuple[tuple[Any, ...], str, str, Any]]:
    """What a model found: (loc, kind of error, message, the hint or None), no value twice."""
    seen: set[int] = set()
    for item in failed.errors(include_url=False, include_context=False):
        found = item["input"]
        if not isinstance(found, Wrong):
            yield item["loc"], item["type"], plain_message(item["type"], item["msg"]), None
        elif id(found) not in seen:
            seen.add(id(found))
            yield item["loc"], item["type"], found.message, found.hint


def in_words(loc: Sequence[Any], kind: str, message: str) -> str:
    """What a model refused, naming the key: the first three of `validation_problems`."""
    if kind == "extra_forbidden":
        loc, message = loc[:-1], f"unknown key {shown(str(loc[-1]))}"
    name = ".".join(map(str, loc))
    if kind == "missing":
        return f"{name!r} is missing"
    return f"{name}: {message}" if name else message


def plain_message(kind: str, message: str) -> str:
    """A message of pydantic in this package's words."""
    if kind in _WORDS:
        return _WORDS[kind]
    message = message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return message.replace("Input should", "must", 1)


_WORDS = {
    "missing": "is missing",
    "string_unicode": "holds half of a surrogate pair, which is no character",
    "too_short": "must not be empty",
    "string_too_short": "must not be empty",
    "model_type": "a mapping is due here",
    "dict_type": "a mapping is due here",
}


def mark_of(places: Places, value: Any, loc: Sequence[Any], kind: str) -> Mark:
    """Where the value that a model refused stands; of an unknown key, the key."""
    return places.along(value, loc, of_key=kind == "extra_forbidden")


def too_deep(value: Any, depth: int = MAX_DEPTH) -> bool:
    """True where a value nests more than `depth` containers."""
    level = [value]
    for _ in range(depth + 1):
        level = [
            item
            for container in level
            for item in (container.values() if isinstance(container, Mapping) else container)
            if isinstance(item, dict | list)
        ]
        if not level:
            return False
    return True


def _located(failed: ValidationError, document: Document, code: str) -> Iterator[Problem]:
    assert document.places is not None
    for loc, kind, message, hint in validation_problems(failed):
        mark = mark_of(document.places, document.value, loc, kind)
        yield Problem(code, in_words(loc, kind, message), document.place(mark), hint=hint)


def _problem_of(fault: TextFault, place: Place, code: str | None) -> Problem:
    return Problem(code or fault.code, fault.message, place, hint=fault.hint)


def _position(problem: Problem) -> tuple[int, int]:
    place = problem.place
    return (place.line or 0, place.column or 0) if place else (0, 0)
