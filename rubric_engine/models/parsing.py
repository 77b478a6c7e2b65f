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

from rubric_engine.models.labelled import contradiction, labelled_values
from rubric_engine.models.spoken import spoken

_MOST_CHARS = 1_000_000
_MOST_PROBLEMS = 10

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
    names = frozenset(schema.model_fields)
    said = spoken(text, names, _object_at)
    found = [value for value in said.objects if value.keys() & names]
    if said.endless:
        raise Unreadable("the answer holds too many braces to be read")
    if said.broken:
        raise Unreadable("the answer holds an object that is not JSON")
    if not found:
        values = labelled_values(said.rest, schema)
        if values is None:
            formless = not said.objects and "{" not in said.rest
            raise Unreadable("the answer holds no JSON object", formless=formless)
        return _validated(values, schema)
    verdicts = [_validated(value, schema) for value in found]
    if any(verdict != verdicts[0] for verdict in verdicts):
        raise Unreadable("the answer holds several objects, and they differ")
    if other := contradiction(said.rest, verdicts[0], schema):
        raise Unreadable(f"the answer says otherwise beside its object: {other}")
    return verdicts[0]


def _whole(text: str) -> dict[str, Any] | None:
    """The text as one JSON object, or None where it is something else."""
    try:
        value = _DECODER.decode(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _object_at(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """The object that starts here, and where to go on."""
    try:
        return _DECODER.raw_decode(text, start)
    except (json.JSONDecodeError, RecursionError):
        pass
    rest = text[start:]
    commas = [match.start() for match in _STRING_OR_COMMA.finditer(rest) if match[0] == ","]
    if not commas:
        return None, start + 1
    mended = "".join(
        rest[after + 1 : comma]
        for after, comma in zip([-1, *commas], [*commas, len(rest)], strict=True)
    )
    try:
        value, length = _DECODER.raw_decode(mended)
    except (json.JSONDecodeError, RecursionError):
        return None, start + 1
    taken_out = sum(comma - before < length for before, comma in enumerate(commas))
    return value, start + length + taken_out


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


# Not strict: line ends within a text are a slip of form.
_DECODER = json.JSONDecoder(
    strict=False, object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_integer
)


def _validated(value: dict[str, Any], schema: type[BaseModel]) -> dict[str, Any]:
    folded = {name.casefold() for name in schema.model_fields}
    for key in value.keys() - schema.model_fields.keys():
        if key.casefold() in folded:
            raise Unreadable(f"- {key}: this is not how the field is spelt")
    # A lone surrogate, which the quote of a file may hold, has no UTF-8 form.
    plain = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    try:
        return schema.model_validate_json(plain, strict=True).model_dump(mode="json")
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
    lines = [
        f"- {'.'.join(map(str, problem['loc'])) or 'the object'}: {problem['msg']}"
        for problem in problems[:_MOST_PROBLEMS]
    ]
    raise Unreadable("\n".join(lines))
