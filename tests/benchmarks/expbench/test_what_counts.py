"""Which leaves a share is of: those that apply and are worth something, as in the core."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rubric_engine.benchmarks.expbench import Design
from rubric_engine.benchmarks.expbench.grading import summarise
from rubric_engine.benchmarks.expbench.grading.answer_grading import leaves_of
from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome
from rubric_engine.benchmarks.expbench.rubric_of import rubric_of
from rubric_engine.cli.expbench_watch import grade_of
from rubric_engine.grading import Grade
from rubric_engine.metrics.standing import standings
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from tests.benchmarks.expbench.making import exp_task


@pytest.mark.parametrize(
    ("met", "tau", "holds"), [(1, 0.5, True), (1, 1.0, None), (0, 1.0, False), (0, 0.5, None)]
)
def test_a_share_that_grades_which_are_missing_cannot_change_is_decided(
    met: int, tau: float, holds: bool | None
) -> None:
    answer = judged({"constant-a": None, "constant-b": met})
    assert answer.marks(tau)["D"] is holds
    assert answer.share("D").value is None
    assert answer.why("D") == "constant-a: refused"


def judged(scores: Mapping[str, int | None], *weightless: str) -> AnswerOutcome:
    """An answer whose leaves of the design have these scores; -1 does not apply."""
    every = {at: Grade.graded(at) if at in (0, 1) else Grade.not_applicable() for at in (-1, 0, 1)}
    refused = Grade.ungradeable("refused")
    rubric = rubric_of(exp_task(design=Design(constant=dict.fromkeys("abc", "1"))))
    keys = {key: rubric[key] for key in rubric.order}
    changed = {key: leaf.model_copy(update={"weight": 0.0}) for key, leaf in keys.items()}
    keys |= {key: changed[key] for key in weightless}
    rubric = Rubric.build([(rubric.parent(key), keys[key]) for key in rubric.order])
    grades = dict.fromkeys(rubric.leaves(), Grade.not_applicable())
    grades |= {key: refused if at is None else every[at] for key, at in scores.items()}
    report = Report(rubric, grades)
    return AnswerOutcome(
        task="a/b/0", paper="a/b", kind=1, leaves=tuple(leaves_of(report)),
        standings=standings(rubric, report.scores),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("scores", "weightless", "value", "why"),
    [
        ({"constant-a": 1, "constant-b": 0}, (), 0.5, ""),
        ({"constant-a": 1, "constant-b": -1}, (), 1.0, ""),
        ({"constant-a": 1, "constant-b": 0, "constant-c": None}, ("constant-c",), 0.5, ""),
        ({"constant-a": 0, "constant-b": 1}, ("constant-a",), 1.0, ""),
        ({"constant-a": -1}, (), None, "nothing of it counts"),
        ({"constant-a": 1, "constant-b": 0}, ("design",), None, "nothing of it counts"),
    ],
)
def test_leaves_that_do_not_apply_or_are_worth_nothing_count_for_nothing(
    scores: Mapping[str, int | None], weightless: tuple[str, ...], value: float | None, why: str
) -> None:
    share = judged(scores, *weightless).share("D")
    assert (share.value, share.why) == (value, why)
    assert summarise([judged(scores, *weightless)]).shares[0].value == value
    assert grade_of(judged(scores, *weightless)).score == value
