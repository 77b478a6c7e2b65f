"""`Report`: what follows from grades, and the formats it is written in."""

from __future__ import annotations

import json

from rubric_engine import Criterion, Grade, Report, Rubric


def rubric() -> Rubric:
    def leaf(key: str, weight: float) -> Criterion:
        return Criterion(
            key=key, id=key, requirements=key, weight=weight, task_category="Code Development"
        )

    root = Criterion(key="root", id="root", requirements="all")
    return Rubric.build([(None, root), ("root", leaf("a", 3)), ("root", leaf("b", 1))])


GRADES = {"a": Grade.graded(1.0, "seen"), "b": Grade.ungradeable("rubric_error", "bad pattern")}


def test_the_json_document_holds_range_reasons_and_grades() -> None:
    data = json.loads(Report(rubric(), GRADES).to_json())
    assert data["score"] == {"value": 0.75, "low": 0.75, "high": 1.0, "coverage": 0.75}
    assert data["leaves"] == {"graded": 1, "ungradeable": 1, "not_applicable": 0}
    assert data["reasons"] == {"rubric_error": 1}
    assert data["grades"]["a"] == {"status": "graded", "score": 1.0, "explanation": "seen"}


def test_a_policy_changes_the_value_and_not_the_range() -> None:
    score = Report(rubric(), GRADES, missing="renormalise").score
    assert (score.value, score.low, score.high) == (1.0, 0.75, 1.0)


def test_disqualifying_keeps_the_grades() -> None:
    report = Report(rubric(), GRADES).disqualify("copied the authors' repository")
    assert (report.score.value, report.score.high) == (0.0, 0.0)
    assert report.grades == GRADES
    assert report.to_dict()["disqualified"] == "copied the authors' repository"


def test_paperbench_output_marks_the_invalid_leaf() -> None:
    data = json.loads(Report(rubric(), GRADES).to_paperbench())
    assert (data["num_leaf_nodes"], data["num_invalid_leaf_nodes"]) == (2, 1)
    tree = data["graded_task_tree"]
    assert (tree["score"], tree["sub_tasks"][1]["valid_score"]) == (0.75, False)
    assert tree["sub_tasks"][0]["explanation"] == "seen"
    out = json.loads(Report(rubric(), GRADES).disqualify("copied").to_paperbench())
    assert (out["score"], out["graded_task_tree"]["score"]) == (0.0, 0.0)


def test_a_leaf_without_any_grade_counts_as_open() -> None:
    assert Report(rubric(), {}).statuses == {"graded": 0, "ungradeable": 2, "not_applicable": 0}
