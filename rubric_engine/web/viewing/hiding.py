"""What nobody shall see of the runs: secrets, and what a person names, in names of folders, too."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

from rubric_engine.report import Mask
from rubric_engine.state import seal

_MARK = 12
"""Digits that tell runs apart whose names are hidden."""


class Hiding:
    """Hides in all that a server says.

    Args:
        redact: Patterns of google-re2; what they find is hidden in all texts.

    Attributes:
        redact: The same.

    Raises:
        UsageError: A pattern is none.
    """

    def __init__(self, redact: Sequence[str] = ()) -> None:
        self.redact = tuple(redact)
        self._mask = Mask(redact)
        self._key = secrets.token_hex()

    def of(self, value: Any) -> Any:
        """Plain values with every text of them masked."""
        return self._mask.of(value)

    def text(self, text: str) -> str:
        """One text, masked."""
        return self._mask.text(text)

    def name(self, name: str) -> str:
        """What the name of a run's folder is shown as, in addresses as well.

        Where something of it is hidden, digits tell it from others: a keyed hash, as a plain one
        would tell who guesses a name whether it is right.

        Args:
            name: Name of the folder.
        """
        shown = self._mask.text(name)
        if shown == name:
            return name
        return f"{shown}~{(seal('name of a run', name) or self._seal(name))[:_MARK]}"

    def _seal(self, name: str) -> str:
        """A hash for as long as this lives, where no secret can be kept."""
        text = f"{self._key}\0{name}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(text).hexdigest()
