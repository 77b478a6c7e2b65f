"""The experiments of sections 4 to 8. Each returns rows; nothing here reads or writes a file."""

from __future__ import annotations

from itertools import product
from statistics import fmean, stdev, variance
from typing import Any

import numpy as np

from integrals import INTEGRALS, tail
from methods import METHODS, importance

Row = dict[str, Any]

SIZES = (16, 64, 256, 1024)
REPETITIONS = range(400)
THRESHOLDS = (2, 3, 4, 5)
SHIFTS = range(9)
TAIL_SIZE = 10_000
SHIFT_THRESHOLD = 4


def estimates() -> list[Row]:
    """Every repetition of sections 4 and 5."""
    rows = []
    for (place, problem), (kind, method), n in product(
        enumerate(INTEGRALS), enumerate(METHODS), SIZES
    ):
        for rep in REPETITIONS:
            rng = np.random.default_rng([rep, place, kind, n])
            value = METHODS[method](INTEGRALS[problem], rng, n)
            rows.append(
                {"problem": problem, "method": method, "n": n, "rep": rep, "estimate": value}
            )
    return rows


def of(rows: list[Row], **where: object) -> list[float]:
    """The estimates of the rows that match all of `where`."""
    return [row["estimate"] for row in rows if all(row[k] == v for k, v in where.items())]


def ratios(rows: list[Row]) -> list[Row]:
    """Table 1: how many times smaller than plain sampling's the variance is."""
    n = SIZES[-1]
    base = {p: variance(of(rows, problem=p, method="plain", n=n)) for p in INTEGRALS}
    return [
        {
            "problem": problem,
            "method": method,
            "ratio": base[problem] / variance(of(rows, problem=problem, method=method, n=n)),
        }
        for problem, method in product(INTEGRALS, METHODS)
    ]


def rates(rows: list[Row]) -> list[Row]:
    """Table 2: slope of the log root mean square error over log n."""
    found = []
    for problem, method in product(INTEGRALS, METHODS):
        exact = INTEGRALS[problem].exact
        errors = [
            fmean((v - exact) ** 2 for v in of(rows, problem=problem, method=method, n=n)) ** 0.5
            for n in SIZES
        ]
        slope = float(np.polyfit(np.log(SIZES), np.log(errors), 1)[0])
        found.append({"problem": problem, "method": method, "slope": slope})
    return found


def tails() -> list[Row]:
    """Every repetition of section 6: plain sampling is the shift 0."""
    rows = []
    for c, method, rep in product(THRESHOLDS, ("plain", "importance"), REPETITIONS):
        shift = c if method == "importance" else 0
        rng = np.random.default_rng([rep, c, shift])
        estimate, half_width = importance(c, shift, rng, TAIL_SIZE)
        rows.append(
            {"c": c, "method": method, "rep": rep, "estimate": estimate, "half_width": half_width}
        )
    return rows


def shifts() -> list[Row]:
    """Every repetition of section 7."""
    rows = []
    for theta, rep in product(SHIFTS, REPETITIONS):
        rng = np.random.default_rng([rep, 7, theta])
        estimate, _ = importance(SHIFT_THRESHOLD, theta, rng, TAIL_SIZE)
        rows.append({"theta": theta, "rep": rep, "estimate": estimate})
    return rows


def coverage(rows: list[Row]) -> list[Row]:
    """Table 5: the share of intervals that hold the exact probability."""
    found = []
    for c, method in product(THRESHOLDS, ("plain", "importance")):
        held = [
            abs(row["estimate"] - tail(c)) <= row["half_width"]
            for row in rows
            if row["c"] == c and row["method"] == method
        ]
        found.append({"c": c, "method": method, "coverage": fmean(held)})
    return found


def relative_sd(values: list[float], exact: float) -> float:
    """Standard deviation of the estimates over the exact value."""
    return stdev(values) / exact
