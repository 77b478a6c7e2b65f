"""Judges that need no model; any judge must beat them, and they always stand in the table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from rubric_engine.judgeeval.measures import HEADLINE, Array, measured
from rubric_engine.judgeeval.metrics import Figures, figures
from rubric_engine.judgeeval.pairs import Pair, Pairs, is_number
from rubric_engine.judgeeval.tables import tables

SecondLabels = Mapping[tuple[str, str], float | None]
"""A second annotator's scores by (submission, key); None where they could not judge."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The row of one baseline.

    Attributes:
        pooled: Over all leaves.
        by_worth: Over all leaves, weighted by worth.
        means: Mean over submissions by name of the figure, for each of `HEADLINE`; None where
            no submission has it.
    """

    pooled: Figures
    by_worth: Figures
    means: Mapping[str, float | None]


def baselines(pairs: Pairs, *, second: SecondLabels | None = None) -> Mapping[str, Baseline]:
    """The rows that any table of judges must show, by name.

    Args:
        pairs: Any judge's pairs; only their labels matter.
        second: A second annotator's labels, for the row "human against human"; it is over the
            leaves that both judged.
    """
    rows = {
        "always met": baseline(constant(pairs, 1.0)),
        "always not met": baseline(constant(pairs, 0.0)),
        "coin": baseline(pairs, coin),
        "category majority": baseline(majority(pairs)),
    }
    if second:
        rows["human against human"] = baseline(human(pairs, second))
    return MappingProxyType(rows)


def baseline(pairs: Pairs, change: Callable[[Array], Array] = np.asarray) -> Baseline:
    """The row of one judge.

    Args:
        pairs: Labels and its grades.
        change: What to make of the confusion tables first.
    """
    codes, count = pairs.submission_codes, len(pairs.submissions)
    leaves = change(tables(pairs, codes, count))
    worths = change(tables(pairs, codes, count, by_worth=True))
    n = int(np.count_nonzero(pairs.labelled))
    return Baseline(
        pooled=figures(leaves.sum(axis=0)),
        by_worth=figures(worths.sum(axis=0), n=n),
        means=MappingProxyType({name: _mean(measured(name, leaves)) for name in HEADLINE}),
    )


def constant(pairs: Pairs, grade: float) -> Pairs:
    """The judge that gives every leaf the same grade."""
    return _graded(pairs, lambda row: grade)


def majority(pairs: Pairs) -> Pairs:
    """The judge that gives every leaf what most labels of its category say; ties are "not met".

    It has seen the labels that it is measured on, which flatters it.
    """
    lead: dict[str, int] = dict.fromkeys(pairs.categories, 0)
    for row, labelled, met in zip(pairs.rows, pairs.labelled, pairs.met, strict=True):
        if labelled:
            lead[row.category] += 1 if met else -1
    return _graded(pairs, lambda row: float(lead[row.category] > 0))


def coin(cells: Array) -> Array:
    """The tables that a fair coin comes to on average: half of each class on either side.

    Args:
        cells: Tables with the labels' classes along the last axis, as (tp, fp, fn, tn).
    """
    tp, fp, fn, tn = np.moveaxis(cells, -1, 0)
    positive, negative = (tp + fn) / 2, (fp + tn) / 2
    return np.stack([positive, negative, positive, negative], axis=-1)


def human(pairs: Pairs, second: SecondLabels) -> Pairs:
    """The second annotator as a judge, on the leaves that both judged."""
    both = pairs.only(lambda row: is_number(second.get((row.submission, row.key))))
    return _graded(both, lambda row: second[row.submission, row.key])


def _graded(pairs: Pairs, grade: Callable[[Pair], float | None]) -> Pairs:
    rows = (replace(row, grade=grade(row), probability=None, cost=None) for row in pairs.rows)
    return Pairs.of(rows, threshold=pairs.threshold)


def _mean(values: Array) -> float | None:
    defined = values[~np.isnan(values)]
    return math.fsum(defined) / len(defined) if len(defined) else None
