"""Update rules. Each maps (problem, state, hyperparameters) to the next state."""

from dataclasses import dataclass

import numpy as np


@dataclass
class State:
    """Current point and the velocity that momentum methods carry along."""

    x: np.ndarray
    velocity: np.ndarray

    @classmethod
    def at_origin(cls, dimension: int) -> "State":
        return cls(np.zeros(dimension), np.zeros(dimension))


@dataclass(frozen=True)
class Hyper:
    alpha: float
    beta: float = 0.0


def gradient_descent(problem, state: State, hyper: Hyper) -> State:
    """Equation 1."""
    return State(state.x - hyper.alpha * problem.grad(state.x), state.velocity)


def heavy_ball(problem, state: State, hyper: Hyper) -> State:
    """Equation 2: Polyak's momentum, an exponential average of past gradients."""
    velocity = hyper.beta * state.velocity + (1.0 - hyper.beta) * problem.grad(state.x)
    return State(state.x - hyper.alpha * velocity, velocity)


def nesterov(problem, state: State, hyper: Hyper) -> State:
    """Equation 3: gradient at the look-ahead point."""
    ahead = state.x + hyper.beta * state.velocity
    new = ahead - hyper.alpha * problem.grad(ahead)
    return State(new, new - state.x)


UPDATES = {"gd": gradient_descent, "hb": heavy_ball, "nesterov": nesterov}
