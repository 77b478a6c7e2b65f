"""Scores and points in words, the same wherever a person reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.grading import Score


def percent(value: float | None) -> str:
    """A share as a percentage with one decimal, or a dash."""
    return "-" if value is None else f"{100 * value:.1f}%"


def span(score: Score) -> str:
    """A score as one percentage, or as its range where leaves are open."""
    return span_of({"low": score.low, "high": score.high})


def span_of(score: Mapping[str, Any]) -> str:
    """The same of a score as plain JSON values."""
    if score["low"] == score["high"]:
        return percent(score["low"])
    return f"{percent(score['low'])[:-1]}-{percent(score['high'])}"


def points(value: float) -> str:
    """Points of 100 with one decimal; what is too small to show says so."""
    return "<0.1" if 0 < value < 0.05 else f"{value:.1f}"
