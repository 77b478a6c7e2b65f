"""Two judges' macro F1 on each submission."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric_engine.judgeeval.leaf_sets import aligned
from rubric_engine.judgeeval.measures import Array, measured
from rubric_engine.judgeeval.pairs import Pairs
from rubric_engine.judgeeval.tables import tables


@dataclass(frozen=True, slots=True)
class SubmissionDifference:
    """Two judges on one submission; a leaf without a grade counts as wrong.

    Attributes:
        submission: Its name.
        leaves: Its labelled leaves.
        ungraded: Those without a grade, of the first and of the second judge.
        first: Macro F1 of the first judge.
        second: Macro F1 of the second.
    """

    submission: str
    leaves: int
    ungraded: tuple[int, int]
    first: float
    second: float

    @property
    def difference(self) -> float:
        """First less second."""
        return self.first - self.second


def submission_differences(first: Pairs, second: Pairs) -> tuple[SubmissionDifference, ...]:
    """Macro F1 of two judges by submission.

    Args:
        first: One judge's pairs.
        second: The other's, on the same labelled leaves.
    """
    a, b = aligned(first), aligned(second)
    return gaps_between(a, b, f1_by_submission(a), f1_by_submission(b))


def f1_by_submission(pairs: Pairs) -> Array:
    """Macro F1 of labelled pairs on each submission."""
    cells = tables(pairs, pairs.submission_codes, len(pairs.submissions))
    return measured("f1", cells)


def gaps_between(
    a: Pairs, b: Pairs, f1_of_a: Array, f1_of_b: Array
) -> tuple[SubmissionDifference, ...]:
    """The same of judges whose macro F1 on each submission is known.

    Args:
        a: One judge's labelled pairs, in the other's order.
        b: The other's.
        f1_of_a: One judge's macro F1.
        f1_of_b: The other's.
    """
    codes, count = a.submission_codes, len(a.submissions)
    leaves = np.bincount(codes, minlength=count)
    open_ = [np.bincount(codes, ~one.graded, minlength=count) for one in (a, b)]
    return tuple(
        SubmissionDifference(
            submission=name,
            leaves=int(leaves[place]),
            ungraded=(int(open_[0][place]), int(open_[1][place])),
            first=float(f1_of_a[place]),
            second=float(f1_of_b[place]),
        )
        for place, name in enumerate(a.submissions)
    )
