"""How often the intervals hold the truth, by simulation on the public labelled trees.

    python -m benchmarks.judgeeval.coverage                     # some minutes
    python -m benchmarks.judgeeval.coverage --replications 200

A made-up judge (`judge.py`) grades the three trees again and again; the truth is known. Three
intervals have a limit, 93 to 98 % at a nominal 95 %; the others are reported as they are.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from benchmarks.judgeeval.judge import MadeUpJudge
from benchmarks.judgeeval.trees import DATA, Labelled, public_trees
from benchmarks.row import Row
from rubric_engine.judgeeval import Interval, Pairs, estimates, plan_audit, score_audit, two_stage
from rubric_engine.judgeeval.measures import measured

LOW, HIGH = 0.93, 0.98
LABELS = (10, 20, 40, 80)
LIMITED_LABELS = 40
FIGURES = ("accuracy", "f1", "balanced_accuracy", "mcc", "kappa")
WAYS = ("pooled", "by_worth", "mean")

Tally = dict[str, list[float]]
"""By what was measured: 1.0 for each interval that held the truth, 0.0 for each that did not."""


def main() -> None:
    """Print one line for each interval."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=4_000)
    parser.add_argument("--check", action="store_true", help="exit 1 where a limit is missed")
    arguments = parser.parse_args()
    if not public_trees():
        print(f"left out: {DATA} is not set")
        return
    missed = 0
    for row in coverage_rows(arguments.replications):
        print(row, flush=True)
        missed += row.kept is False
    sys.exit(1 if arguments.check and missed else 0)


