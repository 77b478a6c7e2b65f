"""The case in PaperBench's JudgeEval layout: still made of the submission that is shipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import (
    Grade,
    grade,
    load_grades,
    load_labels,
    load_rubric,
    load_submission,
    load_task,
)
from rubric_engine import propagate as roll_up
from rubric_engine.declared import declared_execution

ROOT = Path(__file__).parent.parent
CASE = ROOT / "tests" / "data" / "paperbench" / "judge_eval" / "variance-reduction" / "0"
EXPECTED = CASE / "grading" / "expected_result.json"
SOURCE = ROOT / "judgeeval" / "variance-reduction-partial"


def met(one: Grade) -> bool:
    return one.score is not None and one.score >= 0.5


def nodes(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(each for child in node["sub_tasks"] for each in nodes(child))]


def test_the_tar_holds_the_shipped_submission_after_its_run() -> None:
    packed = {file.path: file.sha256 for file in load_submission(CASE / "submission.tar").files}
    shipped = {file.path: file.sha256 for file in load_submission(SOURCE / "submission").files}
    assert shipped.items() <= packed.items()
    added = packed.keys() - shipped.keys()
    assert "reproduce.log" in added
    assert {path.split("/")[0] for path in added} == {"reproduce.log", "results"}


def test_every_node_has_paperbench_s_nine_keys_and_the_score_of_its_children() -> None:
    tree = nodes(json.loads(EXPECTED.read_text()))
    assert {tuple(node) for node in tree} == {
        ("id", "requirements", "weight", "score", "valid_score", "task_category", "explanation",
         "judge_metadata", "sub_tasks")
    }  # fmt: skip
    scores = roll_up(load_rubric(EXPECTED), load_grades(EXPECTED))
    assert {node["id"]: node["score"] for node in tree} == {
        key: pytest.approx(score.value) for key, score in scores.items()
    }


def test_its_rubric_is_its_own_and_its_grades_are_the_labels() -> None:
    rubric, task = load_rubric(EXPECTED), load_task("variance-reduction").rubric
    missing = set(task.leaves()) - set(rubric.leaves())
    assert missing == {"readme-numbers", "no-results-handed-in"}
    assert rubric["tail"].weight != task["tail"].weight
    labels = load_labels(SOURCE / "labels.yaml").labels
    assert {key: one.score for key, one in load_grades(EXPECTED).items()} == {
        key: float(labels[key].verdict == "met") for key in rubric.leaves()
    }


@pytest.mark.slow
def test_rules_agree_with_it_on_every_leaf_that_they_grade() -> None:
    task, submission = load_task("variance-reduction"), load_submission(CASE / "submission.tar")
    run = declared_execution(submission, outputs=task.outputs)
    report = grade(task, submission, judge="rules", execution=run)
    human = load_grades(EXPECTED)
    differ = {
        key: (one.score, human[key].score)
        for key, one in report.grades.items()
        if one.status == "graded" and key in human and met(one) != met(human[key])
    }
    assert differ == {}
