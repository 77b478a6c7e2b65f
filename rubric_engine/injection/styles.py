"""What a declaration of CSS hides: nothing, what it is set on, or a text in its own ground."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from rubric_engine.injection.colours import Colour, alike, colour, is_white

Hiding = Literal["unseen", "on_its_ground"]
"""Not shown to a person; or shown in the colour of the ground it stands on."""

NAMES = frozenset(
    {"display", "visibility", "content-visibility", "opacity", "fill-opacity", "font-size", "font"}
    | {"color", "fill", "background", "background-color", "background-image"}
    | {"overflow", "transform", "text-shadow"}
    | {"left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top"}
    | {"clip", "clip-path", "height", "width", "max-height", "max-width"}
)
"""Properties that can hide; those that SVG has as attributes are named the same."""

GROUNDS = ("background", "background-color", "background-image")
"""Properties that set what a text stands on."""

_NO_GROUND = frozenset({"", "0", "none", "inherit", "initial", "unset", "transparent"})
_COMMENTS = re.compile(r"/\*[^*]{0,1000}\*/")
_PLACED = ("left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top")
_SIZES = ("height", "width", "max-height", "max-width")
_NUMBER = re.compile(r"([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(e[+-]?\d{1,2})?([a-z]{0,4}|%)")
_LEAST_SIZE = {
    "": 1.0,
    "px": 1.0,
    "pt": 1.0,
    "%": 10.0,
    "em": 0.1,
    "rem": 0.1,
    "mm": 0.3,
    "cm": 0.03,
}
_LEAST_OPACITY = 0.05
_FAR = 900.0  # pixels from where it should stand, beyond which nobody looks
_PER_UNIT = {"": 1.0, "px": 1.0, "pt": 1.3, "em": 16.0, "rem": 16.0, "%": 9.0, "vw": 9.0, "vh": 9.0}
_CLIPPED = re.compile(
    r"rect\((?:[01](?:px)?[ ,]+){3}[01](?:px)?\)|inset\((?:[5-9]\d|100)(?:\.\d{1,9})?%"
    r"|(?:circle|ellipse)\(0|polygon\((?:0(?:px|%)?[ ,]*){2,20}\)"
)
_MOVED = re.compile(
    r"translate(?:x|y|3d)?\([^)]{0,20}-(\d{1,9})(px|em|rem|vw|vh|%)|scale[xy]?\(0[,)]"
)


def declared(style: str) -> dict[str, str]:
    """The declarations of a block that can hide, by property, in small letters.

    >>> declared("COLOR : Red !important; margin: 0")
    {'color': 'red'}
    """
    found: dict[str, str] = {}
    for part in _COMMENTS.sub("", style.lower()).split(";"):
        name, colon, value = part.partition(":")
        if colon and name.strip() in NAMES:
            found[name.strip()] = " ".join(value.replace("!important", "").split())
    return found


def hiding(style: Mapping[str, str]) -> Hiding | None:
    """How declarations hide what they are set on; None where they do not.

    Args:
        style: Values by property, as `declared` gives them.
    """
    ink, ground = _ink(style), _ground(style)
    if ink is not None and ground is not None and ink.seen and ground.seen and alike(ink, ground):
        return "on_its_ground"
    on_paper = ground is None or ground.parts is None or not ground.seen
    faint = ink is not None and (not ink.seen or (on_paper and is_white(ink)))
    return "unseen" if faint or any(_ways(style)) else None


def white_ink(style: Mapping[str, str]) -> bool | None:
    """Whether a text is written in white; None where no colour is set."""
    ink = colour(style.get("color", ""))
    return None if ink is None else ink.seen and is_white(ink)


def white_ground(style: Mapping[str, str]) -> bool | None:
    """Whether a text stands on white; None where no ground is set, False where none is known."""
    values = [style.get(name, "none") for name in (*GROUNDS, "text-shadow")]
    set_ones = [value for value in values if value not in _NO_GROUND]
    if not set_ones:
        return None
    ground = colour(set_ones[0])
    if ground is not None and not ground.seen:
        return None
    known = len(set_ones) == 1 and "url(" not in set_ones[0] and "gradient(" not in set_ones[0]
    return known and ground is not None and is_white(ground)


def _ways(style: Mapping[str, str]) -> Iterator[bool]:
    yield style.get("display") == "none" or style.get("content-visibility") == "hidden"
    yield style.get("visibility") in ("hidden", "collapse")
    for name in ("opacity", "fill-opacity"):
        yield _is_faint(style.get(name, ""))
    yield _is_tiny(style.get("font-size", "")) or _is_tiny(_font_size(style.get("font", "")))
    yield any(_is_far(style.get(name, "")) for name in _PLACED)
    yield _CLIPPED.search(f"{style.get('clip', '')} {style.get('clip-path', '')}") is not None
    yield _is_moved(style.get("transform", ""))
    if style.get("overflow", "") in ("hidden", "clip"):
        yield any(_is_tiny(style.get(name, "")) for name in _SIZES)


def _ink(style: Mapping[str, str]) -> Colour | None:
    return colour(style.get("color") or style.get("fill") or "")


def _ground(style: Mapping[str, str]) -> Colour | None:
    return colour(style.get("background-color") or style.get("background") or "")


def _is_faint(value: str) -> bool:
    match = _NUMBER.fullmatch(value)
    if match is None:
        return False
    return float(match[1] + (match[2] or "")) <= _LEAST_OPACITY * (100 if match[3] == "%" else 1)


def _is_tiny(value: str) -> bool:
    match = _NUMBER.fullmatch(value)
    if match is None:
        return False
    size = float(match[1] + (match[2] or ""))
    return size == 0 or 0 < size <= _LEAST_SIZE.get(match[3], 0)


def _font_size(font: str) -> str:
    """The size in a `font`, which stands before the slash or before the family."""
    sizes = [word.split("/")[0] for word in font.split() if _NUMBER.match(word)]
    # A bare number is a weight, unless it is 0.
    return next((size for size in sizes if not size.isdigit() or float(size) == 0), "")


def _is_far(value: str) -> bool:
    match = _NUMBER.fullmatch(value)
    if match is None:
        return False
    return float(match[1] + (match[2] or "")) * _PER_UNIT.get(match[3], 1) <= -_FAR


def _is_moved(value: str) -> bool:
    match = _MOVED.search(value)
    if match is None:
        return False
    return match[1] is None or float(match[1]) * _PER_UNIT[match[2]] >= _FAR
