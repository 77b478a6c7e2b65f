"""Base64, hexadecimal digits and lists of character codes that are a text when decoded."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from rubric_engine.injection.escapes import escaped_texts
from rubric_engine.injection.finding import Spot
from rubric_engine.injection.phrases import folded, phrases
from rubric_engine.injection.rough import may_hold

_BASE64 = re.compile(
    r"[A-Za-z0-9+/_-]{24,}+"
    r"(?:[\"',\\ ]{0,4}\n[ \t\"'#>]{0,8}[A-Za-z0-9+/_-]{16,}+){0,2000}={0,2}"
)
_HEX = re.compile(r"(?:(?:0[xX])?[0-9A-Fa-f]{2}[\s,:;\"'-]{0,3}+){12,}")
_CODES = re.compile(r"[1-9][0-9]{1,2}(?:\s{0,3}[,\s]\s{0,9}[1-9][0-9]{1,2}){11,}")
_ROUGH_BASE64 = r"[A-Za-z0-9+/_-]{24}"
_ROUGH_HEX = r"(?:(?:0[xX])?[0-9A-Fa-f]{2}[^0-9A-Za-z]{0,3}){12}"
_ROUGH_CODES = r"[1-9][0-9]{1,2}(?:[^!-+\--~]+[1-9][0-9]{1,2}){11}"  # after spaces and commas
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]+")
_PAIR = re.compile(r"(?<![0-9A-Fa-f])0[xX]|[^0-9A-Fa-f]+")
_FIRST = 64
_SAID = 200
_TEXT = 0.95


def encoded_texts(text: str) -> Iterator[Spot]:
    """Blobs that decode to something said to a judge."""
    for name, rough, blobs, decoded in (
        ("base64", _ROUGH_BASE64, _BASE64, _of_base64),
        ("hexadecimal", _ROUGH_HEX, _HEX, _of_hex),
        ("character codes", _ROUGH_CODES, _CODES, _of_codes),
    ):
        if not may_hold(text, rough):
            continue
        for match in blobs.finditer(text):
            said = decoded(match[0])
            at = _speaks(folded(said)) if said is not None else None
            if at is not None:
                yield Spot(match.start(), match.end(), "encoded_text", f"(in {name}) {at}")


def _speaks(said: str) -> str | None:
    """What a decoded text says to a judge, as it stands or in escapes."""
    for spot in phrases(said):
        return said[spot.start : spot.start + _SAID]
    return next((spot.said for spot in escaped_texts(said, ())), None)


def _of_base64(blob: str) -> str | None:
    plain = _NOT_BASE64.sub("", blob.translate({ord("-"): "+", ord("_"): "/"}))
    if _from_base64(plain[:_FIRST]) is None:
        return None
    return _from_base64(plain)


def _from_base64(plain: str) -> str | None:
    whole = plain[: len(plain) // 4 * 4] if len(plain) % 4 == 1 else plain + "=" * (-len(plain) % 4)
    try:
        return _text_of(base64.b64decode(whole))
    except binascii.Error:
        return None


def _of_hex(blob: str) -> str | None:
    digits = _PAIR.sub("", blob)
    return _text_of(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _of_codes(blob: str) -> str | None:
    codes = [int(code) for code in re.split(r"[,\s]+", blob)]
    if max(codes) > 255:
        return None
    return _text_of(bytes(codes))


def _text_of(data: bytes) -> str | None:
    """The text that bytes are, or None."""
    text = data.decode("utf-8", "ignore")
    if 4 * len(text) < len(data) or not text:
        return None
    seen = sum(character.isprintable() or character in "\n\t\r" for character in text)
    lost = len(data) - len(text.encode())
    return text if seen >= _TEXT * len(text) and lost <= 3 else None
