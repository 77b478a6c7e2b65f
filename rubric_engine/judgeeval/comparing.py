"""Judge against judge on the same leaves: what is shown, and what is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType

import numpy as np

from rubric_engine.judgeeval.differences import Difference, differences
from rubric_engine.judgeeval.intervals import LEVEL, Interval
from rubric_engine.judgeeval.leaf_sets import require_same_leaves
from rubric_engine.judgeeval.paired_tests import (
    McNemar,
    clustered_error,
    holm,
    mcnemar,
    z_test,
)
from rubric_engine.judgeeval.pairs import Bools, Pairs
from rubric_engine.judgeeval.resampled_judge import ResampledJudge
from rubric_engine.judgeeval.resampling import REPLICATES, Draws
from rubric_engine.judgeeval.submission_gaps import SubmissionDifference, gaps_between
from rubric_engine.judgeeval.uncertainty import labelled

FEWEST_OF_A_CLASS = 5
"""Labels of either class below which a category gets no p-value."""


@dataclass(frozen=True, slots=True)
class CategoryDifference:
    """First judge less second on the leaves of one category.

    Attributes:
        met: Labels "met".
        not_met: Labels "not met".
        accuracy: Difference of accuracies.
        mcnemar: The test; None where either class has too few labels to test.
        why: Why there is no test.
    """

    met: int
    not_met: int
    accuracy: float
    mcnemar: McNemar | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two judges on the same labelled leaves; a leaf without a grade counts as wrong.

    Attributes:
        first: Name of the first judge.
        second: Name of the second.
        leaves: Labelled leaves.
        ungraded: Leaves without a grade, of the first and of the second judge.
        differences: By name, for each of `HEADLINE`.
        mcnemar: On all leaves.
        clustered_p: p-value of the difference of accuracies, leaves clustered by group; None
            where all groups differ alike, so that nothing shows how sure it is.
        categories: By name of the category.
        submissions: Macro F1 of both, submission by submission.
        adjusted_p: p-value of macro F1 on these submissions after Holm's adjustment for the
            comparisons made together; equal to the plain one in a single comparison.
        adjusted_anew_p: The same of the mean over submissions.
        level: Level of the intervals.
    """

    first: str
    second: str
    leaves: int
    ungraded: tuple[int, int]
    differences: Mapping[str, Difference]
    mcnemar: McNemar
    clustered_p: float | None
    categories: Mapping[str, CategoryDifference]
    submissions: tuple[SubmissionDifference, ...]
    adjusted_p: float | None
    adjusted_anew_p: float | None
    level: float = LEVEL

    @property
    def shown_here(self) -> bool:
        """Whether one judge is better on these submissions, by macro F1."""
        return self._shown(self.differences["f1"].here, self.adjusted_p)

    @property
    def shown_anew(self) -> bool:
        """Whether one judge should be better on new submissions, by macro F1."""
        return self._shown(self.differences["f1"].anew, self.adjusted_anew_p)

    def _shown(self, interval: Interval, p: float | None) -> bool:
        # Not a numpy boolean, which JSON does not take.
        return bool(interval.excludes(0.0) and p is not None and p <= 1 - self.level)


def compare(
    first: Pairs,
    second: Pairs,
    *,
    names: tuple[str, str] = ("first", "second"),
    seed: int = 0,
    replicates: int = REPLICATES,
    level: float = LEVEL,
) -> Comparison:
    """Compare two judges on the same labelled leaves.

    Args:
        first: One judge's pairs.
        second: The other's.
        names: What to call them.
        seed: The same seed gives the same intervals.
        replicates: Resamples of the bootstrap.
        level: Share of intervals that should hold the truth.

    Raises:
        UsageError: They were not measured on the same leaves and labels; the error says what
            differs.
    """
    require_same_leaves({names[0]: first, names[1]: second})
    a, b = _resampled([first, second], seed, replicates)
    return _compared(a, b, names, level)


def compare_all(
    judges: Mapping[str, Pairs], *, seed: int = 0, replicates: int = REPLICATES
) -> tuple[Comparison, ...]:
    """Compare every judge with every other, p-values adjusted by Holm for all of them.

    Args:
        judges: Pairs by name of the judge, all on the same leaves.
        seed: The same seed gives the same intervals.
        replicates: Resamples of each bootstrap.

    Raises:
        UsageError: They were not measured on the same leaves and labels.
    """
    require_same_leaves(judges)
    known = dict(zip(judges, _resampled(list(judges.values()), seed, replicates), strict=True))
    found = [_compared(known[a], known[b], (a, b), LEVEL) for a, b in combinations(judges, 2)]
    here_p = _adjusted([one.adjusted_p for one in found])
    anew_p = _adjusted([one.adjusted_anew_p for one in found])
    return tuple(
        replace(one, adjusted_p=p, adjusted_anew_p=q)
        for one, p, q in zip(found, here_p, anew_p, strict=True)
    )


def _resampled(judges: Sequence[Pairs], seed: int, replicates: int) -> list[ResampledJudge]:
    """Judges on the same labelled leaves, resampled together."""
    if not judges:
        return []
    draws = Draws.of(labelled(judges[0]), seed=seed, replicates=replicates)
    return [ResampledJudge.of(pairs, draws) for pairs in judges]


def _compared(
    a: ResampledJudge, b: ResampledJudge, names: tuple[str, str], level: float
) -> Comparison:
    found = differences(a, b, level=level)
    gap = a.right.astype(np.float64) - b.right
    error = clustered_error(gap, a.pairs.cluster_codes)
    return Comparison(
        first=names[0],
        second=names[1],
        leaves=len(a.pairs),
        ungraded=(int(np.sum(~a.pairs.graded)), int(np.sum(~b.pairs.graded))),
        differences=MappingProxyType(found),
        mcnemar=_mcnemar(a.right, b.right),
        clustered_p=z_test(float(gap.sum()) / max(len(gap), 1), error),
        categories=MappingProxyType(_categories(a.pairs, a.right, b.right)),
        submissions=gaps_between(a.pairs, b.pairs, a.each["f1"], b.each["f1"]),
        adjusted_p=found["f1"].here_p,
        adjusted_anew_p=found["f1"].anew_p,
        level=level,
    )


def _mcnemar(right_a: Bools, right_b: Bools) -> McNemar:
    return mcnemar(int(np.sum(right_a & ~right_b)), int(np.sum(right_b & ~right_a)))


def _categories(pairs: Pairs, right_a: Bools, right_b: Bools) -> dict[str, CategoryDifference]:
    return {
        name: _category(pairs.category_codes == code, pairs.met, right_a, right_b)
        for code, name in enumerate(pairs.categories)
    }


def _category(here: Bools, met: Bools, right_a: Bools, right_b: Bools) -> CategoryDifference:
    positive, negative = int(np.sum(here & met)), int(np.sum(here & ~met))
    few = min(positive, negative) < FEWEST_OF_A_CLASS
    return CategoryDifference(
        met=positive,
        not_met=negative,
        accuracy=float(np.mean(right_a[here]) - np.mean(right_b[here])),
        mcnemar=None if few else _mcnemar(right_a[here], right_b[here]),
        why=f"fewer than {FEWEST_OF_A_CLASS} labels of a class" if few else None,
    )


def _adjusted(p_values: list[float | None]) -> list[float | None]:
    known = iter(holm([p for p in p_values if p is not None]))
    return [None if p is None else next(known) for p in p_values]
