"""Measures of agreement as functions of the four cells of a confusion table.

Every function takes arrays of any shape, so that one call serves a table or the thousands of
tables of a bootstrap: a figure and its interval can never be of two minds. Cells are counts of
leaves, or sums of worth. Where a measure is undefined it is NaN here; `metrics` turns that into
None with a reason. The positive class is "met", the human is the truth.

The numbers equal scikit-learn's with ``labels=[0, 1]`` and ``zero_division=0`` wherever both are
defined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Measure = Callable[[Array, Array, Array, Array], Array]


def ratio(above: Array, below: Array) -> Array:
    """Quotient, 0 where the divisor is 0."""
    shape = np.broadcast_shapes(np.shape(above), np.shape(below))
    return np.divide(above, below, out=np.zeros(shape), where=np.asarray(below) > 0)


def f1_of(hit: Array, false: Array, missed: Array) -> Array:
    """F1 of one class: its hits, what was wrongly called so, what was missed of it."""
    return ratio(2 * hit, 2 * hit + false + missed)


def _where(defined: NDArray[np.bool_], value: Array) -> Array:
    return np.where(defined, value, np.nan)


def _cut(value: Array) -> Array:
    """Rounding would carry a perfect judge past 1."""
    return np.clip(value, -1.0, 1.0)


def _any(tp: Array, fp: Array, fn: Array, tn: Array) -> NDArray[np.bool_]:
    return np.asarray(tp + fp + fn + tn > 0)


def _both(tp: Array, fp: Array, fn: Array, tn: Array) -> NDArray[np.bool_]:
    return np.asarray((tp + fn > 0) & (tn + fp > 0))


def accuracy(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Share of leaves on which both agree."""
    return _where(_any(tp, fp, fn, tn), ratio(tp + tn, tp + fp + fn + tn))


def precision(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Mean of both classes' precision."""
    return _where(_any(tp, fp, fn, tn), (ratio(tp, tp + fp) + ratio(tn, tn + fn)) / 2)


def recall(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Mean of both classes' recall; an absent class counts as 0, as PaperBench has it."""
    return _where(_any(tp, fp, fn, tn), (ratio(tp, tp + fn) + ratio(tn, tn + fp)) / 2)


def f1(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Mean of both classes' F1, the headline of arXiv 2504.01848."""
    return _where(_any(tp, fp, fn, tn), (f1_of(tp, fp, fn) + f1_of(tn, fn, fp)) / 2)


def balanced_accuracy(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Mean of sensitivity and specificity; (J + 1) / 2 with Youden's J."""
    return _where(_both(tp, fp, fn, tn), recall(tp, fp, fn, tn))


def mcc(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Matthews' correlation; on two classes Pearson's, Spearman's and phi are the same number."""
    product = np.sqrt((tp + fp) * (tp + fn)) * np.sqrt((tn + fp) * (tn + fn))
    return _where(_both(tp, fp, fn, tn), _cut(ratio(tp * tn - fp * fn, product)))


def kappa(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Cohen's kappa, chance by both marginals."""
    below = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    return _where(_both(tp, fp, fn, tn), _cut(ratio(2 * (tp * tn - fp * fn), below)))


def ac1(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Gwet's AC1 (2008): chance is 2 q (1 - q), q the mean of both positive rates."""
    total = tp + fp + fn + tn
    q = ratio(2 * tp + fp + fn, 2 * total)
    chance = 2 * q * (1 - q)
    return _where(_any(tp, fp, fn, tn), ratio(ratio(tp + tn, total) - chance, 1 - chance))


def alpha(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Krippendorff's nominal alpha of two raters without gaps; cells must be counts."""
    values = 2 * (tp + fp + fn + tn)
    ones = 2 * tp + fp + fn
    expected = ratio(ones * (values - ones), values - 1)
    return _where(expected > 0, 1 - ratio(fp + fn, expected))


def human_rate(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Share of leaves that the human calls met."""
    return _where(_any(tp, fp, fn, tn), ratio(tp + fn, tp + fp + fn + tn))


def judge_rate(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """Share of leaves that the judge calls met."""
    return _where(_any(tp, fp, fn, tn), ratio(tp + fp, tp + fp + fn + tn))


def rate_bias(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    """The judge's rate less the human's: above 0 the judge is lenient."""
    return _where(_any(tp, fp, fn, tn), ratio(fp - fn, tp + fp + fn + tn))


MEASURES: Mapping[str, Measure] = {
    measure.__name__: measure
    for measure in (
        accuracy,
        precision,
        recall,
        f1,
        balanced_accuracy,
        mcc,
        kappa,
        ac1,
        alpha,
        human_rate,
        judge_rate,
        rate_bias,
    )
}
"""Every measure by name."""

HEADLINE = ("accuracy", "f1", "balanced_accuracy", "mcc", "kappa", "rate_bias")
"""Measures that get intervals, means over submissions and comparisons."""


def measured(name: str, cells: Array) -> Array:
    """A measure of many tables at once.

    Args:
        name: One of `MEASURES`.
        cells: Tables along the last axis, as (tp, fp, fn, tn).

    Returns:
        One number for each table, NaN where it is undefined.
    """
    table = np.asarray(cells, dtype=np.float64)
    tp, fp, fn, tn = (table[..., place] for place in range(4))
    return np.asarray(MEASURES[name](tp, fp, fn, tn))
