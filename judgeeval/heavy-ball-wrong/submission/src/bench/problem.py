"""The quadratic test problem."""

import numpy as np


class Quadratic:
    """f(x) = 1/2 (x - x*)^T A (x - x*) with a log-spaced spectrum in [1 / kappa, 1]."""

    def __init__(self, dimension: int, kappa: float, basis: str, seed: int):
        rng = np.random.default_rng(seed)
        self.eigenvalues = np.geomspace(1.0, 1.0 / kappa, dimension)
        self.solution = rng.standard_normal(dimension)
        if basis == "rotated":
            q, _ = np.linalg.qr(rng.standard_normal((dimension, dimension)))
            self.solution = q @ self.solution

    def grad(self, x: np.ndarray) -> np.ndarray:
        return self.eigenvalues * (x - self.solution)

    def value(self, x: np.ndarray) -> float:
        return 0.5 * float(np.sum(self.eigenvalues * (x - self.solution) ** 2))
