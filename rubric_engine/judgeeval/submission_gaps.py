"""Two judges' macro F1 on each submission."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rubric_engine.judgeeval.leaf_sets import aligned
from rubric_engine.judgeeval.measures import measured
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
    codes, count = a.submission_codes, len(a.submissions)
    cells = tables(a, codes, count), tables(b, codes, count)
    f1 = [measured("f1", one) for one in cells]
    open_ = [np.bincount(codes, ~one.graded, minlength=count) for one in (a, b)]
    return tuple(
        SubmissionDifference(
            submission=name,
            leaves=round(float(cells[0][place].sum())),
            ungraded=(int(open_[0][place]), int(open_[1][place])),
            first=float(f1[0][place]),
            second=float(f1[1][place]),
        )
        for place, name in enumerate(a.submissions)
    )
