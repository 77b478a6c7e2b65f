"""Sizes and times as people write them: `4g`, `512m`, `90`, `12h`. Pure."""

from __future__ import annotations

import re

_AMOUNT = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?)\s*([a-z]{0,3})")
_SIZES = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_TIMES = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400}


def as_bytes(value: object) -> object:
    """Bytes of a size; what is no text stays as it is.

    >>> as_bytes("4g"), as_bytes("512M"), as_bytes("1.5k"), as_bytes(7)
    (4294967296, 536870912, 1536, 7)

    Raises:
        ValueError: A text is no size.
    """
    if not isinstance(value, str):
        return value
    number, unit = _split(value)
    for suffix in ("ib", "b"):  # 4GiB and 4GB are what 4g is
        unit = unit.removesuffix(suffix) or unit if len(unit) > 1 else unit
    if number is None or unit not in _SIZES:
        raise ValueError(f"{value!r} is no size; write it as 512m or 4g, or as a number of bytes")
    return int(number * _SIZES[unit])


def as_seconds(value: object) -> object:
    """Seconds of a time; what is no text stays as it is.

    >>> as_seconds("12h"), as_seconds("90"), as_seconds("0.5"), as_seconds(7)
    (43200.0, 90.0, 0.5, 7)

    Raises:
        ValueError: A text is no time.
    """
    if not isinstance(value, str):
        return value
    number, unit = _split(value)
    if number is None or unit not in _TIMES:
        raise ValueError(f"{value!r} is no time; write it as 90s, 30m or 12h, or as seconds")
    return number * _TIMES[unit]


def _split(text: str) -> tuple[float | None, str]:
    found = _AMOUNT.fullmatch(text.strip().lower())
    return (float(found[1]), found[2]) if found else (None, "")
