"""The score of a system over papers and runs, each "±" saying what it is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.intervals import LEVEL, t_quantile
from rubric_engine.judgeeval.measures import Array


@dataclass(frozen=True, slots=True)
class BenchmarkMean:
    """The mean score over papers and complete runs.

    Attributes:
        mean: Over papers and complete runs.
        runs: Complete runs.
        incomplete: Runs that lack a paper; they are not in the mean.
        papers: Papers.
        by_run: Mean over papers of each complete run.
        error_over_runs: Standard error over runs, as arXiv 2504.01848 prints it; None for one run.
        error_over_papers: Standard error over papers; None for one paper.
        half_over_runs: Half of the interval that goes with the first.
        half_over_papers: Half of the interval that goes with the second.
    """

    mean: float | None
    runs: int
    incomplete: int
    papers: int
    by_run: tuple[float, ...]
    error_over_runs: float | None
    error_over_papers: float | None
    half_over_runs: float | None
    half_over_papers: float | None


def benchmark_mean(
    scores: Sequence[Sequence[float | None]], *, level: float = LEVEL
) -> BenchmarkMean:
    """Put scores of papers and runs together.

    Args:
        scores: One row a paper, one score a run; None where a run lacks the paper.
        level: Share of intervals that should hold the truth.

    Raises:
        UsageError: Rows differ in length, or there is none.
    """
    if not scores or len({len(row) for row in scores}) != 1:
        raise UsageError("scores come as one row a paper, all with the same number of runs")
    table = np.array([[np.nan if s is None else s for s in row] for row in scores], dtype=float)
    complete = table[:, ~np.isnan(table).any(axis=0)]
    papers, runs = complete.shape
    by_run = complete.mean(axis=0)
    over_runs = _error(by_run)
    over_papers = _error(complete.mean(axis=1)) if runs else None
    return BenchmarkMean(
        mean=float(by_run.mean()) if runs else None,
        runs=runs,
        incomplete=table.shape[1] - runs,
        papers=papers,
        by_run=tuple(map(float, by_run)),
        error_over_runs=over_runs,
        error_over_papers=over_papers,
        half_over_runs=_half(over_runs, runs, level),
        half_over_papers=_half(over_papers, papers, level),
    )


@dataclass(frozen=True, slots=True)
class Order:
    """Whether two judges put systems in one order.

    Attributes:
        tau: Kendall's tau-b; 1 for the same order, -1 for the reverse.
        p: Two-sided p-value of no relation.
    """

    tau: float
    p: float


def kendall_tau(first: Sequence[float], second: Sequence[float]) -> Order | None:
    """Compare the orders that two judges' scores put systems in.

    With fewer than about eight systems it says little.

    Args:
        first: One judge's score of each system.
        second: The other's.

    Returns:
        None where either judge gives all systems the same score.
    """
    from scipy.stats import kendalltau

    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    found = kendalltau(first, second)
    return Order(float(found.statistic), float(found.pvalue))


def _error(values: Array) -> float | None:
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None


def _half(error: float | None, count: int, level: float) -> float | None:
    return None if error is None else t_quantile(count - 1, level) * error
