"""Text of charts: made safe, measured, cut, wrapped; and numbers as text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from rubric_engine.figures import written
from rubric_engine.visible import code_of, visible

LONGEST = 300
"""Characters of a name that tooltips and tables show."""


def plain(text: str, limit: int = LONGEST) -> str:
    """Make untrusted text one line without controls, hidden characters or what XML forbids."""
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(char) for char in text)


def _visible(char: str) -> str:
    if char in "\t\n\r":
        return " "
    # XML forbids some of the characters that are none.
    return code_of(char) if unicodedata.category(char) == "Cn" else visible(char)


_NARROW, _WIDE = frozenset("ijl.,:;!|'` ()[]{}tfrI-"), frozenset("mwMW@%…—")


def _em(char: str) -> float:
    """Width of a character in a wide sans-serif font, in units of its size."""
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
        return 0.0
    if char in _NARROW:
        return 0.45
    if char in _WIDE:
        return 1.02
    if unicodedata.bidirectional(char) in ("R", "AL"):
        return 0.72
    if not char.isascii() and unicodedata.category(char) in ("So", "Lo", "Sk"):
        return 1.05
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    return 0.79 if char.isupper() else 0.64


def width(text: str, size: float, *, bold: bool = False) -> float:
    """At most how wide a text is, in pixels, whatever sans-serif font a page has."""
    return size * sum(map(_em, text)) * (1.12 if bold else 1.0)


def clip(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """Cut a text to the room that it has; what goes is the middle, as names differ at the end."""
    text = plain(text)
    if width(text, size, bold=bold) <= room:
        return text
    left = room - width("…", size, bold=bold)
    tail = _fitting(text[::-1], left / 3, size, bold)[::-1]
    head = _fitting(text, left - width(tail, size, bold=bold), size, bold)
    return f"{head.rstrip()}…{tail.lstrip()}"


def _fitting(text: str, room: float, size: float, bold: bool) -> str:
    """As much of the start of a text as fits."""
    kept = ""
    for char in text:
        if width(kept + char, size, bold=bold) > room:
            break
        kept += char
    return kept


def short(name: str) -> str:
    """A name for the middle of a sentence."""
    return plain(name, 60)


def wrap(text: str, room: float, size: float) -> Iterator[str]:
    """Break a text between words into lines that fit; longer words are cut."""
    lines = ""
    for word in plain(text, 2000).split():
        longer = f"{lines} {word}" if lines else word
        if lines and width(longer, size) > room:
            yield clip(lines, room, size)
            longer = word
        lines = longer
    if lines:
        yield clip(lines, room, size)


def fixed(value: float | None, digits: int = 2) -> str:
    """A number with so many decimals, or a dash; two, as tables write measures of agreement."""
    return "-" if value is None else written(value, f".{digits}f")


def whole_percent(share: float) -> str:
    """A share in whole percent, for axes and small cells; never 100 or 0 where it is not."""
    text = f"{100 * share:.0f}"
    if float(text) >= 100 > 100 * share:
        return ">99%"
    if float(text) <= 0 < share:
        return "<1%"
    return f"{text}%"


def dollars(value: float | None) -> str:
    """Dollars with two digits that say something, or a dash."""
    if value is None:
        return "-"
    if value == 0 or value >= 1:
        return f"${value:,.2f}" if value < 1000 else f"${value:,.0f}"
    text = f"{value:.2g}"
    return f"${float(text):.2f}" if value >= 0.095 else f"${text}"


def counted(number: int, word: str) -> str:
    """A number of things, such as `1 leaf` or `2,000 leaves`."""
    many = f"{word.removesuffix('leaf')}leaves" if word.endswith("leaf") else f"{word}s"
    return f"{number:,} {word if number == 1 else many}"


def between(low: float | None, high: float | None) -> str:
    """An interval in words."""
    return "no interval" if low is None or high is None else f"{fixed(low)} to {fixed(high)}"
