"""Takes a key out of what a server sends back: errors repeat it, and so may a gateway's answer."""

from __future__ import annotations

import base64
import math
import re
from typing import Any
from urllib.parse import quote

from rubric_engine.models.credentials import LEAST, NO_KEY

_HIDDEN = "***"
# Servers show a part of a key that they reject.
_SHORTENED = re.compile(r"\b(sk|pk|gsk|xai|key)-[\w*.-]+")


class Mask:
    """Hides one key, as it stands and as it is commonly encoded.

    Args:
        key: The key.
    """

    def __init__(self, key: str) -> None:
        self._key = "" if key == NO_KEY else key
        self._forms = sorted(_forms(key), key=len, reverse=True) if len(key) >= LEAST else []

    def of(self, value: Any) -> Any:
        """Return decoded JSON with the key hidden in every text of it."""
        if isinstance(value, str):
            return self._hide(value)
        if isinstance(value, list):
            return [self.of(item) for item in value]
        if isinstance(value, dict):
            return {self._hide(name): self.of(item) for name, item in value.items()}
        return value

    def words(self, text: str) -> str:
        """Return the words of an error with the key hidden, however short it is."""
        text = self._hide(text)
        if self._key:
            text = text.replace(self._key, _HIDDEN)
        return _SHORTENED.sub(r"\1-***", text)

    def _hide(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, _HIDDEN)
        return text

    def __repr__(self) -> str:
        return "Mask()"


def _forms(key: str) -> set[str]:
    plain = {key, key.replace("/", "\\/"), quote(key, safe=""), quote(key)}
    return plain | {form for before in range(3) for form in _base64(key.encode(), before)}


def _base64(key: bytes, before: int) -> tuple[str, str]:
    """What stays the same of the key in Base64, whatever surrounds it.

    Args:
        key: The key.
        before: Bytes in front of it, past a multiple of three.
    """
    first, last = math.ceil(before * 8 / 6), (before + len(key)) * 8 // 6
    padded = bytes(before) + key
    return (
        base64.b64encode(padded)[first:last].decode(),
        base64.urlsafe_b64encode(padded)[first:last].decode(),
    )
