import numpy as np


# every method: takes a function grad(x), returns the list of errors, one per step


def gradient_descent(grad, xstar, alpha, tol=1e-6, max_steps=20000):
    x = np.zeros_like(xstar)
    errs = [1.0]
    while errs[-1] > tol and len(errs) <= max_steps:
        x = x - alpha * grad(x)
        errs.append(rel_error(x, xstar))
    return errs


def heavy_ball(grad, xstar, alpha, beta, tol=1e-6, max_steps=20000):
    x = np.zeros_like(xstar)
    v = np.zeros_like(xstar)  # v = x_k - x_{k-1}
    errs = [1.0]
    while errs[-1] > tol and len(errs) <= max_steps:
        v = beta * v - alpha * grad(x)
        x = x + v
        errs.append(rel_error(x, xstar))
    return errs


# TODO nesterov. ran out of time, see README


def rel_error(x, xstar):
    # distance now / distance at the start; the start is x = 0
    return np.linalg.norm(x - xstar) / np.linalg.norm(xstar)
