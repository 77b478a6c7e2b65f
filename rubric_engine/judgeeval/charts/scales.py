"""From values to places on an axis, and where its ticks stand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """A piece of an axis.

    Attributes:
        low: Value at `start`.
        high: Value at `end`.
        start: Pixel.
        end: Pixel.
        log: Equal ratios take equal room.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """The place of a value; one outside goes to the nearer end."""
        share = (self._on(value) - self._on(self.low)) / (self._on(self.high) - self._on(self.low))
        return self.start + (self.end - self.start) * min(max(share, 0.0), 1.0)

    def _on(self, value: float) -> float:
        return math.log10(value) if self.log else value


def around(values: Iterable[float]) -> tuple[float, float]:
    """Tenths between 0 and 1 that hold all values, at least three apart."""
    known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low = max(0, math.floor(min(known) * 10 - 0.2))
    high = min(10, math.ceil(max(known) * 10 + 0.2))
    while high - low < 3:
        low, high = max(0, low - 1), min(10, high + 1)
    return low / 10, high / 10


def tenths(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Ticks between two tenths."""
    first, last = round(low * 10), round(high * 10)
    step = next(step for step in (1, 2, 5, 10) if (last - first) / step <= most)
    return tuple(tick / 10 for tick in range(first, last + 1) if tick % step == 0)


def decades(values: Sequence[float]) -> tuple[float, float]:
    """Ends of a log axis that holds all values, each of them 1, 2 or 5 times a power of ten."""
    low, high = min(values), max(values)
    steps = [tick for tick in _steps(low / 10, high * 10) if tick]
    return (
        max(tick for tick in steps if tick <= low / 1.15),
        min(tick for tick in steps if tick >= high * 1.15),
    )


def log_ticks(low: float, high: float, most: int = 7) -> tuple[float, ...]:
    """Ticks of a log axis: 1, 2 and 5 times powers of ten where they fit, else powers only."""
    every = [tick for tick in _steps(low, high) if low <= tick <= high]
    if len(every) <= most:
        return tuple(every)
    powers = [tick for tick in every if f"{tick:e}".startswith("1.0")]
    stride = math.ceil(len(powers) / most) or 1
    return tuple(powers[::stride])


def _steps(low: float, high: float) -> Iterable[float]:
    first, last = math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1
    return (float(f"{digit}e{power}") for power in range(first, last + 1) for digit in (1, 2, 5))
