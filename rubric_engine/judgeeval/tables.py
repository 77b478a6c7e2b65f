"""Confusion tables out of pairs, and what becomes of leaves that the judge could not grade."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rubric_engine.judgeeval.measures import Array
from rubric_engine.judgeeval.pairs import Bools, Codes, Floats, Pairs

Ungraded = Literal["wrong", "left_out", "right", "not_met"]
"""How a leaf without a grade counts: as a wrong grade (the headline), not at all, as a right
grade (the most that any grades could bring), or as "not met" (as it counts in a root score)."""

TP, FP, FN, TN = range(4)


def cell_of(pairs: Pairs, ungraded: Ungraded = "wrong") -> tuple[Codes, Bools]:
    """Sort leaves into the cells of a confusion table.

    Args:
        pairs: Labels and grades.
        ungraded: How a leaf without a grade counts.

    Returns:
        The cell of each leaf (0 to 3: true positive, false positive, false negative, true
        negative), and which leaves count at all.
    """
    instead = {
        "wrong": ~pairs.met,
        "left_out": pairs.said,
        "right": pairs.met,
        "not_met": np.zeros(len(pairs), dtype=np.bool_),
    }[ungraded]
    said = np.where(pairs.graded, pairs.said, instead)
    cell = np.where(pairs.met, np.where(said, TP, FN), np.where(said, FP, TN))
    counts = pairs.labelled & pairs.graded if ungraded == "left_out" else pairs.labelled
    return cell.astype(np.intp), counts


def table(pairs: Pairs, ungraded: Ungraded = "wrong", *, by_worth: bool = False) -> Array:
    """The four cells over all leaves: counts, or sums of worth."""
    nowhere = np.zeros(len(pairs), dtype=np.intp)
    return tables(pairs, nowhere, 1, ungraded, by_worth=by_worth).reshape(4)


def tables(
    pairs: Pairs,
    groups: Codes,
    count: int,
    ungraded: Ungraded = "wrong",
    *,
    by_worth: bool = False,
) -> Array:
    """The four cells of each group of leaves.

    Args:
        pairs: Labels and grades.
        groups: Group of each leaf, from 0.
        count: How many groups there are.
        ungraded: How a leaf without a grade counts.
        by_worth: Sum worths instead of counting leaves.

    Returns:
        Array of shape (count, 4).
    """
    cell, counts = cell_of(pairs, ungraded)
    weights: Floats = (pairs.worth if by_worth else np.ones(len(pairs))) * counts
    sums = np.bincount(groups * 4 + cell, weights, minlength=count * 4)
    return np.asarray(sums, dtype=np.float64).reshape(count, 4)
