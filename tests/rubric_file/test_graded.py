"""Grades out of graded trees."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.errors import LabelsError
from rubric_engine.grading import Grade
from rubric_engine.rubric_file import load_grades, load_rubric

Write = Callable[[str | bytes], Path]


def node(name: str, score: Any, *below: dict[str, Any], **more: Any) -> dict[str, Any]:
    category = None if below else "Code Development"
    own = {"id": name, "requirements": "x", "task_category": category, "sub_tasks": list(below)}
    return {**own, "score": score, "valid_score": True, "explanation": f"why {name}", **more}


def test_leaves_have_grades_by_key(write: Write) -> None:
    tree = node(
        "root", 0.5, node("a", 1), node("a", 0.25), node("b", 0.0, valid_score=False),
        node("c", None), {name: value for name, value in node("d", 1).items() if name != "score"},
    )  # fmt: skip
    path = write(json.dumps({"graded_task_tree": tree}))
    grades = load_grades(path)
    assert tuple(grades) == load_rubric(path).leaves()
    assert grades == {
        "a": Grade.graded(1, "why a"),
        "a#2": Grade.graded(0.25, "why a"),
        "b": Grade.ungradeable("provider_error", "why b"),
        "c": Grade.ungradeable("not_run", "why c"),
        "d": Grade.ungradeable("not_run", "why d"),
    }


def test_rubric_without_grades(write: Write) -> None:
    path = write("id: a\nrequirements: x\ntask_category: C\n")
    with pytest.raises(LabelsError, match="rubric without grades") as caught:
        load_grades(path)
    assert caught.value.exit_code == 3
    assert caught.value.fix


@pytest.mark.parametrize("score", [2, -0.1, True, "1", [1], float("nan"), float("inf")])
def test_score_that_is_none(write: Write, score: Any) -> None:
    text = json.dumps(node("root", 0, node("a", 1), node("b", score), node("c", score)), indent=1)
    path = write(text)
    with pytest.raises(LabelsError, match="scores are numbers from 0 to 1") as caught:
        load_grades(path)
    line = text[: text.index('"id": "b"')].count("\n")
    assert caught.value.code == "E501"
    assert (str(caught.value.place), caught.value.key) == (f"{path}:{line}:3", "b")
    assert [problem.key for problem in caught.value.problems] == ["b", "c"]


def test_a_mark_of_validity_that_is_neither_true_nor_false(write: Write) -> None:
    with pytest.raises(LabelsError, match="valid_score is 'false'"):
        load_grades(write(json.dumps(node("root", 0, node("a", 0, valid_score="false")))))
