"""Optimal parameters and rates on quadratics with spectrum in [1 / kappa, 1] (table 1)."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple


class Tuning(NamedTuple):
    """Step size, momentum, and the linear rate that they give."""

    alpha: float
    beta: float
    rate: float


def tune(method: str, kappa: float) -> Tuning:
    """The parameters with the best worst-case rate for `method`."""
    mu, root = 1.0 / kappa, sqrt(kappa)
    if method == "gd":
        return Tuning(2.0 / (1.0 + mu), 0.0, (kappa - 1) / (kappa + 1))
    if method == "hb":
        rate = (root - 1) / (root + 1)
        return Tuning(4.0 / (1.0 + sqrt(mu)) ** 2, rate**2, rate)
    if method == "nesterov":
        wide = sqrt(3 * kappa + 1)
        return Tuning(4.0 / (3.0 + mu), (wide - 2) / (wide + 2), 1 - 2 / wide)
    raise ValueError(f"unknown method {method!r}")


def step_for_momentum(beta: float) -> float:
    """Equation 4: the largest step that leaves the stiffest direction critically damped."""
    return (1.0 + sqrt(beta)) ** 2
