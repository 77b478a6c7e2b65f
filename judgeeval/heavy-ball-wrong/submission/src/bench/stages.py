"""The stages of the benchmark: each reads the config and writes files to results/."""

import itertools
import json

import numpy as np

from .runner import Runner
from .tables import read, write
from .tuning import optimal, theoretical_rate
from .updates import UPDATES, Hyper, State, heavy_ball


def counts(config: dict) -> None:
    runner, steps, traces = Runner(config), [], []
    grid = itertools.product(UPDATES, config["bases"], config["kappas"], config["seeds"])
    for method, basis, kappa, seed in grid:
        problem = runner.problem(kappa, basis, seed)
        errors = runner.run(UPDATES[method], problem, optimal(method, kappa))
        steps.append((method, basis, kappa, seed, len(errors) - 1))
        if seed == 0:
            traces.extend((method, basis, kappa, seed, k, e) for k, e in enumerate(errors))
    write("steps", ("method", "basis", "kappa", "seed", "steps"), steps)
    write("traces", ("method", "basis", "kappa", "seed", "step", "error"), traces)
    pairs = itertools.product(UPDATES, config["kappas"])
    tuned = [(m, k, optimal(m, k).alpha, optimal(m, k).beta) for m, k in pairs]
    write("parameters", ("method", "kappa", "alpha", "beta"), tuned)


def rates(config: dict) -> None:
    errors: dict[tuple[str, int], list[float]] = {}
    for row in read("traces"):
        if row["basis"] == "diagonal":
            errors.setdefault((row["method"], int(row["kappa"])), []).append(float(row["error"]))
    rows = []
    for (method, kappa), trace in errors.items():
        half = np.log(trace[: len(trace) // 2])
        slope = np.polyfit(np.arange(half.size), half, 1)[0]
        rows.append((method, kappa, float(np.exp(slope)), theoretical_rate(method, kappa)))
    write("rates", ("method", "kappa", "measured", "theory"), rows)


def sweep(config: dict) -> None:
    runner, kappa, rows = Runner(config), config["sweep"]["kappa"], []
    for beta, seed in itertools.product(config["sweep"]["betas"], config["seeds"]):
        hyper = Hyper(alpha=(1 + beta**0.5) ** 2, beta=beta)
        errors = runner.run(heavy_ball, runner.problem(kappa, "diagonal", seed), hyper)
        rows.append((beta, seed, len(errors) - 1))
    write("sensitivity", ("beta", "seed", "steps"), rows)


class NoisyProblem:
    """A problem whose gradient carries Gaussian noise."""

    def __init__(self, problem, sigma: float, seed: int):
        self.problem, self.sigma = problem, sigma
        self.rng = np.random.default_rng(1000 + seed)

    def grad(self, x: np.ndarray) -> np.ndarray:
        return self.problem.grad(x) + self.rng.normal(0.0, self.sigma, x.shape)


def noise(config: dict) -> None:
    runner, settings, rows = Runner(config), config["noise"], []
    grid = itertools.product(("gd", "hb"), settings["sigmas"], config["seeds"])
    for method, sigma, seed in grid:
        clean = runner.problem(settings["kappa"], "diagonal", seed)
        noisy = NoisyProblem(clean, sigma, seed)
        state, hyper = State.at_origin(config["dimension"]), optimal(method, settings["kappa"])
        path = []
        for _ in range(settings["steps"]):
            state = UPDATES[method](noisy, state, hyper)
            path.append(state.x - clean.solution)
        tail = np.array(path[-settings["tail"] :])
        rows.append((method, sigma, seed, float(np.sqrt(np.mean(tail**2)))))
    write("noise", ("method", "sigma", "seed", "floor"), rows)


def summary(config: dict) -> None:
    shape = (len(config["kappas"]), len(config["seeds"]))
    mean_steps = {}
    for method in UPDATES:
        rows = [r for r in read("steps") if r["method"] == method and r["basis"] == "diagonal"]
        table = np.array([int(r["steps"]) for r in rows]).reshape(shape)
        means = table.mean(axis=0)
        mean_steps[method] = {f"kappa_{k}": float(m) for k, m in zip(config["kappas"], means)}
    speedup = {key: gd / mean_steps["hb"][key] for key, gd in mean_steps["gd"].items()}
    with open("results/summary.json", "w") as stream:
        json.dump({"mean_steps": mean_steps, "speedup": speedup}, stream, indent=2)
    for kappa in config["kappas"]:
        print(f"speedup kappa={kappa}: {speedup[f'kappa_{kappa}']:.2f}")
