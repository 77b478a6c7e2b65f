"""Judges in order of merit."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rubric_engine.judgeeval.leaf_sets import require_same_leaves
from rubric_engine.judgeeval.measures import measured
from rubric_engine.judgeeval.pairs import Pairs
from rubric_engine.judgeeval.tables import table


def ranking(judges: Mapping[str, Pairs]) -> tuple[tuple[str, float | None], ...]:
    """Judges by pooled macro F1, best first, a leaf without a grade counting as wrong.

    A judge that leaves leaves out can so never stand above itself with them graded, however it
    graded them.

    Args:
        judges: Pairs by name of the judge, all on the same leaves.

    Returns:
        Name and macro F1; None, and last, where nothing is labelled.

    Raises:
        UsageError: They were not measured on the same leaves and labels.
    """
    require_same_leaves(judges)
    values = {name: float(measured("f1", table(pairs))) for name, pairs in judges.items()}
    rows = [(name, None if math.isnan(value) else value) for name, value in values.items()]
    return tuple(sorted(rows, key=lambda row: -1.0 if row[1] is None else row[1], reverse=True))
