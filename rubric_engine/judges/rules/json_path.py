"""The path to a value in a JSON document, such as ``runs[0].steps`` or ``["a.b"].c``."""

from __future__ import annotations

import json
import re
from typing import Any

from rubric_engine.judges.rules.outcome import Undecided, meant, short, some

Step = str | int

_STEP = re.compile(
    r"""\.?(?P<name>[^.\[\]"']+)          # a name
      | \[(?P<index>-?[0-9]+)\]           # a place in a list; -1 is its last
      | \[(?P<quoted>"(?:[^"\\]|\\.)*")\] # a name that holds dots or brackets
    """,
    re.VERBOSE,
)


class NotThereError(Exception):
    """The path leads nowhere in this document; the message says where it ends."""


def parse_path(path: str) -> tuple[Step, ...]:
    """Take a path apart.

    Raises:
        Undecided: It is no path; the rubric is wrong.
    """
    steps: list[Step] = []
    end = 0
    while end < len(path):
        found = _STEP.match(path, end)
        if found is None or (found[0].startswith(".") != (found["name"] is not None and end > 0)):
            raise Undecided(
                "rubric_error", f"no JSON path: {short(path)!r}, at character {end + 1}"
            )
        try:
            steps.append(_step(found))
        except ValueError:  # an escape that JSON does not know, or more digits than a place has
            raise Undecided("rubric_error", f"no JSON path: {short(found[0])!r}") from None
        end = found.end()
    return tuple(steps)


def refusal(path: str) -> str | None:
    """What is wrong with a path, or None."""
    try:
        parse_path(path)
    except Undecided as error:
        return error.found
    return None


def _step(found: re.Match[str]) -> Step:
    if found["index"] is not None:
        return int(found["index"])
    if found["quoted"] is not None:
        return str(json.loads(found["quoted"]))
    return found["name"]


def look_up(document: Any, steps: tuple[Step, ...]) -> Any:
    """Follow a path.

    Raises:
        NotThereError: A key or a place is missing.
    """
    value = document
    for step in steps:
        if isinstance(step, str) and isinstance(value, dict):
            if step not in value:
                raise NotThereError(_no_key(step, list(value)))
            value = value[step]
        elif isinstance(step, int) and isinstance(value, list):
            if not -len(value) <= step < len(value):
                raise NotThereError(f"no place [{step}]: the list has {len(value)}")
            value = value[step]
        else:
            raise NotThereError(f"no {step!r}: there is {_kind(value)} in its place")
    return value


def _no_key(name: str, names: list[str]) -> str:
    hint = meant(name, names) or ("has: " + some(map(short, names), 5) if names else "empty")
    return f"no key {name!r} ({hint})"


def _kind(value: Any) -> str:
    return {dict: "an object", list: "a list", str: "a text", type(None): "null"}.get(
        type(value), "a plain value"
    )
