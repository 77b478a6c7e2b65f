"""Whether a judge's probabilities mean what they say, and whether it knows when it is unsure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rubric_engine.errors import UsageError
from rubric_engine.judgeeval.measures import Array
from rubric_engine.judgeeval.pairs import Bools, Pairs, is_number

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """One bin of a reliability chart: leaves whose probabilities are alike.

    Attributes:
        low: Lower edge.
        high: Upper edge; the last bin holds it, too.
        n: Leaves in it.
        said: Their mean probability; None where the bin is empty.
        was: Share of them that is met.
    """

    low: float
    high: float
    n: int
    said: float | None
    was: float | None


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """What a judge gets wrong if it may leave its least sure leaves to a human.

    Attributes:
        coverage: Share of leaves, or of worth, that is graded after each leaf, surest first.
        risk: Share of those that is wrong.
        aurc: Mean risk (area under the curve); by worth, each leaf counts with its own.
        auroc: How well confidence tells right from wrong; None where all is right, or wrong.
    """

    coverage: tuple[float, ...]
    risk: tuple[float, ...]
    aurc: float
    auroc: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """How a judge's probabilities fare.

    Attributes:
        n: Labelled leaves with a probability.
        without: Labelled leaves without one; they count nowhere here.
        brier: Mean squared difference of probability and label.
        ece: Expected calibration error: mean over leaves of its bin's gap.
        bins: The reliability chart, ten bins of equal width.
        risk: By confidence, the larger of probability and its complement.
        risk_by_worth: The same with leaves weighted by worth.
        why: Why the figures are None, where they are.
    """

    n: int
    without: int
    brier: float | None
    ece: float | None
    bins: tuple[Bin, ...]
    risk: RiskCoverage | None
    risk_by_worth: RiskCoverage | None
    why: str | None = None


def calibration(pairs: Pairs) -> Calibration:
    """Judge the probabilities of a judge that gives them."""
    rows = [row for row in pairs.rows if is_number(row.label)]
    with_ = pairs.only(lambda row: is_number(row.label) and is_number(row.probability))
    if not len(with_):
        return Calibration(0, len(rows), None, None, (), None, None, why="no probability is known")
    said = np.clip([row.probability or 0.0 for row in with_.rows], 0.0, 1.0)
    chart = reliability(said, with_.met)
    sure, wrong = np.maximum(said, 1 - said), (said >= pairs.threshold) != with_.met
    return Calibration(
        n=len(with_),
        without=len(rows) - len(with_),
        brier=brier(said, with_.met),
        ece=sum(
            abs(b.said - b.was) * b.n for b in chart if b.said is not None and b.was is not None
        )
        / len(with_),
        bins=chart,
        risk=risk_coverage(sure, wrong),
        risk_by_worth=risk_coverage(sure, wrong, with_.worth) if with_.worth.any() else None,
    )


def brier(said: Sequence[float] | Array, was: Sequence[bool] | Array | Bools) -> float:
    """Mean squared difference of probabilities and what was so.

    Args:
        said: Probabilities.
        was: Whether each came true.

    Raises:
        UsageError: There is none, or their numbers differ.
    """
    from sklearn.metrics import brier_score_loss

    _same_length(said, was)
    return float(brier_score_loss(np.asarray(was, dtype=int), np.asarray(said), pos_label=1))


def reliability(
    said: Sequence[float] | Array, was: Sequence[bool] | Array | Bools
) -> tuple[Bin, ...]:
    """Probabilities in bins of equal width, beside how often they came true.

    Raises:
        UsageError: There is none, or their numbers differ.
    """
    _same_length(said, was)
    values, truth = np.asarray(said, dtype=np.float64), np.asarray(was, dtype=np.float64)
    place = np.minimum((values * BINS).astype(int), BINS - 1)
    bins = []
    for number in range(BINS):
        here = place == number
        n = int(np.count_nonzero(here))
        means = (float(values[here].mean()), float(truth[here].mean())) if n else (None, None)
        bins.append(Bin(number / BINS, (number + 1) / BINS, n, *means))
    return tuple(bins)


def risk_coverage(
    confidence: Sequence[float] | Array,
    wrong: Sequence[bool] | Array | Bools,
    worth: Sequence[float] | Array | None = None,
) -> RiskCoverage:
    """The share that is wrong among the surest leaves, for every number of them.

    Args:
        confidence: How sure the judge was of each leaf; ties keep their order.
        wrong: Whether it was wrong.
        worth: Weight of each leaf; one each where it is left out.

    Raises:
        UsageError: There is none, or their numbers differ.
    """
    _same_length(confidence, wrong)
    sure, error = np.asarray(confidence, dtype=np.float64), np.asarray(wrong, dtype=np.float64)
    weight = np.ones(len(sure)) if worth is None else np.asarray(worth, dtype=np.float64)
    order = np.argsort(-sure, kind="stable")
    order = order[weight[order] > 0]  # a leaf that weighs nothing moves nothing
    reached = np.cumsum(weight[order])
    risk = np.cumsum((weight * error)[order]) / reached
    return RiskCoverage(
        coverage=tuple(float(share) for share in reached / reached[-1]),
        risk=tuple(float(share) for share in risk),
        aurc=float(np.average(risk, weights=weight[order])),
        auroc=_auroc(sure[order], error[order], weight[order]),
    )


def _auroc(sure: Array, error: Array, weight: Array) -> float | None:
    from sklearn.metrics import roc_auc_score

    if not 0 < np.count_nonzero(error) < len(error):
        return None
    return float(roc_auc_score(1 - error, sure, sample_weight=weight))


def _same_length(first: Sequence[object] | Array, second: Sequence[object] | Array | Bools) -> None:
    if not len(first) or len(first) != len(second):
        raise UsageError(f"{len(first)} probabilities do not go with {len(second)} outcomes")
