"""A rubric and an edition of it, drawn, and what the tests of comparisons share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from hypothesis import strategies as st

from rubric_engine.comparing.aligning import align
from rubric_engine.comparing.causes import Cause, split
from rubric_engine.comparing.kinds import Kind, leaf_kinds
from rubric_engine.criterion import Criterion
from rubric_engine.grading import Grade
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from tests.strategies import AGGREGATES, GRADES, PLAIN_WEIGHTS, graded_rubrics, leaf

Graded = tuple[Rubric, dict[str, Grade]]

EDITS = ("keep",) * 6 + ("weight", "text", "drop", "aggregate")


@st.composite
def editions(
    draw: st.DrawFn, *, weights: st.SearchStrategy[float] = PLAIN_WEIGHTS
) -> tuple[Graded, Graded]:
    """Draw a graded rubric and an edition of it with other grades on some leaves."""
    rubric, grades = draw(graded_rubrics(weights=weights))
    pairs: list[tuple[str | None, Criterion]] = []
    kept: set[str | None] = {None}
    for key in rubric.order:
        above, edit = rubric.parent(key), draw(st.sampled_from(EDITS))
        if above not in kept or (above is not None and edit == "drop"):
            continue
        kept.add(key)
        pairs.append((above, _edited(draw, rubric[key], edit, weights)))
        if not rubric.is_leaf(key):
            count = draw(st.sampled_from([0, 0, 0, 1, 2]))
            more = (leaf(f"{key}+{at}", weight=draw(weights)) for at in range(count))
            pairs.extend((key, one) for one in more)
    edition = Rubric.build(pairs)
    again = {key: draw(st.one_of(st.just(grades.get(key)), GRADES)) for key in edition.leaves()}
    known = {key: grade for key, grade in again.items() if grade is not None}
    return (rubric, grades), (edition, known)


def _edited(
    draw: st.DrawFn, criterion: Criterion, edit: str, weights: st.SearchStrategy[float]
) -> Criterion:
    change: dict[str, object] = {}
    if edit == "weight":
        change = {"weight": draw(weights)}
    elif edit == "text":
        change = {"requirements": f"{criterion.requirements}, and more"}
    elif edit == "aggregate" and criterion.task_category is None:
        change = {"aggregate": draw(st.sampled_from(AGGREGATES))}
    return criterion.model_copy(update=change)


def causes(first: Report, second: Report) -> tuple[Cause, ...]:
    """The causes of the difference of two runs."""
    shared = align(first.rubric, second.rubric)
    return split(first, second, shared, leaf_kinds(first, second, shared))


def by_kind(parts: Iterable[Cause]) -> dict[Kind, float]:
    """Points by cause."""
    found: dict[Kind, list[float]] = {}
    for one in parts:
        found.setdefault(one.kind, []).append(one.points)
    return {kind: math.fsum(points) for kind, points in found.items()}


def graded(scores: Mapping[str, float | None]) -> dict[str, Grade]:
    """Grades of these scores; None is a leaf that could not be graded."""
    return {
        key: Grade.ungradeable("refused") if score is None else Grade.graded(score, f"{key}: why")
        for key, score in scores.items()
    }
