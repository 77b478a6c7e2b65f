"""What an audit draws from: leaves, and groups that are no weighted mean."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine import Grade, Rubric, propagate
from rubric_engine.judgeeval import frame_of, part_scores
from tests.strategies import group, leaf, rubrics

GROUPED = Rubric.build(
    [
        (None, group("root")),
        ("root", leaf("a", weight=3)),
        ("root", group("whole", aggregate="all")),
        ("whole", leaf("b")),
        ("whole", group("inner")),
        ("inner", leaf("c")),
    ]
)


def test_a_group_that_is_no_weighted_mean_is_one_part() -> None:
    frame = frame_of(GROUPED)
    assert frame.worth == {"a": 0.75, "whole": 0.25}
    assert frame.leaves == {"a": ("a",), "whole": ("b", "c")}


@pytest.mark.parametrize(
    ("b", "c", "whole"),
    [
        (Grade.graded(1), Grade.graded(1), 1),
        (Grade.graded(0), Grade.ungradeable("not_run"), 0),
        (Grade.graded(1), Grade.ungradeable("not_run"), None),
        (Grade.graded(1), Grade.not_applicable(), None),
    ],
)
def test_a_part_is_open_only_where_its_score_is(b: Grade, c: Grade, whole: int | None) -> None:
    found = part_scores(GROUPED, frame_of(GROUPED), {"b": b, "c": c})
    assert found == {"a": None, "whole": whole}


def test_a_view_whose_group_weighs_nothing_still_sums_to_one() -> None:
    rubric = Rubric.build(
        [
            (None, group("root")),
            ("root", group("light")),
            ("light", leaf("x", weight=0)),
            ("light", leaf("y", category="Result Analysis")),
            ("root", leaf("z")),
        ]
    ).subset(category="Code Development")
    assert {key: share for key, share in frame_of(rubric).worth.items() if share} == {"z": 1.0}


@given(rubrics(), st.data())
def test_parts_times_worth_are_the_score(rubric: Rubric, data: st.DataObject) -> None:
    frame = frame_of(rubric)
    grades = {
        key: Grade.graded(data.draw(st.sampled_from([0.0, 0.5, 1.0]))) for key in rubric.leaves()
    }
    root = propagate(rubric, grades)[rubric.root]
    if root.value is None:
        assert not any(frame.worth.values())
        return
    parts = part_scores(rubric, frame, grades)
    assert math.fsum(frame.worth.values()) == pytest.approx(1)
    total = math.fsum(share * (parts[key] or 0) for key, share in frame.worth.items())
    assert total == pytest.approx(root.value, abs=1e-9)
