"""The shipped task, its four submissions and their labels."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict

from rubric_engine import Report, grade, load_labels, load_submission, load_task
from rubric_engine.errors import InputError
from rubric_engine.rubric_file import load_model
from rubric_engine.stats import rubric_stats

ROOT = Path(__file__).parent.parent
CASES = ("full", "partial", "wrong", "cheating")


class CaseFile(BaseModel):
    """The fields of `case.yaml`."""

    model_config = ConfigDict(extra="forbid")

    task: Literal["heavy-ball"]
    submission: Literal["submission"]
    source: str
    sha256: str


def folder(case: str) -> Path:
    return ROOT / "judgeeval" / f"heavy-ball-{case}"


@cache
def report(case: str) -> Report:
    """The case, run in the local sandbox and graded by rules."""
    submission = load_submission(folder(case) / "submission")
    return grade(load_task("heavy-ball"), submission, judge="rules", sandbox="local")


def test_the_rubric_is_of_the_promised_shape() -> None:
    stats = rubric_stats(load_task("heavy-ball").rubric)
    assert 40 <= stats.leaves <= 60
    assert stats.depth >= 4
    assert set(stats.categories) == {"Code Development", "Code Execution", "Result Analysis"}
    assert stats.worth_under_checks >= 60
    assert stats.worth_under_checks < 100


@pytest.mark.parametrize("case", CASES)
def test_the_case_is_the_one_that_was_labelled(case: str) -> None:
    file = load_model(folder(case) / "case.yaml", CaseFile, error=InputError, code="E002")
    assert load_submission(folder(case) / "submission").files.sha256 == file.sha256


@pytest.mark.parametrize("case", CASES)
def test_every_leaf_is_labelled_with_a_reason(case: str) -> None:
    rubric = load_task("heavy-ball").rubric
    labels = load_labels(folder(case) / "labels.yaml", rubric).labels
    assert set(labels) == set(rubric.leaves())
    assert all(label.reason for label in labels.values())


@pytest.mark.parametrize("case", CASES)
def test_rules_never_disagree_with_the_labels(case: str) -> None:
    human = load_labels(folder(case) / "labels.yaml").grades()
    graded = {key: g for key, g in report(case).grades.items() if g.status == "graded"}
    differ = {
        key: (grade.score, human[key].score, grade.explanation)
        for key, grade in graded.items()
        if human[key].score != grade.score
    }
    assert differ == {}
    assert len(graded) >= 20


@pytest.mark.parametrize("case", CASES)
def test_only_leaves_without_checks_are_left_open(case: str) -> None:
    assert set(report(case).reasons) == {"needs_model"}


def test_the_full_submission_is_clearly_the_best() -> None:
    low = {case: report(case).score.low or 0.0 for case in CASES}
    assert low["full"] == pytest.approx(report("full").score.coverage)
    assert low["full"] > 1.3 * max(low["partial"], low["wrong"], low["cheating"])
