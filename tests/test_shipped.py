"""The shipped tasks, their four submissions each and the labels of these."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict

from rubric_engine import (
    Report,
    Task,
    grade,
    load_labels,
    load_submission,
    load_task,
    propagate,
)
from rubric_engine.errors import InputError
from rubric_engine.lint import lint
from rubric_engine.rubric_file import load_model
from rubric_engine.stats import rubric_stats

ROOT = Path(__file__).parent.parent
TASKS = ("heavy-ball", "variance-reduction", "count-min")
KINDS = ("full", "partial", "wrong", "cheating")
CASES = tuple(f"{task}-{kind}" for task in TASKS for kind in KINDS)
COPIES = "count-min-cheating"
"""The case whose results are copies, which rules refuse to call a result or to call none."""


class CaseFile(BaseModel):
    """The fields of `case.yaml`."""

    model_config = ConfigDict(extra="forbid")

    task: Literal["heavy-ball", "variance-reduction", "count-min"]
    submission: Literal["submission"]
    source: str
    sha256: str


def folder(case: str) -> Path:
    return ROOT / "judgeeval" / case


def task_of(case: str) -> Task:
    return load_task(case.rpartition("-")[0])


# Running a task's four submissions takes its time; of the others it is taken among slow tests.
RUN_TASKS = [TASKS[0], *(pytest.param(task, marks=pytest.mark.slow) for task in TASKS[1:])]
RUN_CASES = [
    pytest.param(case, marks=() if case.startswith(TASKS[0]) else pytest.mark.slow)
    for case in CASES
]


def report(case: str) -> Report:
    """The case, run in the local sandbox and graded by rules."""
    return reports(case.rpartition("-")[0])[case]


@cache
def reports(task: str) -> dict[str, Report]:
    """The cases of a task; they are run two at a time, as each takes its seconds on one core."""
    cases = [f"{task}-{kind}" for kind in KINDS]
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(cases, pool.map(_report, cases), strict=True))


def _report(case: str) -> Report:
    submission = load_submission(folder(case) / "submission")
    return grade(task_of(case), submission, judge="rules", sandbox="local")


@pytest.mark.parametrize("task", TASKS)
def test_the_rubric_is_of_the_promised_shape(task: str) -> None:
    stats = rubric_stats(load_task(task).rubric)
    assert 40 <= stats.leaves <= 60
    assert stats.depth >= 4
    assert set(stats.categories) == {"Code Development", "Code Execution", "Result Analysis"}
    assert stats.worth_under_checks >= 60
    assert stats.worth_under_checks < 100


@pytest.mark.parametrize("task", TASKS)
def test_lint_has_nothing_to_say(task: str) -> None:
    assert lint(load_task(task).rubric) == []


@pytest.mark.parametrize("task", TASKS)
def test_the_task_is_whole(task: str) -> None:
    loaded = load_task(task)
    assert loaded.title
    assert loaded.paper
    assert loaded.addendum
    assert loaded.outputs == ("results/**",)


@pytest.mark.parametrize("case", CASES)
def test_the_case_is_the_one_that_was_labelled(case: str) -> None:
    file = load_model(folder(case) / "case.yaml", CaseFile, error=InputError, code="E002")
    assert load_submission(folder(case) / "submission").files.sha256 == file.sha256


@pytest.mark.parametrize("case", CASES)
def test_every_leaf_is_labelled_with_a_reason(case: str) -> None:
    rubric = task_of(case).rubric
    labels = load_labels(folder(case) / "labels.yaml", rubric).labels
    assert set(labels) == set(rubric.leaves())
    assert all(label.reason for label in labels.values())


@pytest.mark.parametrize("case", RUN_CASES)
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


@pytest.mark.parametrize("case", RUN_CASES)
def test_only_leaves_without_checks_and_copied_results_are_left_open(case: str) -> None:
    copied = {"not_run"} if case == COPIES else set()
    assert set(report(case).reasons) == {"needs_model"} | copied


@pytest.mark.parametrize("task", RUN_TASKS)
def test_the_full_submission_loses_nothing(task: str) -> None:
    score = report(f"{task}-full").score
    assert score.low == pytest.approx(score.coverage)


@pytest.mark.parametrize("task", RUN_TASKS)
def test_submissions_are_ordered_by_rules_and_by_labels(task: str) -> None:
    rules = [report(f"{task}-{kind}").score.low or 0.0 for kind in KINDS]
    assert rules == sorted(rules, reverse=True)
    assert rules[0] > 1.3 * rules[1]
    rubric = load_task(task).rubric
    human = [
        propagate(rubric, load_labels(folder(f"{task}-{kind}") / "labels.yaml").grades())
        for kind in KINDS
    ]
    values = [scores[rubric.root].value or 0.0 for scores in human]
    assert values == sorted(values, reverse=True)
    assert values[0] == 1.0
