"""Where a text says something to a judge, found by google-re2 in time linear in the text.

A pattern names whom it speaks to or what it speaks of (a grader, a rubric, a criterion), for honest
code is full of scores, judges and prompts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any

from rubric_engine.injection.chats import CHATS
from rubric_engine.injection.chinese import CHINESE
from rubric_engine.injection.english import ENGLISH
from rubric_engine.injection.finding import Spot
from rubric_engine.injection.freely import FREELY
from rubric_engine.injection.rough import may_hold
from rubric_engine.injection.rulings import RULINGS

_MAX_MEMORY = 256_000_000
# Cyrillic and Greek letters that look like these; words of those scripts match nothing.
_ALIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0501\u04bb\u0458\u03bf\u03b1"
    "\u0410\u0415\u041e\u0420\u0421\u0422\u041c",
    "aeopcyxisdhjoaAEOPCTM",
)
_ENTITY = re.compile(r"&#(?:x0{0,20}+([0-9a-f]{1,6})|0{0,20}+([0-9]{1,7}));?", re.IGNORECASE)
_SPACED = re.compile(r"(?<![A-Za-z])(?:[A-Za-z] ){4,}[A-Za-z](?![A-Za-z])")
_ROUGH_SPACED = r"(?:[A-Za-z] ){4}"
_HALVES = re.compile("[\ud800-\udfff]")  # of characters, which re2 does not take
_PATTERNS = (*ENGLISH, *FREELY, *RULINGS, *CHATS, *CHINESE)


@cache
def _compiled() -> Any:
    import re2

    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = _MAX_MEMORY
    return re2.compile("|".join(f"({pattern})" for _, pattern in _PATTERNS), options)


def folded(text: str) -> str:
    """The text with wide and other compatible letters as plain ones; its lines stay."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _HALVES.sub("\ufffd", text)).translate(_ALIKE)
    if "&#" in text:
        text = _ENTITY.sub(_meant, text)
    if not may_hold(text, _ROUGH_SPACED):
        return text
    return _SPACED.sub(lambda match: match[0].replace(" ", ""), text)


def _meant(match: re.Match[str]) -> str:
    """The letter that an entity of HTML stands for; a line's end becomes a space."""
    number = int(match[1], 16) if match[1] else int(match[2])
    return chr(number) if 0x20 < number < 0xD800 else " "


def phrases(text: str) -> Iterator[Spot]:
    """Where something is said to a judge in a text that was `folded`."""
    for match in _compiled().finditer(text):
        yield Spot(match.start(), match.end(), _PATTERNS[match.lastindex - 1][0])
