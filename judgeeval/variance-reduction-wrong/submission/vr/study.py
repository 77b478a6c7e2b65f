"""The study: runs every section and collects tables."""

import math
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from .estimators import ESTIMATORS, importance
from .problems import PROBLEMS


@dataclass
class Study:
    """All settings of the paper, and the tables that come out."""

    reps: int = 400
    sizes: tuple[int, ...] = (16, 64, 256, 1024)
    thresholds: tuple[int, ...] = (2, 3, 4, 5)
    shifts: tuple[int, ...] = tuple(range(9))
    tail_size: int = 10_000
    tables: dict[str, list[dict]] = field(default_factory=lambda: defaultdict(list))

    def run(self) -> dict[str, list[dict]]:
        self._estimates()
        self._ratios()
        self._rates()
        self._tail()
        self._shift()
        self._coverage()
        return self.tables

    def _estimates(self) -> None:
        rng = np.random.default_rng(2024)
        for problem in PROBLEMS:
            for method, estimator in ESTIMATORS.items():
                for n in self.sizes:
                    for rep in range(self.reps):
                        row = dict(problem=problem.name, method=method, n=n, rep=rep)
                        self.tables["estimates"].append(row | {"estimate": estimator(problem, rng, n)})

    def _select(self, problem: str, method: str, n: int) -> np.ndarray:
        return np.array([
            row["estimate"] for row in self.tables["estimates"]
            if (row["problem"], row["method"], row["n"]) == (problem, method, n)
        ])

    def _ratios(self) -> None:
        n = self.sizes[-1]
        for problem in PROBLEMS:
            base = self._select(problem.name, "plain", n).std()
            for method in ESTIMATORS:
                ratio = base / self._select(problem.name, method, n).std()
                self.tables["ratios"].append(dict(problem=problem.name, method=method, ratio=ratio))

    def _rates(self) -> None:
        for problem in PROBLEMS:
            for method in ESTIMATORS:
                error = [
                    np.mean((self._select(problem.name, method, n) - problem.exact) ** 2)
                    for n in self.sizes
                ]
                slope = np.polyfit(np.log(self.sizes), np.log(error), 1)[0]
                self.tables["rates"].append(dict(problem=problem.name, method=method, slope=slope))

    def _tail(self) -> None:
        rng = np.random.default_rng(2025)
        for c in self.thresholds:
            for method, theta in (("plain", 0), ("importance", c)):
                for rep in range(self.reps):
                    estimate, half = importance(c, theta, rng, self.tail_size)
                    row = dict(c=c, method=method, rep=rep, estimate=estimate, half_width=half)
                    self.tables["tail"].append(row)

    def _shift(self) -> None:
        rng = np.random.default_rng(2026)
        for theta in self.shifts:
            for rep in range(self.reps):
                estimate, _ = importance(4, theta, rng, self.tail_size)
                self.tables["shift"].append(dict(theta=theta, rep=rep, estimate=estimate))

    def _coverage(self) -> None:
        for c in self.thresholds:
            for method in ("plain", "importance"):
                rows = [r for r in self.tables["tail"] if (r["c"], r["method"]) == (c, method)]
                center = np.mean([r["estimate"] for r in rows])
                held = [abs(r["estimate"] - center) <= r["half_width"] for r in rows]
                self.tables["coverage"].append(dict(c=c, method=method, coverage=np.mean(held)))


def tail_probability(c: float) -> float:
    return math.erfc(c / math.sqrt(2)) / 2
