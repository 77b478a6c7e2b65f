"""How long a server asks to wait: by its headers, or else by its words."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_PART = r"(\d+(?:\.\d+)?)(ms|s|m|h|d)"
_DURATION = re.compile(rf"(?:{_PART})+")
_WORDS = re.compile(
    rf"(?:try again|retry) (?:in|after) ((?:{_PART}\s*)+|\d+(?:\.\d+)?(?= seconds?\b))",
    re.IGNORECASE,
)
_EPOCH = 1e9  # a number of seconds as large as this is a moment, in seconds or milliseconds


def asked_wait(headers: Mapping[str, str], message: str = "") -> float | None:
    """Return the seconds that a server asks to wait, or None where it does not say.

    Args:
        headers: The response's headers, names in lower case.
        message: The words of the error.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    if "retry-after" in headers:
        return _retry_after(headers["retry-after"])
    resets = [
        wait
        for name, left in headers.items()
        if "ratelimit" in name and "remaining" in name and left.strip() == "0"
        if (wait := _reset(headers.get(name.replace("remaining", "reset"), ""))) is not None
    ]
    if resets:
        return max(resets)
    said = _WORDS.search(message)
    return duration(said[1]) if said else None


def duration(text: str) -> float | None:
    """Read a duration such as ``6m0s``, ``20ms`` or ``1.5``, in seconds.

    >>> duration("1m30s"), duration("2"), duration("soon")
    (90.0, 2.0, None)
    """
    text = re.sub(r"\s", "", text.lower())
    if _DURATION.fullmatch(text):
        return math.fsum(float(n) * _UNITS[unit] for n, unit in re.findall(_PART, text))
    return _number(text)


def _reset(value: str) -> float | None:
    """A reset is a duration, or the moment when it comes: as a date or in time since the epoch."""
    wait = duration(value)
    if wait is None:
        try:
            wait = datetime.fromisoformat(value).timestamp()
        except ValueError:
            return None
    if wait < _EPOCH:
        return wait
    moment = wait / 1000 if wait > _EPOCH * 1000 else wait
    return max(0.0, moment - time.time())


def _retry_after(value: str) -> float | None:
    seconds = _number(value)
    if seconds is not None:
        return seconds
    try:
        when = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return max(0.0, when.timestamp() - time.time())


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
