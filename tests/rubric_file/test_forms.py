"""The forms of a rubric that load: with a header, PaperBench's, its relatives, graded trees."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import criterion_places, load_rubric

Write = Callable[[str | bytes], Path]

OWN = """\
rubric: 1
title: Momentum
categories:
  Ablation: {question: "Was it varied?", sees: [code, log], needs_run: true}
root:
  id: root
  requirements: All of it
  sub_tasks:
    - id: update
      requirements: "The update: as in equation 2"
      weight: 3
      task_category: Ablation
      evidence: ["src/**/*.py"]
      tags: [core, 2024-01-01]
      checks:
        - python_defines: {file: "src/*.py", name: heavy_ball}
        - not: {contains: {file: a.py, text: 010}}
      scale: [{score: 0, says: no}, {score: 1, says: yes}]
    - id: table
      requirements: >-
        Two
        lines
      task_category: Result Analysis
      depends_on: [update]
      note_to_judge: ~
      checks:
"""


def loaded(write: Write, value: dict[str, Any]) -> Rubric:
    return load_rubric(write(json.dumps(value)))


CATEGORY = "Code Development"


def leaf(name: str, **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "requirements": f"what {name} asks",
        "task_category": "Code Development",
        **more,
    }


def test_own_form(write: Write) -> None:
    rubric = load_rubric(write(OWN))
    assert rubric.title == "Momentum"
    assert rubric.categories["Ablation"].needs_run
    assert rubric.leaves() == ("update", "table")
    update, table = rubric["update"], rubric["table"]
    assert update.requirements == "The update: as in equation 2"
    assert update.weight == 3.0
    assert update.tags == ("core", "2024-01-01")
    assert [step.says for step in update.scale] == ["no", "yes"]
    assert [check.kind for check in update.checks] == ["python_defines", "not"]
    assert table.requirements == "Two lines"
    assert table.weight == 1.0
    assert table.depends_on == ("update",)
    assert table.note_to_judge is None
    assert table.checks == ()
    assert rubric.warnings == ()


def test_places_of_criteria(write: Write) -> None:
    path = write(OWN)
    places = criterion_places(path)
    assert {key: (place.line, place.column) for key, place in places.items()} == {
        "root": (6, 3),
        "update": (9, 7),
        "table": (19, 7),
    }


@pytest.mark.parametrize(
    "written", ["no", "yes", "on", "1e3", "010", "2024-01-01", "0x1F", "1_000", "1:30", "true",
                ".5", "+1", "-", "NaN", "0o7", "1.0", "12345678901234567890123"],
)  # fmt: skip
def test_text_stays_as_it_is_written(write: Write, written: str) -> None:
    text = f"rubric: 1\nroot: {{id: {written}, requirements: {written}, task_category: {written}}}"
    rubric = load_rubric(write(text))
    assert rubric.root == written
    assert rubric[written].requirements == written
    assert rubric[written].task_category == written


@pytest.mark.parametrize(
    ("written", "weight"),
    [("1e3", 1000.0), ("010", 10.0), ("2", 2.0), (".5", 0.5), ("+3", 3.0), ("1.", 1.0), ("0", 0.0)],
)
def test_numbers_where_numbers_are_due(write: Write, written: str, weight: float) -> None:
    rubric = load_rubric(
        write(f"id: a\nrequirements: x\ntask_category: Code Development\nweight: {written}\n")
    )
    assert rubric["a"].weight == weight


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True), ("false", False), ("null", None), ("~", None), ("", None), ("12", 12),
        ("-1.5e3", -1500.0), ("1e3", 1000.0), ("'12'", "12"), ("no", "no"), ("010", "010"),
        ("True", "True"), ("1_000", "1_000"), (".5", ".5"), ("1e999", "1e999"), ("+1", "+1"),
        ("2024-01-01", "2024-01-01"), ("[1, {a: ~}]", [1, {"a": None}]),
    ],
)  # fmt: skip
def test_unknown_values_follow_json(write: Write, written: str, value: Any) -> None:
    rubric = load_rubric(
        write(f"id: a\nrequirements: x\ntask_category: Code Development\nfoo: {written}\n")
    )
    assert rubric["a"].extra == {"foo": value}
    assert type(rubric["a"].extra["foo"]) is type(value)


def test_repeated_ids_take_the_next_free_number(write: Write) -> None:
    tree = {
        "id": "root",
        "requirements": "x",
        "sub_tasks": [leaf("a"), leaf("a"), leaf("a#2"), leaf("a"), leaf("a#2")],
    }
    rubric = loaded(write, tree)
    assert rubric.leaves() == ("a", "a#3", "a#2", "a#4", "a#2#2")
    assert rubric["a#3"].id == "a"
    assert rubric.warnings == ("3 ids repeat; the later criteria are named 'a#3', 'a#4', 'a#2#2'",)


def test_relative_with_titles_and_gaps(write: Write) -> None:
    tree = {
        "id": "A",
        "title": "The whole",
        "sub_tasks": [
            {"id": "B", "requirements": None, "sub_tasks": [leaf("C", title="c", weight=0.5)]},
            leaf("D", evidence_inputs=[{"path": "x", "recursive": True}], title="d", wieght=2),
        ],
    }
    rubric = loaded(write, tree)
    assert rubric["A"].requirements == "The whole"
    assert rubric["A"].weight == 1.0
    assert rubric["B"].requirements == ""
    assert rubric["C"].weight == 0.5
    assert rubric["D"].extra["evidence_inputs"] == [{"path": "x", "recursive": True}]
    assert rubric.warnings == (
        "unknown key 'title' kept (3x)",
        "unknown key 'evidence_inputs' kept (1x); did you mean 'evidence'?",
        "unknown key 'wieght' kept (1x); did you mean 'weight'?",
        "2 groups lack requirements; their title, if any, is used",
    )


def test_number_as_id_is_text_without_a_header_only(
    write: Write, refused: Callable[[str], Exception]
) -> None:
    rubric = loaded(write, leaf("a") | {"id": 7})
    assert rubric.root == "7"
    assert rubric.warnings == ("1 ids are numbers; they were read as text",)
    error = refused(json.dumps({"rubric": 1, "root": leaf("a") | {"id": 7}}))
    assert "id of '7': text is due here, found 7" in str(error)


@pytest.mark.parametrize("under", [None, "graded_task_tree"])
def test_grades_are_no_part_of_the_rubric(write: Write, under: str | None) -> None:
    grade = {"score": 1.0, "valid_score": True, "explanation": "so", "judge_metadata": None}
    tree = {"id": "r", "requirements": "x", "sub_tasks": [leaf("a", **grade)], **grade}
    rubric = loaded(write, {under: tree, "judge_type": "simple"} if under else tree)
    assert rubric["a"].extra == {}
    assert rubric.warnings == ()


@pytest.mark.parametrize("sub_tasks", [[], None])
def test_leaf_has_no_sub_tasks(write: Write, sub_tasks: list[Any] | None) -> None:
    assert loaded(write, leaf("a", sub_tasks=sub_tasks)).leaves() == ("a",)


def test_fifty_thousand_levels(write: Write) -> None:
    depth = 50_000
    above = '{"id":"a","requirements":"x","sub_tasks":['
    text = above * depth + json.dumps(leaf("z")) + "]}" * depth
    rubric = load_rubric(write(text))
    assert len(rubric) == depth + 1
    assert rubric.leaves() == ("z",)
