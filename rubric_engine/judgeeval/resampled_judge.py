"""One judge, counted and resampled once for all its comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rubric_engine.judgeeval.leaf_sets import aligned
from rubric_engine.judgeeval.measures import HEADLINE, Array, measured
from rubric_engine.judgeeval.pairs import Bools, Pairs
from rubric_engine.judgeeval.resampling import Draws
from rubric_engine.judgeeval.tables import FN, FP, cell_of, tables
from rubric_engine.judgeeval.uncertainty import group_cells


@dataclass(frozen=True, eq=False)
class ResampledJudge:
    """What comparisons need of a judge; all mappings are by name of the figure.

    Attributes:
        pairs: Its labelled pairs, in one order for all judges.
        right: Which leaves it has right; one without a grade is wrong.
        whole: Each figure over all leaves.
        each: Each figure on each submission.
        drawn: Each figure over resamples.
    """

    pairs: Pairs
    right: Bools
    whole: Mapping[str, float]
    each: Mapping[str, Array]
    drawn: Mapping[str, Array]

    @classmethod
    def of(cls, pairs: Pairs, draws: Draws) -> ResampledJudge:
        """Count a judge.

        Args:
            pairs: Its pairs.
            draws: Resamples of the labelled leaves' groups. One draw serves all judges: what
                makes a group hard is hard for all.
        """
        known = aligned(pairs)
        cell, _ = cell_of(known)
        single = tables(known, known.submission_codes, len(known.submissions))
        whole, over = single.sum(axis=0), draws.sums(known, group_cells(known)[:, :4]).sum(axis=0)
        return cls(
            pairs=known,
            right=np.asarray((cell != FP) & (cell != FN)),
            whole={name: float(measured(name, whole)) for name in HEADLINE},
            each={name: measured(name, single) for name in HEADLINE},
            drawn={name: measured(name, over) for name in HEADLINE},
        )
