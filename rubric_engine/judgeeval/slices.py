"""The table of agreement: pooled, by submission, their mean, by category, and by worth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from rubric_engine.judgeeval.cost import Costs, costs
from rubric_engine.judgeeval.measures import HEADLINE
from rubric_engine.judgeeval.metrics import Figures, figures_of
from rubric_engine.judgeeval.pairs import Pairs
from rubric_engine.judgeeval.root import Root, RootErrors, root_errors, roots_of
from rubric_engine.judgeeval.tables import table


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the labelled leaves the judge graded.

    Attributes:
        labelled: Leaves with a label.
        graded: Those of them with a grade.
        unlabelled: Leaves that the human could not judge; they count nowhere else.
        leaves: Share of the labelled leaves that is graded.
        worth: Share of the labelled leaves' worth that is graded.
    """

    labelled: int
    graded: int
    unlabelled: int
    leaves: float
    worth: float

    @property
    def complete(self) -> bool:
        """Every labelled leaf has a grade."""
        return self.graded == self.labelled


@dataclass(frozen=True, slots=True)
class Slice:
    """The figures of a set of leaves, with leaves that the judge could not grade in plain sight.

    Attributes:
        coverage: What was graded.
        headline: A leaf without a grade counts as wrong. No grades could bring a lower figure.
        graded: The same without those leaves.
        best: The most that any grades on those leaves could bring.
        as_not_met: They count as "not met", as they do in a root score.
        by_worth: The headline with leaves weighted by worth; every submission weighs the same.
        graded_by_worth: The same without leaves that have no grade.
    """

    coverage: Coverage
    headline: Figures
    graded: Figures
    best: Figures
    as_not_met: Figures
    by_worth: Figures
    graded_by_worth: Figures


@dataclass(frozen=True, slots=True)
class Mean:
    """Mean over submissions of a headline figure.

    Attributes:
        value: The mean, each submission counting once.
        graded: The mean of the figures without ungraded leaves.
        n: Submissions in `value`.
        undefined: Submissions that have no such figure; they are in neither mean.
        why: Why `value` is None, where it is.
    """

    value: float | None
    graded: float | None
    n: int
    undefined: tuple[str, ...]
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far a judge agrees with human labels.

    Attributes:
        pooled: All leaves together; large submissions dominate.
        submissions: Each submission by name.
        means: Mean over submissions by name of the figure, for each of `HEADLINE`.
        categories: Each category by name, over all submissions.
        root: Errors of the root scores.
        cost: What grading cost, where that is known.
    """

    pooled: Slice
    submissions: Mapping[str, Slice]
    means: Mapping[str, Mean]
    categories: Mapping[str, Slice]
    root: RootErrors
    cost: Costs


def agreement(pairs: Pairs, *, roots: Iterable[Root] | None = None) -> Agreement:
    """Compute the whole table.

    Args:
        pairs: Labels and grades.
        roots: Root scores by submission, from `root_of`, for rubrics whose groups aggregate
            otherwise than by weighted mean; computed from worths where they are left out.

    Returns:
        Figures for every set of leaves. Nothing is dropped in silence: see `Slice`.
    """
    submissions = pairs.by(lambda row: row.submission)
    by_submission = {name: slice_of(part) for name, part in submissions.items()}
    by_category = {
        name: slice_of(part) for name, part in pairs.by(lambda row: row.category).items()
    }
    return Agreement(
        pooled=slice_of(pairs),
        submissions=MappingProxyType(by_submission),
        means=MappingProxyType({name: mean_of(name, by_submission) for name in HEADLINE}),
        categories=MappingProxyType(by_category),
        root=root_errors(roots_of(pairs) if roots is None else roots),
        cost=costs(pairs),
    )


def slice_of(pairs: Pairs) -> Slice:
    """The figures of these leaves."""
    cover = coverage(pairs)
    tables = [
        *(table(pairs, ungraded) for ungraded in ("wrong", "left_out", "right", "not_met")),
        *(table(pairs, ungraded, by_worth=True) for ungraded in ("wrong", "left_out")),
    ]
    counts = [None, None, None, None, cover.labelled, cover.graded]
    return Slice(cover, *figures_of(np.array(tables), counts))


def coverage(pairs: Pairs) -> Coverage:
    """How much of the labelled leaves the judge graded."""
    graded = pairs.labelled & pairs.graded
    worth = math.fsum(pairs.worth[pairs.labelled])
    labelled = int(np.count_nonzero(pairs.labelled))
    return Coverage(
        labelled=labelled,
        graded=int(np.count_nonzero(graded)),
        unlabelled=len(pairs) - labelled,
        leaves=float(np.count_nonzero(graded)) / labelled if labelled else 0.0,
        worth=min(1.0, math.fsum(pairs.worth[graded]) / worth) if worth else 0.0,
    )


def mean_of(name: str, slices: Mapping[str, Slice]) -> Mean:
    """Mean of one headline figure over submissions, each counting once."""
    values = {key: getattr(one.headline, name) for key, one in slices.items()}
    undefined = tuple(key for key, value in values.items() if value is None)
    defined = [value for value in values.values() if value is not None]
    graded = [getattr(one.graded, name) for one in slices.values()]
    known = [value for value in graded if value is not None]
    return Mean(
        value=math.fsum(defined) / len(defined) if defined else None,
        graded=math.fsum(known) / len(known) if known else None,
        n=len(defined),
        undefined=undefined,
        why=None if defined else "no submission has this figure",
    )
