"""Scores and points in words, the same wherever a person reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.grading import Score


def percent(value: float | None) -> str:
    """A share as a percentage with one decimal, or a dash."""
    return "-" if value is None else f"{100 * value:.1f}%"


def written(value: float, form: str) -> str:
    """A number as text; a zero that rounding made has no sign.

    Args:
        value: The number.
        form: How to write it, as `format` takes it.
    """
    text = format(value, form)
    return text.lstrip("+-") if not text.strip("+-0.%") else text


def span(score: Score) -> str:
    """A score as one percentage, or as its range where leaves are open."""
    return span_of({"low": score.low, "high": score.high})


def span_of(score: Mapping[str, Any]) -> str:
    """The same of a score as plain JSON values."""
    if score["low"] == score["high"]:
        return percent(score["low"])
    return f"{percent(score['low'])[:-1]}-{percent(score['high'])}"


def metric_word(value: bool | None) -> str:
    """The value of a metric in one word."""
    return "undefined" if value is None else "true" if value else "false"


def points(value: float, digits: int = 1) -> str:
    """Points of 100; what is too small to show says so."""
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if 0 < value < least / 2 else f"{value:.{digits}f}"


_ROUNDING = 1e-9


def signed(value: float, digits: int = 1) -> str:
    """Points of 100 with a sign; what is too small to show says so, and none have no sign."""
    least = 10.0**-digits
    if abs(value) < _ROUNDING:
        return f"{0:.{digits}f}"
    if abs(value) < least / 2:
        return f"<+{least:.{digits}f}" if value > 0 else f">-{least:.{digits}f}"
    return f"{value:+.{digits}f}"


_HYPHEN = re.compile(r"(?<![^\s(\[>])-(?=\d)")


def typeset(text: str) -> str:
    """Words with figures as a page shows them: a true minus before a number, and true arrows."""
    return _HYPHEN.sub("\N{MINUS SIGN}", text).replace("->", "\N{RIGHTWARDS ARROW}")
