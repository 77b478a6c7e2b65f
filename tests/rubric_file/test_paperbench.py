"""PaperBench's own rubrics and labelled trees, where they are at hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.grading import Grade
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import dump_rubric, load_grades, load_rubric
from rubric_engine.rubric_file.writer import Format
from rubric_engine.scoring import propagate

# nodes, leaves, depth; leaves of Code Development, Code Execution, Result Analysis
COUNTS = {
    "bbox": (422, 279, 8, (145, 81, 53)),
    "lca-on-the-line": (1048, 819, 6, (403, 370, 46)),
    "pinn": (2551, 1963, 9, (126, 1815, 22)),
    "rice": (489, 361, 6, (178, 170, 13)),
    "semantic-self-consistency": (100, 77, 5, (50, 21, 6)),
    "stochastic-interpolants": (94, 69, 6, (58, 7, 4)),
}
CATEGORIES = ("Code Development", "Code Execution", "Result Analysis")
LABELLED = {
    "rice": 489,
    "semantic-self-consistency": 102,
    "stay-on-topic-with-classifier-free-guidance": 155,
}


def labelled(data: Path, name: str) -> Path:
    return data / "paperbench/judge_eval" / name / "0/grading/expected_result.json"


@pytest.fixture(params=sorted(COUNTS))
def paper(request: pytest.FixtureRequest, paperbench_papers: Path) -> Path:
    return paperbench_papers / str(request.param) / "rubric.json"


def test_counts(paper: Path) -> None:
    rubric = load_rubric(paper)
    count = Counter(rubric[key].task_category for key in rubric.leaves())
    depth = max(rubric.levels.values())
    categories = tuple(count[name] for name in CATEGORIES)
    assert (len(rubric), len(rubric.leaves()), depth, categories) == COUNTS[paper.parent.name]


def test_repeated_ids_of_bbox(paperbench_papers: Path) -> None:
    rubric = load_rubric(paperbench_papers / "bbox/rubric.json")
    renamed = {key for key in rubric if key.endswith("#2")}
    assert renamed == {"gt-acc-gsm8k#2", "gt-acc-scienceqa#2", "gt-acc-truthfulqa#2"}
    assert len(rubric.warnings) == 1


def views(rubric: Rubric) -> list[Rubric]:
    fine = {rubric[key].finegrained_task_category for key in rubric.leaves()}
    return [
        rubric,
        *(rubric.subset(category=name) for name in CATEGORIES),
        *(rubric.without(finegrained=str(name)) for name in sorted(map(str, fine))),
        *map(rubric.prune_to_depth, range(1, 10)),
    ]


def test_all_ones_is_one_in_every_view(paper: Path) -> None:
    for view in views(load_rubric(paper)):
        scores = propagate(view, dict.fromkeys(view.leaves(), Grade.graded(1)))
        assert scores[view.root].value == 1.0


@pytest.mark.parametrize("format", ["yaml", "json"])
def test_round_trip(paper: Path, tmp_path: Path, format: Format) -> None:
    rubric = load_rubric(paper)
    path = tmp_path / f"rubric.{format}"
    dump_rubric(rubric, path)
    again = load_rubric(path)
    assert again == rubric
    assert again.sha256 == rubric.sha256


def test_json_is_paperbench_form_again(paper: Path) -> None:
    def sorted_form(node: dict[str, Any]) -> dict[str, Any]:
        return {**node, "sub_tasks": [sorted_form(child) for child in node["sub_tasks"]]}

    original = json.loads(paper.read_text())
    written = json.loads(dump_rubric(load_rubric(paper), format="json"))
    assert sorted_form(written) == sorted_form(original)


@pytest.mark.parametrize("name", LABELLED)
def test_labelled_trees_propagate_to_their_stored_scores(test_data: Path, name: str) -> None:
    path = labelled(test_data, name)
    rubric, grades = load_rubric(path), load_grades(path)
    assert len(rubric) == LABELLED[name]
    assert tuple(grades) == rubric.leaves()
    assert rubric.warnings == ()
    scores = propagate(rubric, grades)
    stack = [json.loads(path.read_text())]
    while stack:
        node = stack.pop()
        assert scores[node["id"]].value == pytest.approx(node["score"], abs=1e-9)
        stack += node["sub_tasks"]
