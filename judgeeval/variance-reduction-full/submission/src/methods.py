"""The five estimators of section 3. Each spends n evaluations of the integrand."""

from __future__ import annotations

from math import sqrt

import numpy as np

from integrals import Integral


def plain(integral: Integral, rng: np.random.Generator, n: int) -> float:
    """Equation 1: the mean of n independent values."""
    return float(integral.value(rng.random(n)).mean())


def antithetic(integral: Integral, rng: np.random.Generator, n: int) -> float:
    """Equation 2: n / 2 pairs u and 1 - u."""
    u = rng.random(n // 2)
    return float((integral.value(u) + integral.value(1 - u)).mean() / 2)


def control_variate(integral: Integral, rng: np.random.Generator, n: int) -> float:
    """Equation 3: the coefficient is fitted on the sample that is averaged."""
    u = rng.random(n)
    values, control = integral.value(u), integral.control(u)
    centred = control - control.mean()
    slope = (centred @ values) / (centred @ centred)
    return float(values.mean() - slope * (control.mean() - integral.control_mean))


def stratified(integral: Integral, rng: np.random.Generator, n: int) -> float:
    """Equation 4: one point in each of n cells of equal width."""
    return float(integral.value((np.arange(n) + rng.random(n)) / n).mean())


def importance(
    threshold: float, shift: float, rng: np.random.Generator, n: int
) -> tuple[float, float]:
    """Equation 5: P(Z > threshold) from draws of N(shift, 1), and its half-width (equation 6)."""
    z = shift + rng.standard_normal(n)
    weighted = np.where(z > threshold, np.exp(shift**2 / 2 - shift * z), 0.0)
    return float(weighted.mean()), 1.96 * float(weighted.std(ddof=1)) / sqrt(n)


METHODS = {
    "plain": plain,
    "antithetic": antithetic,
    "control": control_variate,
    "stratified": stratified,
}
