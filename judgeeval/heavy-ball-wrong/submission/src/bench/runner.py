"""Runs one method on one problem until it has converged."""

from typing import Callable

from .problem import Quadratic
from .updates import Hyper, State


class Runner:
    """Iterates an update rule and records the relative error after each step."""

    def __init__(self, config: dict):
        self.dimension = config["dimension"]
        self.tolerance = config["tolerance"]
        self.max_steps = config["max_steps"]

    def problem(self, kappa: float, basis: str, seed: int) -> Quadratic:
        return Quadratic(self.dimension, kappa, basis, seed)

    def run(self, update: Callable, problem: Quadratic, hyper: Hyper) -> list[float]:
        state = State.at_origin(self.dimension)
        start = problem.value(state.x)
        errors = [1.0]
        while errors[-1] > self.tolerance and len(errors) <= self.max_steps:
            state = update(problem, state, hyper)
            errors.append(problem.value(state.x) / start)
        return errors
