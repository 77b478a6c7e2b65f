"""How often a comparison finds a better judge where neither is, by simulation.

    python -m benchmarks.judgeeval.type_one                     # some minutes
    python -m benchmarks.judgeeval.type_one --replications 100

Two made-up judges with the same error rates grade the public labelled trees; leaves that are hard
for one are hard for the other. Whatever `compare` finds at a nominal 5 % is a false alarm. Judges
that differ from submission to submission are equal on new submissions only: tests that speak of
these submissions rightly find that they differ here, and their shares are no false alarms.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

import numpy as np

from benchmarks.judgeeval.judge import MadeUpJudge
from benchmarks.judgeeval.trees import DATA, public_trees
from benchmarks.row import Row
from rubric_engine.judgeeval import Comparison, Pairs, compare

ALARM = 0.05
HARDNESS = 1.0
"""Standard deviation, on the logit scale, of what makes a leaf hard for both judges."""

STRUCTURES = {
    "independent leaves": (0.0, 0.0),
    "groups, 1.0": (0.0, 1.0),
    "groups, 1.5": (0.0, 1.5),
    "groups, 1.0, and submissions, 0.5": (0.5, 1.0),
}
"""Standard deviations of a judge's own shifts between submissions and between groups."""


def main() -> None:
    """Print one line for each structure of errors and each test."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=4_000)
    arguments = parser.parse_args()
    if not public_trees():
        print(f"left out: {DATA} is not set")
        return
    for row in type_one_rows(arguments.replications):
        print(row, flush=True)


def type_one_rows(replications: int) -> Iterator[Row]:
    """Simulate on all cores and count alarms."""
    cores = os.cpu_count() or 1
    share = -(-replications // cores)
    with ProcessPoolExecutor(cores) as pool:
        for name in STRUCTURES:
            parts = list(pool.map(alarms, repeat(name, cores), range(cores), repeat(share, cores)))
            for test in parts[0]:
                found = np.concatenate([part[test] for part in parts])
                known = found[~np.isnan(found)]
                yield Row(f"{name}: {test}", f"{known.mean():.3f} of {len(known):,}")


def alarms(name: str, seed: int, replications: int) -> dict[str, np.ndarray]:
    """Whether each test found a difference: 1.0 or 0.0, NaN where it gives no p-value."""
    judge = MadeUpJudge(public_trees(), *STRUCTURES[name])
    generator = np.random.default_rng([5, seed])
    found: dict[str, list[float]] = {}
    for number in range(replications):
        hardness = [generator.normal(0, HARDNESS, len(tree.keys)) for tree in judge.trees]
        first, second = (_pairs(judge, generator, hardness) for _ in range(2))
        for test, p in _p_values(compare(first, second, seed=number)).items():
            found.setdefault(test, []).append(np.nan if p is None else float(p <= ALARM))
    return {test: np.array(values) for test, values in found.items()}


def _pairs(judge: MadeUpJudge, generator: np.random.Generator, hardness: list[np.ndarray]) -> Pairs:
    graded = zip(judge.trees, judge.grades(generator, hardness), strict=True)
    return Pairs.of(row for tree, grades in graded for row in tree.rows(grades))


def _p_values(found: Comparison) -> dict[str, float | None]:
    accuracy, f1 = found.differences["accuracy"], found.differences["f1"]
    return {
        "exact McNemar": found.mcnemar.exact_p,
        "z by groups, accuracy": found.clustered_p,
        "bootstrap of groups, accuracy": accuracy.here_p,
        "bootstrap of groups, macro F1": f1.here_p,
        "t over submissions, accuracy": accuracy.anew_p,
        "t over submissions, macro F1": f1.anew_p,
    }


if __name__ == "__main__":
    main()
