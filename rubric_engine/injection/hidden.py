"""Characters that nobody sees and a model reads: zero-width, bidirectional, tags, selectors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rubric_engine.injection.finding import Spot

_TAGS = "\U000e0000-\U000e007f"
_ZERO = "\u180e\u200b-\u200d\u2060-\u2064\ufeff"
_SUSPECT = re.compile(
    f"[{_ZERO}\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f{_TAGS}\U000e0100-\U000e01ef]"
)
_ANY = re.compile(f"[{_ZERO}\u200e\u200f\u202a-\u202e\u2066-\u2069{_TAGS}\U000e0100-\U000e01ef]+")

_HIDDEN = re.compile(
    # A flag such as Scotland's is a black flag and tags: nothing is hidden there.
    f"(?<![{_TAGS}\U0001f3f4])[{_TAGS}]+"
    # Between letters of this script none is needed; a row of them is a code.
    f"|(?<=[A-Za-z])[{_ZERO}]+(?=[A-Za-z])|[{_ZERO}]{{4,}}"
    "|[\ufe00-\ufe0f]{4,}|[\U000e0100-\U000e01ef]{2,}"
    "|[\u202d\u202e]"
)
_TURNED = re.compile("[\u202a\u202b\u2066-\u2068]")
_NEAR = 200  # characters on either side in which a right-to-left script explains a turn
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def hidden_characters(text: str) -> Iterator[Spot]:
    """Where characters are hidden that no script of the text needs."""
    if text.isascii() or _SUSPECT.search(text) is None:
        return
    for match in _HIDDEN.finditer(text, 1 if text.startswith("\ufeff") else 0):
        yield Spot(match.start(), match.end(), "hidden_unicode", _tagged(match[0]))
    for match in _TURNED.finditer(text):
        around = text[max(0, match.start() - _NEAR) : match.start() + _NEAR]
        if _RIGHT_TO_LEFT.search(around) is None:
            yield Spot(match.start(), match.end(), "hidden_unicode")


def without_hidden(text: str) -> str:
    """The text as a model may read it: letters that were kept apart stand together."""
    return text if text.isascii() else _ANY.sub("", text)


def _tagged(found: str) -> str | None:
    """What tag characters spell."""
    codes = [ord(character) - 0xE0000 for character in found]
    if not all(0 <= code < 0x80 for code in codes):
        return None
    spelt = "".join(chr(code) for code in codes if 0x20 <= code < 0x7F)
    return f"(in tag characters) {spelt}"
