"""The three update rules, as endless streams of iterates (equations 1 to 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from problems import Vector

Gradient = Callable[[Vector], Vector]


def gradient_descent(
    gradient: Gradient, start: Vector, alpha: float, beta: float = 0.0
) -> Iterator[Vector]:
    """Equation 1. `beta` is accepted, and unused, so that all methods are called alike."""
    x = start
    while True:
        yield x
        x = x - alpha * gradient(x)


def heavy_ball(gradient: Gradient, start: Vector, alpha: float, beta: float) -> Iterator[Vector]:
    """Equation 2: the gradient is taken at x itself, the last displacement is added to it."""
    previous, x = start, start
    while True:
        yield x
        previous, x = x, x - alpha * gradient(x) + beta * (x - previous)


def nesterov(gradient: Gradient, start: Vector, alpha: float, beta: float) -> Iterator[Vector]:
    """Equation 3: the gradient is taken at the extrapolated point."""
    previous, x = start, start
    while True:
        yield x
        ahead = x + beta * (x - previous)
        previous, x = x, ahead - alpha * gradient(ahead)


METHODS = {"gd": gradient_descent, "hb": heavy_ball, "nesterov": nesterov}
