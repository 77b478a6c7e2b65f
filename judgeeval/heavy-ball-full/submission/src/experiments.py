"""The four experiments. Each returns rows; nothing here reads or writes a file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import numpy as np

from methods import METHODS, heavy_ball
from problems import BASES, DIMENSION, Quadratic, make_problem
from tuning import step_for_momentum, tune

Row = dict[str, Any]

KAPPAS = (10, 100, 1000)
SEEDS = range(5)
TOLERANCE = 1e-6
MAX_STEPS = 20_000

SWEEP_KAPPA = 100
SWEEP_BETAS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)

NOISE_KAPPA = 100
NOISE_LEVELS = (1e-3, 1e-2)
NOISE_STEPS, NOISE_TAIL = 6000, 4000


def errors_until_tolerance(problem: Quadratic, iterates: Iterator[np.ndarray]) -> list[float]:
    """Relative errors from step 0 up to the first that is within the tolerance."""
    errors: list[float] = []
    for x in islice(iterates, MAX_STEPS + 1):
        errors.append(problem.error(x))
        if errors[-1] <= TOLERANCE:
            break
    return errors


def solve(method: str, kappa: float, basis: str, seed: int) -> list[float]:
    """The error trace of one tuned method on one problem."""
    problem, tuning = make_problem(kappa, basis, seed), tune(method, kappa)
    start = np.zeros(DIMENSION)
    iterates = METHODS[method](problem.gradient, start, tuning.alpha, tuning.beta)
    return errors_until_tolerance(problem, iterates)


def parameters() -> list[Row]:
    """Table 1: what every method is run with."""
    rows = []
    for method, kappa in product(METHODS, KAPPAS):
        alpha, beta, _ = tune(method, kappa)
        rows.append({"method": method, "kappa": kappa, "alpha": alpha, "beta": beta})
    return rows


def iteration_counts() -> tuple[list[Row], list[Row]]:
    """Table 2: the steps of every run, and the traces of seed 0."""
    steps, traces = [], []
    for method, basis, kappa, seed in product(METHODS, BASES, KAPPAS, SEEDS):
        run = {"method": method, "basis": basis, "kappa": kappa, "seed": seed}
        errors = solve(method, kappa, basis, seed)
        steps.append(run | {"steps": len(errors) - 1})
        if seed == 0:
            traces += [run | {"step": k, "error": error} for k, error in enumerate(errors)]
    return steps, traces


def fitted_rate(errors: list[float]) -> float:
    """exp(slope) of the log error over the second half of a trace."""
    tail = np.log(errors[len(errors) // 2 :])
    return float(np.exp(np.polyfit(np.arange(len(tail)), tail, 1)[0]))


def rates() -> list[Row]:
    """Table 3: the rate of the diagonal trace of seed 0 beside the theory."""
    return [
        {
            "method": method,
            "kappa": kappa,
            "measured": fitted_rate(solve(method, kappa, "diagonal", 0)),
            "theory": tune(method, kappa).rate,
        }
        for method, kappa in product(METHODS, KAPPAS)
    ]


def sensitivity() -> list[Row]:
    """Table 4: heavy ball with a momentum that is not the optimal one."""
    best = tune("hb", SWEEP_KAPPA).beta
    rows = []
    for beta, seed in product(sorted({*SWEEP_BETAS, round(best, 4)}), SEEDS):
        problem = make_problem(SWEEP_KAPPA, "diagonal", seed)
        iterates = heavy_ball(
            problem.gradient, np.zeros(DIMENSION), step_for_momentum(beta), beta
        )
        count = len(errors_until_tolerance(problem, iterates)) - 1
        rows.append({"beta": beta, "seed": seed, "steps": count})
    return rows


def noise_floor(method: str, sigma: float, seed: int) -> float:
    """Root mean square distance to the solution once a noisy run has settled."""
    problem, tuning = make_problem(NOISE_KAPPA, "diagonal", seed), tune(method, NOISE_KAPPA)
    # a stream of its own, so that the noise is independent of the problem
    rng = np.random.default_rng([seed, 1])

    def noisy_gradient(x: np.ndarray) -> np.ndarray:
        return problem.gradient(x) + sigma * rng.standard_normal(DIMENSION)

    iterates = METHODS[method](noisy_gradient, np.zeros(DIMENSION), tuning.alpha, tuning.beta)
    tail = islice(iterates, NOISE_STEPS - NOISE_TAIL, NOISE_STEPS)
    return float(np.sqrt(np.mean([np.sum((x - problem.solution) ** 2) for x in tail])))


def noise() -> list[Row]:
    """Table 5: the floor of gradient descent and heavy ball at each noise level."""
    return [
        {
            "method": method,
            "sigma": sigma,
            "seed": seed,
            "floor": noise_floor(method, sigma, seed),
        }
        for method, sigma, seed in product(("gd", "hb"), NOISE_LEVELS, SEEDS)
    ]
