"""Colours of CSS as numbers, to tell whether a text can be told from its ground."""

from __future__ import annotations

import re
from typing import NamedTuple

_HEX = re.compile(r"#([0-9a-f]{3,8})\b")
_CALL = re.compile(r"(rgb|hsl)a?\(([^()]{1,80})\)")
_WORD = re.compile(r"[a-z]{3,24}(?![-a-z(])")
_NO_COLOURS = frozenset({"auto", "currentcolor", "inherit", "initial", "none", "revert", "unset"})
_PART = re.compile(r"(\d{1,4}(?:\.\d{0,9})?|\.\d{1,9})(%?)")
_NAMED = {
    "white": 0xFFFFFF, "black": 0x000000, "red": 0xFF0000, "green": 0x008000, "blue": 0x0000FF,
    "yellow": 0xFFFF00, "gray": 0x808080, "grey": 0x808080, "silver": 0xC0C0C0, "lime": 0x00FF00,
    "navy": 0x000080, "maroon": 0x800000, "snow": 0xFFFAFA, "ivory": 0xFFFFF0,
    "ghostwhite": 0xF8F8FF, "whitesmoke": 0xF5F5F5, "floralwhite": 0xFFFAF0, "azure": 0xF0FFFF,
    "mintcream": 0xF5FFFA, "honeydew": 0xF0FFF0, "aliceblue": 0xF0F8FF, "seashell": 0xFFF5EE,
    "lavenderblush": 0xFFF0F5, "oldlace": 0xFDF5E6, "linen": 0xFAF0E6, "beige": 0xF5F5DC,
    "cornsilk": 0xFFF8DC, "lightyellow": 0xFFFFE0, "lightcyan": 0xE0FFFF, "gainsboro": 0xDCDCDC,
    "lightgray": 0xD3D3D3, "lightgrey": 0xD3D3D3, "darkgray": 0xA9A9A9, "dimgray": 0x696969,
    "canvas": 0xFFFFFF,
}  # fmt: skip
_NEAR = 20  # of 255, in each part: less than anybody sees on a screen
_WHITE = 240  # of 255, the least part of what is taken for white
_LEAST_ALPHA = 0.05


class Colour(NamedTuple):
    """A colour: red, green and blue in 0..255, or a word whose parts are not known."""

    parts: tuple[float, float, float] | None
    word: str = ""
    seen: bool = True


def colour(value: str) -> Colour | None:
    """The first colour in a value, which is in small letters; None where it has none.

    >>> colour("#fff url(x.png)").parts
    (255.0, 255.0, 255.0)
    >>> colour("rgb(0 0 0 / 0)").seen
    False
    """
    if match := _HEX.search(value):
        return _of_hex(match[1])
    if match := _CALL.search(value):
        return _of_call(match[1], _PART.findall(match[2]))
    if match := _WORD.match(value):
        word = match[0]
        if word in _NAMED:
            return _of_number(_NAMED[word])
        return None if word in _NO_COLOURS else Colour(None, word, seen=word != "transparent")
    return None


def alike(one: Colour, other: Colour) -> bool:
    """Whether nobody tells one colour from the other."""
    if one.parts is None or other.parts is None:
        return one.parts is other.parts is None and one.word == other.word
    return all(abs(a - b) <= _NEAR for a, b in zip(one.parts, other.parts, strict=True))


def is_white(one: Colour) -> bool:
    """Whether it is white, or as good as white."""
    return one.parts is not None and min(one.parts) >= _WHITE


def _of_number(number: int, *, seen: bool = True) -> Colour:
    return Colour((float(number >> 16), float(number >> 8 & 255), float(number & 255)), seen=seen)


def _of_hex(digits: str) -> Colour | None:
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) not in (6, 8):
        return None
    return _of_number(int(digits[:6], 16), seen=int(digits[6:] or "ff", 16) > 255 * _LEAST_ALPHA)


def _of_call(name: str, found: list[tuple[str, str]]) -> Colour | None:
    if len(found) < 3:
        return None
    seen = len(found) == 3 or float(found[3][0]) > _LEAST_ALPHA * (100 if found[3][1] else 1)
    numbers = [float(number) for number, _ in found[:3]]
    if name == "hsl":
        light = 2.55 * numbers[2]
        # Black and white are so in every hue; of the others the numbers themselves are compared.
        if light <= 5 or light >= 250 or not numbers[1]:
            return Colour((light, light, light), seen=seen)
        return Colour(None, f"hsl {numbers}", seen=seen)
    red, green, blue = (
        2.55 * number if percent else number
        for number, (_, percent) in zip(numbers, found, strict=False)
    )
    return Colour((red, green, blue), seen=seen)
