"""The figures of one confusion table: numbers where they mean something, None and a reason else."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from rubric_engine.judgeeval.measures import MEASURES, Array, measured

ONE_CLASS = "all labels are {}: nothing tells a good judge from a lucky one"
NO_LEAVES = "no labelled leaf"
NO_WORTH = "no leaf here is worth anything"


@dataclass(frozen=True, slots=True)
class Cells:
    """A confusion table; the human is the truth, "met" the positive class.

    Counts of leaves, or sums of worth.
    """

    tp: float
    fp: float
    fn: float
    tn: float

    @property
    def total(self) -> float:
        """All four together."""
        return math.fsum((self.tp, self.fp, self.fn, self.tn))

    def array(self) -> Array:
        """As (tp, fp, fn, tn)."""
        return np.array([self.tp, self.fp, self.fn, self.tn], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """How well one class is told, "met" or "not met".

    Attributes:
        support: Its labels: how many, or their worth.
        precision: Share of what the judge calls so that is so.
        recall: Share of it that the judge finds.
        f1: Their harmonic mean.
    """

    support: float
    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of one table.

    Attributes:
        n: Labelled leaves that count.
        cells: The table.
        accuracy: Share of agreement.
        precision: Mean of both classes' precision.
        recall: Mean of both classes' recall.
        f1: Mean of both classes' F1.
        met: The class "met"; its recall is the sensitivity.
        not_met: The class "not met"; its recall is the specificity.
        balanced_accuracy: Mean of sensitivity and specificity.
        mcc: Matthews' correlation.
        kappa: Cohen's kappa.
        human_rate: Share that the human calls met.
        judge_rate: Share that the judge calls met.
        rate_bias: Their difference, the judge's first.
        ac1: Gwet's AC1; it rewards constant judges, so choose none by it.
        alpha: Krippendorff's alpha; None for a table of worths.
        degenerate: A class has no labels, so the means over both classes say little.
        constant_judge: The judge says the same of every leaf.
        why: Reason by name of each figure that is None.
    """

    n: int
    cells: Cells
    accuracy: float | None
    precision: float | None
    recall: float | None
    f1: float | None
    met: ClassFigures
    not_met: ClassFigures
    balanced_accuracy: float | None
    mcc: float | None
    kappa: float | None
    human_rate: float | None
    judge_rate: float | None
    rate_bias: float | None
    ac1: float | None
    alpha: float | None
    degenerate: bool
    constant_judge: bool
    why: Mapping[str, str]


def figures(cells: Cells | Array, *, n: int | None = None) -> Figures:
    """Compute every figure of a table.

    Args:
        cells: The table, as `Cells` or as (tp, fp, fn, tn): counts, or worths with `n`.
        n: Leaves behind a table of worths; None where the table counts leaves.

    Returns:
        The figures. Whatever is undefined is None and has its reason in `why`.
    """
    table = cells.array() if isinstance(cells, Cells) else np.asarray(cells, dtype=np.float64)
    return figures_of(table.reshape(1, 4), [n])[0]


def figures_of(tables: Array, counts: Sequence[int | None]) -> list[Figures]:
    """Compute every figure of several tables at once.

    Args:
        tables: One row a table, as (tp, fp, fn, tn).
        counts: For each table what `figures` takes as `n`.
    """
    values = {name: measured(name, tables).tolist() for name in MEASURES}
    return [
        _figures(
            Cells(*cells),
            n,
            {name: None if math.isnan(row[i]) else row[i] for name, row in values.items()},
        )
        for i, (cells, n) in enumerate(zip(tables.tolist(), counts, strict=True))
    ]


def _figures(cells: Cells, n: int | None, values: dict[str, float | None]) -> Figures:
    count = round(cells.total) if n is None else n
    met = _class(cells.tp, cells.fp, cells.fn)
    not_met = _class(cells.tn, cells.fn, cells.fp)
    if n is not None:
        values["alpha"] = None
    return Figures(
        n=count,
        cells=cells,
        met=met,
        not_met=not_met,
        degenerate=count > 0 and not (met.support and not_met.support),
        constant_judge=count > 0 and not (cells.tp + cells.fp and cells.tn + cells.fn),
        why=MappingProxyType(_why(values, met, not_met, cells, by_worth=n is not None, n=count)),
        **values,
    )


def _class(hit: float, false: float, missed: float) -> ClassFigures:
    present = hit + missed > 0
    called = hit + false > 0
    return ClassFigures(
        support=hit + missed,
        # A class that is there and never called has precision 0, as scikit-learn's
        # zero_division=0 has it; one that is neither there nor called has none.
        precision=hit / (hit + false) if called else 0.0 if present else None,
        recall=hit / (hit + missed) if present else None,
        f1=2 * hit / (2 * hit + false + missed) if present else None,
    )


def _why(
    values: Mapping[str, float | None],
    met: ClassFigures,
    not_met: ClassFigures,
    cells: Cells,
    *,
    by_worth: bool,
    n: int,
) -> dict[str, str]:
    if not cells.total:
        reason = NO_WORTH if n else NO_LEAVES
    else:
        reason = ONE_CLASS.format("met" if met.support else "not met")
    why = {name: reason for name, value in values.items() if value is None}
    for name, row in (("met", met), ("not_met", not_met)):
        absent = reason if not cells.total else f"no label is {name.replace('_', ' ')}"
        parts = {"precision": row.precision, "recall": row.recall, "f1": row.f1}
        why |= {f"{name}.{part}": absent for part, value in parts.items() if value is None}
    if "alpha" in why and cells.total:
        why["alpha"] = "alpha counts leaves" if by_worth else "all labels and grades are the same"
    return why
