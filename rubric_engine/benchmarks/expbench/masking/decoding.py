"""The text that a file holds, whatever wraps it: wide characters, zero bytes, markup. Pure."""

from __future__ import annotations

import codecs
import html
import json
import re
from contextlib import suppress

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
# Bytes a character, and which of them is not zero in most texts.
_WIDE = {"utf-32-le": (4, 0), "utf-32-be": (4, 3), "utf-16-le": (2, 0), "utf-16-be": (2, 1)}
_SAMPLE = 4096
_MOSTLY = 0.7

_STRINGS = re.compile(rb"[^\0-\x08\x0b\x0e-\x1f\x7f]{12,}")
_MARKED_UP = re.compile(r"\s*<[!?a-zA-Z]")
_LINE_ENDS = re.compile(r"</(?:w:p|text:p|a:p|p|div|li|tr|pre|td)>|<(?:w:br|br)\b[^<>]*>")
_TAG = re.compile(r"<[^<>]*>")


def as_utf8(content: bytes) -> bytes:
    """A text in UTF-16 or UTF-32 as UTF-8; without a mark at its start and zeros at its end."""
    mark, encoding = next(
        ((mark, name) for mark, name in _MARKS if content.startswith(mark)), (b"", _wide(content))
    )
    plain = content[len(mark) :]
    if encoding not in (None, "utf-8"):
        plain = plain.decode(encoding, "replace").encode("utf-8", "replace")
    return plain.rstrip(b"\0")


def text_of(plain: bytes) -> str | None:
    """The text of a file that is one, None where bytes of zero say that it is none.

    Args:
        plain: What `as_utf8` makes of it.
    """
    if b"\0" in plain:
        return None
    text = plain.decode("utf-8", "replace")
    return _without_markup(text) if _MARKED_UP.match(text) else text


def strings_of(plain: bytes) -> str:
    """The texts that a file which is none holds among its other bytes, a line each."""
    return b"\n".join(_STRINGS.findall(plain)).decode("utf-8", "replace")


def written_in(text: str) -> str:
    """What people wrote in a text: of a notebook its cells, without outputs and settings."""
    if not text.lstrip().startswith("{"):
        return text
    with suppress(ValueError, RecursionError, TypeError, KeyError, AttributeError):
        cells = json.loads(text)["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells)
    return text


def _wide(content: bytes) -> str | None:
    sample = content[:_SAMPLE]
    for encoding, (width, place) in _WIDE.items():
        zeros = [_zeros(sample[start::width]) for start in range(width)]
        speaking = zeros.pop(place)
        if min(zeros) >= _MOSTLY and speaking <= 1 - _MOSTLY:
            return encoding
    return None


def _zeros(sample: bytes) -> float:
    return sample.count(0) / len(sample) if sample else 0.0


def _without_markup(text: str) -> str:
    return html.unescape(_TAG.sub("", _LINE_ENDS.sub("\n", text)))
