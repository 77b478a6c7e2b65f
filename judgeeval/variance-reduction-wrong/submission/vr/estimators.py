"""Estimators, equations (1) to (5)."""

import numpy as np

from .problems import Problem

CELLS = 16


def plain(problem: Problem, rng: np.random.Generator, n: int) -> float:
    """Equation (1)."""
    return float(np.mean(problem.f(rng.random(n))))


def antithetic(problem: Problem, rng: np.random.Generator, n: int) -> float:
    """Equation (2): n antithetic pairs."""
    u, v = rng.random(n), 1.0 - rng.random(n)
    return float(np.mean((problem.f(u) + problem.f(v)) / 2))


def control_variate(problem: Problem, rng: np.random.Generator, n: int) -> float:
    """Equation (3)."""
    u = rng.random(n)
    y, x = problem.f(u), problem.g(u)
    slope = np.cov(y, x)[0, 1] / np.var(x, ddof=1)
    return float(np.mean(y) + slope * (np.mean(x) - problem.control_mean))


def stratified(problem: Problem, rng: np.random.Generator, n: int) -> float:
    """Equation (4): equal cells, the same number of points in each."""
    cell = np.arange(n) % CELLS
    return float(np.mean(problem.f((cell + rng.random(n)) / CELLS)))


def importance(c: float, theta: float, rng: np.random.Generator, n: int) -> tuple[float, float]:
    """Equation (5) and the half-width of equation (6)."""
    z = rng.normal(theta, 1.0, n)
    weights = np.exp(-theta * (z - theta) / 2) * (z > c)
    return float(weights.mean()), float(1.96 * weights.std(ddof=1) / np.sqrt(n))


ESTIMATORS = {
    "plain": plain,
    "antithetic": antithetic,
    "control": control_variate,
    "stratified": stratified,
}
