"""The parts of an answer, and which of them must hold together: metrics of the core. Pure.

The rubric of a question has the same metrics, less the monitor and the chain that begins with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from rubric_engine.benchmarks.expbench.rubric_of import (
    CONCLUSION,
    DESIGN,
    EXECUTION,
    IMPLEMENTATION,
    METRICS,
)
from rubric_engine.formulas import Metrics, require_metrics
from rubric_engine.metrics import Standing, decide

Part = Literal["D", "I", "C", "E", "M"]

MONITOR = "Monitor"
"""What stands beside the categories of the rubric; no leaf is of it."""

CATEGORY_OF: Mapping[Part, str] = MappingProxyType(
    {"D": DESIGN, "I": IMPLEMENTATION, "C": CONCLUSION, "E": EXECUTION, "M": MONITOR}
)
"""The parts, and the category that each asks about."""

PARTS: Mapping[Part, str] = MappingProxyType(
    {part: category.lower() for part, category in CATEGORY_OF.items()}
)
"""The parts, and what they are called."""

JUDGED: tuple[Part, ...] = ("D", "I", "C")
"""The parts that a judge grades."""

_CHAIN = {
    "M": MONITOR,
    "MD": "M and D",
    "MDC": "MD and C",
    "MDCI": "MDC and I",
    "MDCIE": "MDCI and E",
}

CONJUNCTIONS = tuple(name for name in METRICS if name not in CATEGORY_OF)
"""The conjunctions of the benchmark's own table."""

CHAIN = tuple(_CHAIN)
"""The chain: each is what the one before demands, and one part more."""


@lru_cache(maxsize=64)
def metrics_at(tau: float) -> Metrics:
    """The metrics of the table.

    Args:
        tau: The share of its leaves from which on D, I and C hold.

    Raises:
        RubricError: `tau` is no share.
    """
    asked: dict[str, str] = {part: f"{CATEGORY_OF[part]} >= {tau:.12f}" for part in JUDGED}
    return require_metrics({**METRICS, **asked, **_CHAIN}, CATEGORY_OF.values())


def parts_of(name: str) -> tuple[Part, ...]:
    """The parts that must hold for a metric of the table."""
    asked = {atom.category for atom in metrics_at(1.0).signs.of(name)}
    return tuple(part for part, category in CATEGORY_OF.items() if category in asked)


def decided(standings: Mapping[str, Standing], tau: float) -> dict[str, bool | None]:
    """Every metric of the table for one answer: it holds, fails, or is undefined (None).

    Args:
        standings: How the categories stand; one of which nothing is known is left out.
        tau: The share of its leaves from which on D, I and C hold.
    """
    return decide(metrics_at(tau), standings)
