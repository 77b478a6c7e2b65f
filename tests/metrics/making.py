"""Formulas, metrics and graded rubrics of few categories, shared by the tests of metrics."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from rubric_engine.grading import Grade
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from tests.strategies import flat, leaf

NAMES = ("A", "B", "C")
QUARTERS = tuple(quarter / 4 for quarter in range(5))


@st.composite
def formulas(draw: st.DrawFn, *, negated: bool = True, depth: int = 2) -> str:
    """Draw a formula over the categories A, B and C.

    Args:
        negated: Whether `not` may stand in it.
        depth: How deep it may nest.
    """
    kinds = ["name", "name"] + (["and", "or"] if depth else []) + (["not"] if negated else [])
    match draw(st.sampled_from(kinds)):
        case "name":
            least = draw(st.sampled_from(["", " >= 0.25", " >= 0.5", " >= 0.75"]))
            return f"{draw(st.sampled_from(NAMES))}{least}"
        case "not":
            return f"not ({draw(formulas(negated=negated, depth=max(depth - 1, 0)))})"
        case joined:
            below = formulas(negated=negated, depth=depth - 1)
            return f" {joined} ".join(f"({part})" for part in (draw(below), draw(below)))


@st.composite
def leaves_and_grades(draw: st.DrawFn) -> tuple[list[str], dict[str, Grade]]:
    """Draw the category of each of at most five leaves, and grades of some of them."""
    kinds = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5))
    some = st.sampled_from([*map(Grade.graded, QUARTERS), None, Grade.ungradeable("refused")])
    drawn = {f"n{at}": draw(some) for at in range(len(kinds))}
    return kinds, {key: grade for key, grade in drawn.items() if grade is not None}


def rubric_of(kinds: list[str], metrics: Mapping[str, str]) -> Rubric:
    """A root with a leaf of each category that is named, and at least one of A, B and C."""
    every = [*kinds, *(name for name in NAMES if name not in kinds)]
    tree = flat(*(leaf(f"n{at}", category=kind) for at, kind in enumerate(every)))
    pairs = [(tree.parent(key), tree[key]) for key in tree]
    return Rubric.build(pairs, metrics=metrics)


def values(rubric: Rubric, grades: Mapping[str, Grade]) -> dict[str, bool | None]:
    """The values of a rubric's metrics."""
    return {name: found.value for name, found in Report(rubric, grades).metrics.items()}
