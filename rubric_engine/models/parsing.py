"""Read an answer by its schema: tolerant of its form, strict about what it says.

Fences, prose around it, thinking aloud, trailing commas and lists of labelled lines are forms. A
number in quotes, a verdict given twice or a score out of range are not: whatever is not plain is
refused, and never guessed at.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from pydantic import BaseModel, ValidationError

from rubric_engine.models.labelled import labelled_values

_MOST_CHARS = 1_000_000
_MOST_STARTS = 50  # opening braces that are looked at
_MOST_PROBLEMS = 10

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
# Some chat templates write the opening tag into the prompt, so that only the closing one is seen.
_HALF_THOUGHT = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"?|,(?=\s*[}\]])', re.DOTALL)


class Unreadable(ValueError):  # noqa: N818  # a finding about a text
    """The answer does not plainly say what the schema asks for.

    Attributes:
        formless: True where it holds nothing that looks like JSON, as if none had been asked for.
    """

    def __init__(self, message: str, *, formless: bool = False) -> None:
        super().__init__(message)
        self.formless = formless


def parse(text: str, schema: type[BaseModel]) -> dict[str, Any]:
    """Read an answer.

    Args:
        text: What the model wrote.
        schema: What the answer must follow; types are strict.

    Returns:
        The values as plain JSON.

    Raises:
        Unreadable: It follows the schema in no form, or says two different things.
    """
    if len(text) > _MOST_CHARS:
        raise Unreadable(f"the answer has {len(text)} characters")
    text = text.strip().removeprefix("\ufeff")
    if (whole := _whole(text)) is not None:
        return _validated(whole, schema)
    spoken = _HALF_THOUGHT.sub("", _THOUGHT.sub("", text))
    found = _objects(spoken, schema)
    if not found:
        values = labelled_values(spoken, schema)
        if values is None:
            raise Unreadable("the answer holds no JSON object", formless="{" not in spoken)
        return _validated(values, schema)
    verdicts = [_validated(value, schema) for value in found]
    if any(verdict != verdicts[0] for verdict in verdicts):
        raise Unreadable("the answer holds several objects, and they differ")
    return verdicts[0]


def _whole(text: str) -> dict[str, Any] | None:
    """The text as one JSON object, or None where it is something else."""
    try:
        value = _DECODER.decode(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _objects(text: str, schema: type[BaseModel]) -> list[dict[str, Any]]:
    """All objects of the text that speak of the schema's fields, in order."""
    found: list[dict[str, Any]] = []
    position = text.find("{")
    for _ in range(_MOST_STARTS):
        if position < 0:
            return found
        value, end = _object_at(text, position)
        if value is not None and value.keys() & schema.model_fields.keys():
            found.append(value)
        position = text.find("{", end)
    if position >= 0:
        raise Unreadable("the answer holds too many braces to be read")
    return found


def _object_at(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """The object that starts here, and where to go on."""
    try:
        return _DECODER.raw_decode(text, start)
    except (json.JSONDecodeError, RecursionError):
        pass
    rest = text[start:]
    mended = _STRING_OR_COMMA.sub(lambda match: "" if match[0] == "," else match[0], rest)
    try:
        value, length = _DECODER.raw_decode(mended)
    except (json.JSONDecodeError, RecursionError):
        return None, start + 1
    # What follows the object is the same in both, unless commas were taken out there too: going
    # on a little early only means to look at the end of this object again.
    return value, max(start + 1, start + length)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Unreadable("the answer gives a key twice")
    return value


def _no_constant(name: str) -> NoReturn:
    raise Unreadable(f"{name} is no JSON value")


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise Unreadable("the answer holds a number of thousands of digits") from None


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_integer
)


def _validated(value: dict[str, Any], schema: type[BaseModel]) -> dict[str, Any]:
    try:
        return schema.model_validate_json(json.dumps(value), strict=True).model_dump(mode="json")
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
    lines = [
        f"- {'.'.join(map(str, problem['loc'])) or 'the object'}: {problem['msg']}"
        for problem in problems[:_MOST_PROBLEMS]
    ]
    raise Unreadable("\n".join(lines))
