"""Metrics against every way to complete the grades, and the laws of logic."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rubric_engine.grading import Grade
from rubric_engine.rubric import Rubric
from tests.metrics.making import NAMES, QUARTERS, formulas, leaves_and_grades, rubric_of, values

DRAWN = leaves_and_grades()
NO_LIMIT = settings(deadline=None, max_examples=60)  # a machine under load is no failure


def truth(text: str, rubric: Rubric, scores: dict[str, Fraction]) -> bool:
    """The value of a formula as Python has it, where every leaf has a score."""
    own = {name: [s for key, s in scores.items() if rubric[key].task_category == name]
           for name in NAMES}  # fmt: skip
    means = {name: sum(each) / Fraction(len(each)) for name, each in own.items()}
    asked = re.sub(r"([ABC])(?! >=)", r"\1 >= 1", text)
    return bool(eval(asked, {}, means))


def completed(text: str, rubric: Rubric, grades: dict[str, Grade]) -> set[bool]:
    """Every value of a formula once each open leaf has a score in quarters."""
    known = {key: grade.score for key, grade in grades.items() if grade.score is not None}
    left = [key for key in rubric.leaves() if key not in known]
    assume(len(left) <= 4)
    scores = {key: Fraction(score) for key, score in known.items()}
    ways = (
        zip(left, map(Fraction, way), strict=True) for way in product(QUARTERS, repeat=len(left))
    )
    return {truth(text, rubric, scores | dict(way)) for way in ways}


@given(formulas(), DRAWN)
@NO_LIMIT
def test_undefined_exactly_where_two_ways_to_complete_the_grades_disagree(
    text: str, drawn: tuple[list[str], dict[str, Grade]]
) -> None:
    rubric = rubric_of(drawn[0], {"M": text})
    value = values(rubric, drawn[1])["M"]
    found = completed(text, rubric, drawn[1])
    assert found == ({True, False} if value is None else {value})


@given(formulas(), formulas(), DRAWN)
@NO_LIMIT
def test_de_morgan_and_double_negation(
    a: str, b: str, drawn: tuple[list[str], dict[str, Grade]]
) -> None:
    metrics = {
        "a": a,
        "b": b,
        "neither": "not (a or b)",
        "none of them": "not a and not b",
        "less than both": "not (a and b)",
        "lacks one": "not a or not b",
        "twice": "not not a",
        "never": "a and not a",
    }
    found = values(rubric_of(drawn[0], metrics), drawn[1])
    assert found["neither"] is found["none of them"]
    assert found["less than both"] is found["lacks one"]
    assert found["twice"] is found["a"]
    assert found["never"] is False


@given(formulas(negated=False), DRAWN, st.data())
@NO_LIMIT
def test_without_not_a_better_grade_makes_no_metric_false(
    text: str, drawn: tuple[list[str], dict[str, Grade]], data: st.DataObject
) -> None:
    rubric = rubric_of(drawn[0], {"M": text})
    key = data.draw(st.sampled_from(rubric.leaves()))
    before = values(rubric, drawn[1])["M"]
    known = drawn[1].get(key, Grade.ungradeable("not_run"))
    better = drawn[1] | {key: Grade.graded(max(1.0, known.score or 0.0))}
    after = values(rubric, better)["M"]
    assert _rank(before) <= _rank(after)


def _rank(value: bool | None) -> int:
    return 1 if value is None else 2 * value


@given(formulas(), DRAWN)
@NO_LIMIT
def test_a_metric_by_another_name_is_the_same(
    text: str, drawn: tuple[list[str], dict[str, Grade]]
) -> None:
    found = values(rubric_of(drawn[0], {"M": "N", "N": f"({text})", "O": text}), drawn[1])
    assert found["M"] is found["N"] is found["O"]


@given(DRAWN, st.sampled_from(["A", "A or not A >= 0.5", "not B"]))
@settings(deadline=None, max_examples=5)
def test_a_long_chain_is_worth_what_its_parts_are(
    drawn: tuple[list[str], dict[str, Grade]], first: str
) -> None:
    links = {f"m{at}": f"m{at - 1} {'or' if at % 2 else 'and'} C" for at in range(1, 1000)}
    rubric = rubric_of(drawn[0], {"m0": first, **links, "odd": f"({first}) or C", "even": "C"})
    found = values(rubric, drawn[1])
    assert {found[f"m{at}"] for at in range(1, 1000, 2)} <= {found["odd"], found["even"]}
    assert {found[f"m{at}"] for at in range(2, 1000, 2)} == {found["even"]}
