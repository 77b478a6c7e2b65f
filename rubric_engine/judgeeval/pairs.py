"""Pairs: what a human and a judge said of the same leaves, side by side.

Everything that JudgeEval computes starts from here. A leaf that the human could not judge has no
label and is left out of every figure, but counted; a leaf that the judge could not grade has no
grade and stays in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rubric_engine.errors import LabelsError, UsageError
from rubric_engine.grading import MET_FROM, Grade
from rubric_engine.rubric import Rubric

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Codes = NDArray[np.intp]

TOLERANCE = 1e-9
"""How far rounding may carry a score out of 0 to 1."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One leaf of one submission with its label and its grade.

    Attributes:
        key: Key of the leaf in its rubric.
        submission: Name of the submission, one for each labelled case.
        parent: Key of the group that the leaf stands under; leaves of one group are one cluster.
        category: The leaf's category.
        worth: Its share of the root's score, 0 to 1, as `Rubric.worth` gives it.
        label: The human's score, 0 to 1; None or NaN where the human could not judge.
        grade: The judge's score, 0 to 1; None or NaN where the judge could not grade.
        probability: The judge's probability that the leaf is met, where it gives one.
        cost: What grading the leaf cost, in dollars, where that is known.
    """

    key: str
    submission: str
    parent: str
    category: str
    worth: float
    label: float | None
    grade: float | None
    probability: float | None = None
    cost: float | None = None


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of one judge over any number of submissions, as columns.

    Build it with `Pairs.of`. `label` and `grade` hold NaN where there is none.
    """

    rows: tuple[Pair, ...]
    threshold: float

    @classmethod
    def of(cls, rows: Iterable[Pair], *, threshold: float = MET_FROM) -> Pairs:
        """Check the rows and hold them together.

        Args:
            rows: One for each leaf of each submission, in document order.
            threshold: Score from which on a label or a grade counts as met.

        Raises:
            LabelsError: A label is no score.
            UsageError: A grade, worth or threshold is out of range, or a leaf stands twice.
        """
        kept = tuple(rows)
        _check(kept, threshold)
        return cls(kept, threshold)

    def __len__(self) -> int:
        return len(self.rows)

    def only(self, wanted: Callable[[Pair], bool]) -> Pairs:
        """The pairs that are wanted, for example those of one category."""
        return Pairs(tuple(row for row in self.rows if wanted(row)), self.threshold)

    def by(self, name: Callable[[Pair], str]) -> dict[str, Pairs]:
        """The pairs in parts by a name, such as their submission's, in order of appearance."""
        parts: dict[str, list[Pair]] = {}
        for row in self.rows:
            parts.setdefault(name(row), []).append(row)
        return {key: Pairs(tuple(rows), self.threshold) for key, rows in parts.items()}

    @cached_property
    def label(self) -> Floats:
        """The human's scores."""
        return _column([row.label for row in self.rows])

    @cached_property
    def grade(self) -> Floats:
        """The judge's scores."""
        return _column([row.grade for row in self.rows])

    @cached_property
    def worth(self) -> Floats:
        """Shares of the roots' scores."""
        return np.array([row.worth for row in self.rows], dtype=np.float64)

    @cached_property
    def labelled(self) -> Bools:
        """Which leaves the human judged."""
        return ~np.isnan(self.label)

    @cached_property
    def graded(self) -> Bools:
        """Which leaves the judge graded."""
        return ~np.isnan(self.grade)

    @cached_property
    def met(self) -> Bools:
        """Which leaves the human says are met."""
        return np.nan_to_num(self.label) >= self.threshold - TOLERANCE

    @cached_property
    def said(self) -> Bools:
        """Which leaves the judge says are met; False where it did not grade."""
        return np.nan_to_num(self.grade) >= self.threshold - TOLERANCE

    @cached_property
    def submissions(self) -> tuple[str, ...]:
        """Names of the submissions, in order of appearance."""
        return tuple(dict.fromkeys(row.submission for row in self.rows))

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """The categories, in order of appearance."""
        return tuple(dict.fromkeys(row.category for row in self.rows))

    @cached_property
    def submission_codes(self) -> Codes:
        """Place of each leaf's submission in `submissions`."""
        return _codes([row.submission for row in self.rows], self.submissions)

    @cached_property
    def category_codes(self) -> Codes:
        """Place of each leaf's category in `categories`."""
        return _codes([row.category for row in self.rows], self.categories)

    @cached_property
    def clusters(self) -> tuple[tuple[str, str], ...]:
        """Groups that hold leaves, as (submission, parent), sorted: order of rows is no matter."""
        return tuple(sorted({(row.submission, row.parent) for row in self.rows}))

    @cached_property
    def cluster_codes(self) -> Codes:
        """Place of each leaf's group in `clusters`."""
        return _codes([(row.submission, row.parent) for row in self.rows], self.clusters)


def pair_up(
    rubric: Rubric,
    labels: Mapping[str, Grade],
    grades: Mapping[str, Grade],
    *,
    submission: str,
    costs: Mapping[str, float] | None = None,
) -> list[Pair]:
    """Set the labels of a submission and a judge's grades side by side.

    Args:
        rubric: The tree that both belong to.
        labels: The human's grades by key, as `load_labels(...).grades()` or `load_grades` give.
        grades: The judge's grades by key.
        submission: Name of the submission.
        costs: What grading each leaf cost, in dollars, by key, where that is known.

    Returns:
        One pair for each leaf in document order. Whatever has no score is None: an ungradeable
        leaf, one that is said not to apply, one that is left out.
    """
    return [
        Pair(
            key=key,
            submission=submission,
            parent=rubric.parent(key) or key,
            category=rubric[key].task_category or "",
            worth=rubric.worth(key),
            label=labels[key].score if key in labels else None,
            grade=grades[key].score if key in grades else None,
            probability=grades[key].probability if key in grades else None,
            cost=(costs or {}).get(key),
        )
        for key in rubric.leaves()
    ]


def is_number(value: float | None) -> bool:
    """Whether a score is there at all."""
    return value is not None and not math.isnan(value)


def _column(values: Sequence[float | None]) -> Floats:
    column = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return np.clip(column, 0.0, 1.0)


def _codes(values: Sequence[Hashable], names: Sequence[Hashable]) -> Codes:
    place = {name: index for index, name in enumerate(names)}
    return np.array([place[value] for value in values], dtype=np.intp)


def _check(rows: Sequence[Pair], threshold: float) -> None:
    if not 0 < threshold <= 1:
        raise UsageError(f"a threshold lies above 0 and at most at 1, got {threshold!r}")
    seen: set[tuple[str, str]] = set()
    for row in rows:
        where = f"leaf {row.key!r} of submission {row.submission!r}"
        if not _fits(row.label):
            raise LabelsError(f"{where} has label {row.label!r}; labels are 0 to 1", key=row.key)
        if not _fits(row.grade) or not _fits(row.probability):
            said = row.probability if _fits(row.grade) else row.grade
            raise UsageError(f"{where} has grade {said!r}; grades are 0 to 1", key=row.key)
        if not (is_number(row.worth) and -TOLERANCE <= row.worth <= 1 + TOLERANCE):
            raise UsageError(f"{where} has worth {row.worth!r}; worths are 0 to 1", key=row.key)
        if (row.submission, row.key) in seen:
            raise UsageError(f"{where} stands twice", key=row.key)
        seen.add((row.submission, row.key))


def _fits(score: float | None) -> bool:
    if score is None or math.isnan(score):
        return True
    return -TOLERANCE <= score <= 1 + TOLERANCE
