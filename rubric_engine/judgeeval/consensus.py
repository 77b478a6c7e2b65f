"""What several different judges say together, without any human label (Dawid and Skene, 1979).

It takes judges for independent given the truth: wrong for samples of one model, so only for three
or more judges that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.measures import Array

FEWEST_JUDGES = 3
ROUNDS = 1_000
CLOSE = 1e-10
"""Change of the log-likelihood, relative to it, at which rounds end."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """What judges say together.

    Attributes:
        probability: Of each leaf, that it is met.
        prior: Share of leaves that are met.
        sensitivity: Of each judge: how often it calls a met leaf met.
        specificity: Of each judge: how often it calls another leaf not met.
    """

    probability: tuple[float, ...]
    prior: float
    sensitivity: tuple[float, ...]
    specificity: tuple[float, ...]


def dawid_skene(verdicts: Sequence[Sequence[float | None]]) -> Consensus:
    """Fit the model by expectation and maximisation, from the majority's view.

    Args:
        verdicts: One row a judge, one verdict (0 or 1) a leaf; None where a judge gave none.

    Raises:
        UsageError: Fewer than three judges, rows of unlike length, a leaf without a verdict.
    """
    said, known = _matrix(verdicts)
    truth = (said * known).sum(axis=0) / known.sum(axis=0)
    last = -np.inf
    for _ in range(ROUNDS):
        prior = truth.mean()
        sensitivity = _rate((truth * said * known).sum(axis=1), (truth * known).sum(axis=1))
        false = _rate(((1 - truth) * said * known).sum(axis=1), ((1 - truth) * known).sum(axis=1))
        met = prior * _likelihood(said, known, sensitivity)
        other = (1 - prior) * _likelihood(said, known, false)
        truth = met / (met + other)
        now = float(np.log(met + other).sum())
        if abs(now - last) <= CLOSE * abs(now):
            break
        last = now
    return Consensus(
        tuple(map(float, truth)),
        float(truth.mean()),
        tuple(map(float, sensitivity)),
        tuple(map(float, 1 - false)),
    )


def _matrix(verdicts: Sequence[Sequence[float | None]]) -> tuple[Array, Array]:
    if len(verdicts) < FEWEST_JUDGES or len({len(row) for row in verdicts}) != 1:
        raise UsageError(f"a consensus takes {FEWEST_JUDGES} judges or more, on the same leaves")
    rows = [[np.nan if value is None else value for value in row] for row in verdicts]
    matrix = np.array(rows, dtype=np.float64)
    known = ~np.isnan(matrix)
    if not known.any(axis=0).all() or not matrix.size:
        raise UsageError("a leaf has no verdict at all")
    if not np.isin(matrix[known], (0, 1)).all():
        raise UsageError("a verdict is 0 or 1")
    return np.nan_to_num(matrix), known.astype(np.float64)


def _rate(above: Array, below: Array) -> Array:
    return np.asarray(np.divide(above, below, out=np.full(len(above), 0.5), where=below > 0))


def _likelihood(said: Array, known: Array, rate: Array) -> Array:
    """Chance of a leaf's verdicts where a judge says met at `rate`."""
    chance = np.where(said > 0, rate[:, None], 1 - rate[:, None])
    return np.asarray(np.where(known > 0, chance, 1.0).prod(axis=0))
