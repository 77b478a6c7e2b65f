"""Integrands as objects."""

import math
from abc import ABC, abstractmethod
from statistics import NormalDist

import numpy as np


class Problem(ABC):
    """An integrand on the unit interval, with a control variate."""

    name: str
    exact: float
    control_mean: float

    @abstractmethod
    def f(self, u: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def g(self, u: np.ndarray) -> np.ndarray: ...


class Exponential(Problem):
    name, exact, control_mean = "exp", math.e - 1.0, 0.5

    def f(self, u):
        return np.exp(u)

    def g(self, u):
        return u


class Call(Problem):
    name, exact, control_mean = "call", 10.4506, 100.0 * math.exp(0.05)
    quantile = staticmethod(np.vectorize(NormalDist().inv_cdf, otypes=[float]))

    def f(self, u):
        return np.maximum(self.g(u) - 100.0, 0.0)

    def g(self, u):
        return 100.0 * np.exp(0.03 + 0.2 * self.quantile(u))


PROBLEMS = (Exponential(), Call())
