"""What the roles of marks look like, on light and on dark pages."""

from __future__ import annotations

from collections.abc import Mapping

from rubric_engine.judgeeval.charts.marks import Role

COLOURS: Mapping[Role, tuple[str, str]] = {
    "ink": ("#1f2328", "#e6edf3"),
    "muted": ("#59636e", "#9aa4b0"),
    "grid": ("#d8dee4", "#30363d"),
    "paper": ("#ffffff", "#0d1117"),
    "here": ("#0a53a8", "#6cb6ff"),
    "anew": ("#9a4a00", "#f0a05a"),
    "baseline": ("#59636e", "#9aa4b0"),
    "bad": ("#b3261e", "#ff8f87"),
}
"""Colour by role: light, dark. Text in any of them but ``grid`` is readable on ``paper``."""


def tint(share: float) -> float:
    """Opacity of a cell by the share that it stands for, such that ink stays readable on it."""
    return 0.06 + 0.42 * share
