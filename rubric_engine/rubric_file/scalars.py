"""Scalars that parse by the type that is due, not by their looks.

In YAML a plain ``010`` is text in `id` and a number in `weight`. The parser keeps such a scalar as
`Plain`; the functions here turn it into what is due. What does not fit becomes `Wrong`, which no
model accepts, so that a model's own validation reports it together with everything else.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from rubric_engine.near import near

NULLS = frozenset({"", "~", "null"})
MAX_DEPTH = 64
"""Deepest nesting of a value that is no criterion; beyond it is no rubric that a person wrote."""

_LITERALS = frozenset({"true", "false", *NULLS})
_NUMBER_STARTS = frozenset("+-.0123456789")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_LONGEST_NUMBER = 400


class Plain(str):
    """A scalar without quotes that some type may read as something other than text."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Wrong:
    """Stands where a value of another type is due.

    Attributes:
        message: What is wrong.
        advice: What would mend it.
        known: For an unknown `name`: the names that it may have been meant for.
    """

    message: str
    advice: str | None = None
    name: str = ""
    known: tuple[str, ...] = ()

    @property
    def hint(self) -> str | None:
        """The advice, or the near miss, which is only looked for when somebody asks."""
        if not self.known:
            return self.advice
        return near(self.name, self.known) or "known: " + ", ".join(self.known)


class NotJsonError(ValueError):
    """A free value is nested too deeply or holds a number that JSON has not."""


def plain(text: str) -> str:
    """A scalar without quotes, kept as `Plain` where its type is open."""
    return Plain(text) if text in _LITERALS or text[0] in _NUMBER_STARTS else text


def is_null(value: Any) -> bool:
    """True for null, ``~`` and nothing at all."""
    return value is None or (type(value) is Plain and value in NULLS)


def shown(value: Any) -> str:
    """A value as a message shows it."""
    if value is None or type(value) is Plain:
        return str(value) if value else "empty"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def text(value: Any) -> Any:
    """Text as it is written; an unquoted null is none."""
    kind = type(value)
    if kind is str:
        return value
    if kind is Plain and value not in NULLS:
        return str(value)
    advice = "put quotes around it if it is meant as text" if isinstance(value, str) else None
    return Wrong(f"text is due here, found {shown(value)}", advice)


def number(value: Any) -> Any:
    """A finite number: 3, 0.5, 1e3; ``010`` is 10."""
    kind = type(value)
    if kind is Plain and len(value) <= _LONGEST_NUMBER and _NUMBER.fullmatch(value):
        value = float(value)
    elif kind is int:
        value = _as_float(value)
    elif kind is not float:
        return Wrong(f"a number is due here, found {shown(value)}")
    return value if math.isfinite(value) else Wrong("a finite number is due here")


def integer(value: Any) -> Any:
    """A whole number."""
    if type(value) is int:
        return value
    if type(value) is Plain and len(value) <= _LONGEST_NUMBER and _INTEGER.fullmatch(value):
        return int(value)
    return Wrong(f"a whole number is due here, found {shown(value)}")


def boolean(value: Any) -> Any:
    """Exactly true or false."""
    if type(value) is bool:
        return value
    if type(value) is Plain and value in ("true", "false"):
        return value == "true"
    return Wrong(f"true or false is due here, found {shown(value)}")


def free(value: Any, depth: int = MAX_DEPTH) -> Any:
    """A value of no fixed type: plain scalars follow JSON's types.

    Raises:
        NotJsonError: It nests deeper than `depth`, or holds a number that is not finite.
    """
    kind = type(value)
    if kind is Plain:
        return _free_scalar(value)
    if kind is float and not math.isfinite(value):
        raise NotJsonError("a number here is not finite")
    if kind is not dict and kind is not list:
        return value
    if depth == 0:
        raise NotJsonError(f"nested more than {MAX_DEPTH} levels deep")
    if kind is list:
        return [free(item, depth - 1) for item in value]
    return {key: free(item, depth - 1) for key, item in value.items()}


def _free_scalar(written: str) -> Any:
    if written in NULLS:
        return None
    if written in ("true", "false"):
        return written == "true"
    found = _JSON_NUMBER.fullmatch(written) if len(written) <= _LONGEST_NUMBER else None
    if not found:
        return str(written)
    if found[1] or found[2]:
        value = float(written)
        return value if math.isfinite(value) else str(written)
    return int(written)


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