def coverage_rows(replications: int) -> Iterator[Row]:
    """Simulate on all cores and count."""
    cores = os.cpu_count() or 1
    share = -(-replications // cores)
    for simulate in (here, anew, audits):
        with ProcessPoolExecutor(cores) as pool:
            tallies = list(pool.map(simulate, range(cores), [share] * cores))
        for name in sorted(tallies[0]):
            held = np.concatenate([tally[name] for tally in tallies])
            yield _row(name, held)


def _row(name: str, held: np.ndarray) -> Row:
    known = held[~np.isnan(held)]
    without = f", {len(held) - len(known):,} without" if len(known) < len(held) else ""
    figure = f"{known.mean():.3f} of {len(known):,}{without}" if len(known) else "no interval"
    if not name.endswith("*"):
        return Row(name, figure)
    return Row(name, figure, LOW <= known.mean() <= HIGH, f"{LOW} to {HIGH}")


def here(seed: int, replications: int) -> Tally:
    """The parent bootstrap, for these submissions: errors shared within groups only."""
    judge = MadeUpJudge(public_trees(), between_submissions=0.0, between_groups=1.0)
    truth = _expected(judge)
    generator, tally = np.random.default_rng([1, seed]), Tally()
    for number in range(replications):
        found = estimates(_pairs(judge, generator), seed=number)
        for figure in FIGURES:
            for way in WAYS:
                limited = " *" if (figure, way) == ("accuracy", "pooled") else ""
                name = f"these submissions, {figure}, {way}{limited}"
                interval = getattr(found[figure], way).here
                tally.setdefault(name, []).append(_held(interval, truth[figure, way]))
    return tally


def anew(seed: int, replications: int) -> Tally:
    """Student's t and two stages, for new submissions: errors shared within submissions, too."""
    judge = MadeUpJudge(public_trees(), between_submissions=0.5, between_groups=1.0)
    truth = {figure: _mean_of_many(judge, figure) for figure in ("accuracy", "f1")}
    generator, tally = np.random.default_rng([2, seed]), Tally()
    pooled = _expected(judge)["accuracy", "pooled"]
    for number in range(replications):
        pairs = _pairs(judge, generator)
        found, staged = estimates(pairs, replicates=2), two_stage(pairs, seed=number)
        for figure, value in truth.items():
            name = f"new submissions, {figure}, mean{' *' if figure == 'accuracy' else ''}"
            tally.setdefault(name, []).append(_held(found[figure].mean.anew, value))
            name = f"new submissions, {figure}, mean, two stages"
            tally.setdefault(name, []).append(_held(staged[figure].mean, value))
        name = "new submissions, accuracy, pooled, two stages"
        tally.setdefault(name, []).append(_held(staged["accuracy"].pooled, pooled))
    return tally


def audits(seed: int, replications: int) -> Tally:
    """The audited score of each submission, and the difference estimator on the same labels."""
    judge = MadeUpJudge(public_trees(), between_submissions=0.5, between_groups=1.0)
    generator, tally = np.random.default_rng([3, seed]), Tally()
    for _ in range(replications):
        for tree, grades in zip(judge.trees, judge.grades(generator), strict=True):
            for labels in LABELS:
                if labels < len(tree.keys):
                    _audit(tree, grades, labels, int(generator.integers(2**31)), tally)
    return tally


def _audit(tree: Labelled, grades: np.ndarray, labels: int, seed: int, tally: Tally) -> None:
    plan = plan_audit(dict(zip(tree.keys, tree.worth.tolist(), strict=True)), labels, seed=seed)
    known = dict(zip(tree.keys, tree.label.tolist(), strict=True))
    found = score_audit(plan, dict(zip(tree.keys, grades.tolist(), strict=True)), known)
    truth = float(tree.worth @ tree.label)
    held = float(found.low - 1e-9 <= truth <= found.high + 1e-9)
    limited = " *" if labels == LIMITED_LABELS else ""
    tally.setdefault(f"audited score, {labels} labels, all{limited}", []).append(held)
    tally.setdefault(f"audited score, {labels} labels, {tree.name[:15]}", []).append(held)
    low, high = found.difference.low, found.difference.high
    plain = np.nan if low is None or high is None else float(low <= truth <= high)
    tally.setdefault(f"difference estimator, {labels} labels, all", []).append(plain)


def _pairs(judge: MadeUpJudge, generator: np.random.Generator) -> Pairs:
    graded = zip(judge.trees, judge.grades(generator), strict=True)
    return Pairs.of(row for tree, grades in graded for row in tree.rows(grades))


def _held(interval: Interval, truth: float) -> float:
    if interval.low is None or interval.high is None:
        return np.nan
    return float(interval.low <= truth <= interval.high)


def _expected(judge: MadeUpJudge) -> dict[tuple[str, str], float]:
    """The figures of the tables to expect."""
    wrong = list(zip(judge.trees, judge.expected_errors(), strict=True))
    leaves = np.array([_cells(tree.label, error, np.ones(len(error))) for tree, error in wrong])
    worths = np.array([_cells(tree.label, error, tree.worth) for tree, error in wrong])
    found = {}
    for figure in FIGURES:
        found[figure, "pooled"] = float(measured(figure, leaves.sum(axis=0)))
        found[figure, "by_worth"] = float(measured(figure, worths.sum(axis=0)))
        found[figure, "mean"] = float(measured(figure, leaves).mean())
    return found


def _cells(label: np.ndarray, error: np.ndarray, weight: np.ndarray) -> list[float]:
    met = label == 1
    return [
        float(((1 - error) * weight)[met].sum()),
        float((error * weight)[~met].sum()),
        float((error * weight)[met].sum()),
        float(((1 - error) * weight)[~met].sum()),
    ]


def _mean_of_many(judge: MadeUpJudge, figure: str, times: int = 20_000) -> float:
    """The mean over submissions to expect; not that of the expected table, as F1 is not linear."""
    if figure == "accuracy":
        return float(np.mean([1 - error.mean() for error in judge.expected_errors()]))
    generator = np.random.default_rng(4)
    total = 0.0
    for _ in range(times):
        tables = [
            _cells(tree.label, (grades != tree.label).astype(float), np.ones(len(grades)))
            for tree, grades in zip(judge.trees, judge.grades(generator), strict=True)
        ]
        total += float(measured(figure, np.array(tables)).mean())
    return total / times


if __name__ == "__main__":
    main()
