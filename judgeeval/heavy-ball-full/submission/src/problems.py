"""Quadratic test problems with a chosen condition number (section 2 of the paper)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

DIMENSION = 100
BASES = ("diagonal", "rotated")


@dataclass(frozen=True)
class Quadratic:
    """f(x) = (x - solution)' A (x - solution) / 2, started at the origin."""

    hessian: Vector | Matrix
    solution: Vector

    def gradient(self, point: Vector) -> Vector:
        """Gradient of f; a one-dimensional Hessian is read as a diagonal."""
        offset = point - self.solution
        return self.hessian * offset if self.hessian.ndim == 1 else self.hessian @ offset

    def error(self, point: Vector) -> float:
        """Distance to the solution, relative to the distance at the start."""
        return float(np.linalg.norm(point - self.solution) / np.linalg.norm(self.solution))


def spectrum(kappa: float, dimension: int = DIMENSION) -> Vector:
    """Eigenvalues spaced evenly on a log scale from 1 down to 1 / kappa."""
    return kappa ** -np.linspace(0.0, 1.0, dimension)


def random_orthogonal(rng: np.random.Generator, dimension: int = DIMENSION) -> Matrix:
    """A rotation drawn from the Haar measure.

    QR alone is not uniform: LAPACK fixes the signs of R. Moving them into Q repairs that.
    """
    q, r = np.linalg.qr(rng.standard_normal((dimension, dimension)))
    return q * np.sign(np.diag(r))


def make_problem(kappa: float, basis: str, seed: int) -> Quadratic:
    """The problem of one seed.

    Both bases of a seed share their eigenvector coordinates, so that only the basis differs.
    """
    rng = np.random.default_rng(seed)
    coordinates = rng.standard_normal(DIMENSION)
    eigenvalues = spectrum(kappa)
    if basis == "diagonal":
        return Quadratic(eigenvalues, coordinates)
    q = random_orthogonal(rng)
    return Quadratic((q * eigenvalues) @ q.T, q @ coordinates)
