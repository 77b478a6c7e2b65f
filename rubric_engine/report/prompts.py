"""Prompts and answers that a page holds: a message that many leaves share stands there once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from rubric_engine.report.calls import Said

MOST = 50_000_000
"""Characters of all prompts and answers that a page holds."""

Piece = str | list[int]
"""A message; or the index of a criterion and the number of the message in its prompt."""


class Prompts:
    """Gives the prompts of one leaf after another.

    Args:
        look: Gives what was asked about a leaf.
        most: Characters that all of them may take.
    """

    def __init__(self, look: Callable[[str], Said], most: int = MOST) -> None:
        self._look = look
        self._room = most
        self._known: dict[bytes, list[int]] = {}

    def of(self, at: int, key: str) -> dict[str, Any] | None:
        """What was asked about a leaf, as pieces, and answered; None where no room is left.

        Args:
            at: Its index among the criteria.
            key: Its key.
        """
        if self._room <= 0:
            return None
        said = self._look(key)
        self._room -= len(said.answer)
        pieces = [self._piece(text, at, number) for number, text in enumerate(said.prompt)]
        return {"prompt": pieces, "answer": said.answer}

    def _piece(self, text: str, at: int, number: int) -> Piece:
        found = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        place = self._known.setdefault(found, [at, number])
        if place != [at, number]:
            return place
        self._room -= len(text)
        return text
