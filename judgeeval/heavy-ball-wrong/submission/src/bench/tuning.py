"""Hyperparameters and rates from the paper's Table 1 (L = 1, mu = 1 / kappa)."""

import math

from .updates import Hyper


def optimal(method: str, kappa: float) -> Hyper:
    root = math.sqrt(kappa)
    if method == "gd":
        return Hyper(alpha=1.0)  # 1 / L
    if method == "hb":
        return Hyper(alpha=4.0 / (1.0 + 1.0 / root) ** 2, beta=((root - 1) / (root + 1)) ** 2)
    return Hyper(alpha=1.0, beta=(root - 1) / (root + 1))


def theoretical_rate(method: str, kappa: float) -> float:
    root = math.sqrt(kappa)
    return {
        "gd": (kappa - 1) / (kappa + 1),
        "hb": (root - 1) / (root + 1),
        "nesterov": 1 - 2 / math.sqrt(3 * kappa + 1),
    }[method]
