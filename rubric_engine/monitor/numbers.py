"""Numbers in texts: where they stand, and to how many digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

NUMBER = re.compile(
    r"(?<![\w.])[-+]?(\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,30})?(?![\d,])|\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})"
    r"([eE][-+]?\d{1,3})?(?:(?=(?:[xsh]|ms|min|[kKMGT]i?B|dB|pp)\b)|(?!\w|\.\d))"
)
"""Numbers as people write them: with a comma between thousands, and a unit at their end."""

PLAIN = re.compile(
    r"(?<![\w.])[-+]?(\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})([eE][-+]?\d{1,3})?(?![\w]|\.\d)"
)
"""The same where a comma separates numbers: in data and in code."""


@dataclass(frozen=True)
class Number:
    """A number as it is written.

    Attributes:
        value: Its size; the sign is left out.
        digits: Its significant digits; zeros at the end of an integer are none.
        places: Decimal places.
        start: Offset in the text.
        end: Offset behind it.
    """

    value: float
    digits: int
    places: int
    start: int
    end: int


def sizes(text: str) -> Iterator[float]:
    """The sizes of the numbers of data and code, signs left out; nothing else of them."""
    for body, exponent in PLAIN.findall(text):
        yield float(body + exponent)


def numbers(text: str, pattern: re.Pattern[str] = PLAIN) -> Iterator[Number]:
    """The numbers of a text."""
    for match in pattern.finditer(text):
        body = match[1].replace(",", "")
        whole, _, fraction = body.partition(".")
        exponent = int(match[2][1:]) if match[2] else 0
        yield Number(
            value=float(body + (match[2] or "")),
            digits=len((whole + fraction).strip("0")),
            places=max(0, len(fraction) - exponent),
            start=match.start(),
            end=match.end(),
        )
