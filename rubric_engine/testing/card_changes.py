"""Cards that differ from another in one word, number, switch or order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rubric_engine.errors import RubricEngineError
from rubric_engine.judge import JudgeCard
from rubric_engine.model import PACE

KeyPath = tuple[str | int, ...]
"""Keys from the card down to a value."""

_MOST_WORDS = 20
_WORD = re.compile(r"[\w-]+")


def changes(card: JudgeCard) -> Iterator[tuple[KeyPath, Any]]:
    """Other values, each for one place of a card; its kind may not take all of them."""
    yield ("name",), f"{card.name}-2"
    for path, value in _values(card.settings, ()):
        if path[0] != "model" or path[-1] not in PACE:
            yield from ((path, other) for other in _others(value))


def changed(card: JudgeCard, path: KeyPath, value: Any) -> JudgeCard:
    """A card with another value in one place."""
    whole = {"name": card.name} | card.settings
    return card.model_copy(update={str(path[0]): _put(whole[str(path[0])], path[1:], value)})


def words_taken(error: RubricEngineError) -> list[str]:
    """The words of an error: who refuses one names those that it takes."""
    return list(dict.fromkeys(_WORD.findall(error.message)))[:_MOST_WORDS]


def _values(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    if not isinstance(value, dict):
        yield path, value
    inner: Any = value.items() if isinstance(value, dict) else ()
    for name, each in enumerate(value) if isinstance(value, list) else inner:
        yield from _values(each, (*path, name))


def _others(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value / 2, value + 1] if value else [value + 1]
    if isinstance(value, str):
        return [f"{value}-2"]
    return [value[::-1]] if isinstance(value, list) and value != value[::-1] else []


def _put(old: Any, path: KeyPath, value: Any) -> Any:
    if not path:
        return value
    new = old.copy()
    new[path[0]] = _put(old[path[0]], path[1:], value)
    return new
