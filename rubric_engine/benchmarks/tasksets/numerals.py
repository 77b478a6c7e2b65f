"""Numbers as answers write them: `-1,234.5`, `1e-3`, also with U+2212 for a minus. Pure."""

from __future__ import annotations

import re
from collections import deque

_PLAIN = r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+\u2212]?\d+)?"
# So many groups at most, for a text of nothing else to be searched in linear time.
_GROUPED = r"\d{1,3}(?:,\d{3}){1,10}(?!\d|,\d)(?:\.\d*)?(?:[eE][-+\u2212]?\d+)?"
_NUMERAL = re.compile(rf"[-+\u2212]?(?:{_GROUPED}|{_PLAIN})")
_UNGROUPED = re.compile(rf"[-+\u2212]?{_PLAIN}")


def number_of(text: str) -> float | None:
    """The number that a text is, nothing else beside it.

    Args:
        text: The text.

    Returns:
        The number, infinite where it is too large; None where the text is none.
    """
    return _value(text) if _NUMERAL.fullmatch(text) else None


def last_number(text: str, *, commas_separate: bool = False) -> float | None:
    """The last number in a text.

    Args:
        text: The text.
        commas_separate: Whether a comma separates numbers, as in data, and stands in none.

    Returns:
        The number, infinite where it is too large; None where there is none.
    """
    pattern = _UNGROUPED if commas_separate else _NUMERAL
    last = deque(pattern.finditer(text), maxlen=1)
    return _value(last[0][0]) if last else None


def _value(numeral: str) -> float:
    return float(numeral.replace(",", "").replace("\u2212", "-"))
