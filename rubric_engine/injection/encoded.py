"""Base64 that is a text when decoded."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from rubric_engine.injection.finding import Spot
from rubric_engine.injection.phrases import folded, phrases

_BLOB = re.compile(
    r"[A-Za-z0-9+/_-]{24,}(?:[\"',\\]{0,4}\r?\n[ \t\"'#>]{0,8}[A-Za-z0-9+/_-]{16,}){0,2000}={0,2}"
)
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]+")
_FIRST = 64
_MOST = 100_000  # characters of one blob that are decoded
_MOST_BLOBS = 2000
_TEXT = 0.95


def encoded_texts(text: str) -> Iterator[Spot]:
    """Blobs that decode to something said to a judge."""
    for number, match in enumerate(_BLOB.finditer(text)):
        if number == _MOST_BLOBS:
            return
        said = _decoded(match[0][:_MOST])
        if said is not None and any(phrases(folded(said))):
            yield Spot(match.start(), match.end(), "encoded_text", f"(in base64) {said}")


def _decoded(blob: str) -> str | None:
    """The text that a blob stands for, or None."""
    plain = _NOT_BASE64.sub("", blob.translate({ord("-"): "+", ord("_"): "/"}))
    if _text_of(plain[:_FIRST]) is None:
        return None
    return _text_of(plain)


def _text_of(plain: str) -> str | None:
    whole = plain[: len(plain) // 4 * 4] if len(plain) % 4 == 1 else plain + "=" * (-len(plain) % 4)
    try:
        data = base64.b64decode(whole)
    except binascii.Error:
        return None
    text = data.decode("utf-8", "ignore")
    if 4 * len(text) < len(data) or not text:
        return None
    seen = sum(character.isprintable() or character in "\n\t\r" for character in text)
    lost = len(data) - len(text.encode())
    return text if seen >= _TEXT * len(text) and lost <= 3 else None
