"""A regression that fails a gate, holds it, or cannot be decided."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rubric_engine.comparing import compare, regression
from rubric_engine.grading import Grade
from rubric_engine.result import Report, Stop
from tests.comparing.runs import FACTS, MET, TREE, run


@pytest.mark.parametrize(
    ("second", "limit", "failed", "undecided"),
    [
        ({"k0": 0}, 12.5, False, False),
        ({"k0": 0}, 12.4, True, False),
        ({"k0": 0, "k1": None}, 50, False, True),
        ({}, 0, False, False),
    ],
)
def test_a_regression_is_held_from_low_end_to_low_end(
    second: dict[str, float | None], limit: float, failed: bool, undecided: bool
) -> None:
    found = regression(compare(run(TREE, MET), run(TREE, MET | second)), limit)
    assert (found.failed, found.undecided is not None) == (failed, undecided)
    if undecided:
        assert found.undecided == "B has 1 leaf that could not be graded (1 refused)"


def test_what_nobody_was_asked_about_is_no_regression() -> None:
    def rules(scores: Mapping[str, float | None]) -> Report:
        report = run(TREE, scores)
        unasked = {"k7": Grade.ungradeable("needs_model")}
        return Report(TREE, {**report.grades, **unasked}, provenance=FACTS)

    found = regression(compare(rules(MET), rules(MET)), 0)
    assert (found.fell, found.failed, found.undecided) == (0, False, None)
    stopped = run(TREE, MET, stopped=Stop("E601", 6, "too dear"))
    assert regression(compare(stopped, run(TREE, MET)), 0).undecided == (
        "A was stopped before every leaf was asked about (too dear)"
    )
