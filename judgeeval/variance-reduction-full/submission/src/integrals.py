"""The integrals of section 2: each is the mean of a function of one uniform number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import e, erfc, exp, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NORMAL = NormalDist()

SPOT, STRIKE, RATE, VOLATILITY, YEARS = 100.0, 100.0, 0.05, 0.2, 1.0


@dataclass(frozen=True)
class Integral:
    """What is averaged, a control whose mean is known, and the exact answer."""

    value: Callable[[Array], Array]
    control: Callable[[Array], Array]
    control_mean: float
    exact: float


def normal_quantile(u: Array) -> Array:
    """Standard normal numbers from uniform ones; the ends 0 and 1 are kept out."""
    inside = np.clip(u, 1e-16, 1 - 1e-16)
    return np.array([NORMAL.inv_cdf(p) for p in inside.tolist()])


def stock(u: Array) -> Array:
    """Price of the stock after a year, under the risk-neutral measure."""
    drift = (RATE - VOLATILITY**2 / 2) * YEARS
    return SPOT * np.exp(drift + VOLATILITY * sqrt(YEARS) * normal_quantile(u))


def discounted_payoff(u: Array) -> Array:
    """Payoff of the call, discounted."""
    return exp(-RATE * YEARS) * np.maximum(stock(u) - STRIKE, 0.0)


def black_scholes() -> float:
    """The exact price of the call."""
    spread = VOLATILITY * sqrt(YEARS)
    d1 = (log(SPOT / STRIKE) + (RATE + VOLATILITY**2 / 2) * YEARS) / spread
    discounted_strike = STRIKE * exp(-RATE * YEARS)
    return SPOT * NORMAL.cdf(d1) - discounted_strike * NORMAL.cdf(d1 - spread)


def tail(threshold: float) -> float:
    """P(Z > threshold), without cancellation."""
    return erfc(threshold / sqrt(2)) / 2


INTEGRALS = {
    "exp": Integral(np.exp, lambda u: u, 0.5, e - 1),
    "call": Integral(discounted_payoff, stock, SPOT * exp(RATE * YEARS), black_scholes()),
}
