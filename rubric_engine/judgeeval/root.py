"""How far a judge's root scores lie from the human's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from rubric_engine.grading import Grade
from rubric_engine.judgeeval.intervals import Interval, no_interval, t_interval
from rubric_engine.judgeeval.pairs import TOLERANCE, Pairs
from rubric_engine.rubric import Rubric
from rubric_engine.scoring import propagate

BOUNDS = (-1.0, 1.0)
"""What the error of a root score cannot leave."""


@dataclass(frozen=True, slots=True)
class Root:
    """The root scores of one submission, 0 to 1.

    Attributes:
        submission: Its name.
        human: By the labels.
        low: By the grades, if every leaf without a grade were 0.
        high: If every one were 1.
        leaf_error: Mean absolute error of a leaf, weighted by worth; a leaf without a grade
            counts with the greatest error that any grade could bring.
    """

    submission: str
    human: float
    low: float
    high: float
    leaf_error: float

    @property
    def judge(self) -> float:
        """By the grades, a leaf without one counting as 0: policy ``zero``."""
        return self.low

    @property
    def error(self) -> float:
        """Judge less human, at the end of the range that lies farther from the human.

        Without it, a judge that failed on a poor submission would look right by its zeros.
        """
        return max(self.low - self.human, self.high - self.human, key=abs)


@dataclass(frozen=True, slots=True)
class RootErrors:
    """Errors of root scores over submissions, in shares of the root's score.

    Where leaves have no grade, each error is the worst that any grades on them could bring.

    Attributes:
        roots: Every submission whose root score is known.
        n: How many there are.
        bias: Mean error; above 0 the judge is lenient.
        bias_range: The mean error if every leaf without a grade were 0, and if every one were 1.
        bias_anew: Interval of the bias for new submissions.
        mae: Mean absolute error.
        rmse: Root of the mean squared error.
        largest: Largest absolute error.
        leaf_error: Mean over submissions of the leaf error weighted by worth.
        complete: The same over completely graded submissions only; None where that is all of
            them, or none.
        why: Why the figures are None, where they are.
        unknown: Reasons by name of the submissions whose root score is not known; none of the
            figures speaks of them.
    """

    roots: tuple[Root, ...]
    n: int
    bias: float | None
    bias_range: tuple[float, float] | None
    bias_anew: Interval
    mae: float | None
    rmse: float | None
    largest: float | None
    leaf_error: float | None
    complete: RootErrors | None = None
    why: str | None = None
    unknown: Mapping[str, str] = field(default_factory=dict)


def roots_of(pairs: Pairs) -> list[Root]:
    """Root scores as sums of worth times score; only labelled leaves count.

    Where a submission has leaves without labels, both scores are of the others, as a share of
    their worth. A submission without any labelled worth has no root score and is left out.
    """
    parts = pairs.by(lambda row: row.submission).items()
    return [root for name, part in parts if (root := _root(part, name))]


def _root(pairs: Pairs, name: str) -> Root | None:
    here = pairs.labelled
    worth, label, grade = pairs.worth[here], pairs.label[here], pairs.grade[here]
    total = math.fsum(worth)
    if not total:
        return None
    open_ = np.isnan(grade)
    # Worths sum to 1 but for rounding; dividing by 1 - 2e-15 would only move the last digit.
    scale = 1.0 if math.isclose(total, 1.0, abs_tol=TOLERANCE) else total
    low = math.fsum(worth * np.where(open_, 0.0, grade)) / scale
    worst = np.where(open_, np.maximum(label, 1 - label), np.abs(grade - label))
    return Root(
        submission=name,
        human=math.fsum(worth * label) / scale,
        low=low,
        high=low + math.fsum(worth[open_]) / scale,
        leaf_error=math.fsum(worth * worst) / scale,
    )


def root_of(
    rubric: Rubric,
    labels: Mapping[str, Grade],
    grades: Mapping[str, Grade],
    *,
    submission: str,
) -> Root | None:
    """Root scores by the rubric's own aggregates.

    Args:
        rubric: The tree.
        labels: The human's grades by key; leaves without one leave the tree.
        grades: The judge's grades by key.
        submission: Name of the submission.

    Returns:
        The root scores; None where no label has any weight.
    """
    aside = Grade.not_applicable()
    known = {key: labels[key] for key in rubric.leaves() if _scored(labels.get(key))}
    human = propagate(rubric, {key: known.get(key, aside) for key in rubric.leaves()})[rubric.root]
    said = {key: _judged(grades.get(key)) if key in known else aside for key in rubric.leaves()}
    judge = propagate(rubric, said)[rubric.root]
    if human.value is None or judge.low is None or judge.high is None:
        return None
    return Root(
        submission=submission,
        human=human.value,
        low=judge.low,
        high=judge.high,
        leaf_error=_leaf_error(rubric, known, said),
    )


def _scored(grade: Grade | None) -> bool:
    return grade is not None and grade.score is not None


def _judged(grade: Grade | None) -> Grade:
    """A judge that says a labelled leaf does not apply has not graded it."""
    return grade if grade is not None and _scored(grade) else Grade.ungradeable("not_run")


def _leaf_error(rubric: Rubric, labels: Mapping[str, Grade], grades: Mapping[str, Grade]) -> float:
    errors, worths = [], []
    for key, label in labels.items():
        y, r = label.score or 0.0, grades[key].score
        errors.append(rubric.worth(key) * (max(y, 1 - y) if r is None else abs(r - y)))
        worths.append(rubric.worth(key))
    return math.fsum(errors) / (math.fsum(worths) or 1.0)


def root_errors(roots: Iterable[Root]) -> RootErrors:
    """Bias, mean, squared and largest error of root scores over submissions."""
    rows = tuple(roots)
    whole = tuple(row for row in rows if row.low == row.high)
    found = _errors(rows)
    if not whole or len(whole) == len(rows):
        return found
    return _errors(rows, complete=_errors(whole))


def _errors(rows: tuple[Root, ...], complete: RootErrors | None = None) -> RootErrors:
    n = len(rows)
    if not n:
        anew = t_interval([], bounds=BOUNDS)
        why = "no labelled submission"
        return RootErrors((), 0, None, None, anew, None, None, None, None, why=why)
    ends = (_mean([row.low - row.human for row in rows]), _mean([r.high - r.human for r in rows]))
    errors = [row.error for row in rows]
    return RootErrors(
        roots=rows,
        n=n,
        bias=max(ends, key=abs),
        bias_range=ends,
        bias_anew=_bias_anew(rows),
        mae=_mean([abs(error) for error in errors]),
        rmse=math.sqrt(_mean([error**2 for error in errors])),
        largest=max(map(abs, errors)),
        leaf_error=_mean([row.leaf_error for row in rows]),
        complete=complete,
    )


def _bias_anew(rows: tuple[Root, ...]) -> Interval:
    if any(row.low < row.high for row in rows):
        why = "leaves without a grade leave the scores themselves open"
        return no_interval("new submissions", "t", len(rows), why)
    return t_interval([row.error for row in rows], bounds=BOUNDS)


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)
