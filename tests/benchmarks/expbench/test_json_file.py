"""Reading the file of a paper."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.benchmarks.expbench import load_expbench
from rubric_engine.errors import TaskError
from tests.benchmarks.expbench.making import ENTRY, paper, without


def test_every_part_of_a_question_is_read(tmp_path: Path) -> None:
    read = load_expbench(paper(tmp_path, ENTRY, main_takeaways=[]))
    (task,) = read.tasks
    assert (task.id, task.folder, task.kind) == ("iclr2024/7/0", "iclr2024-7-0", 1)
    assert task.requirements == tuple(ENTRY["requirements"])
    assert task.masked_files == ("/workspace/train.py", "/workspace/lib/optim.py")
    assert task.design.constant == {"data": ("MNIST",), "seed": "0"}
    assert len(task.design) == 4
    assert read.warnings == ()


@pytest.mark.parametrize(
    ("entry", "kind", "hidden", "steps"),
    [
        (ENTRY, 1, 2, 2),
        (without("masked_source", mode="A"), 2, 1, 2),
        (
            without(
                "masked_source", "source", "requirements", no_answer="none",
                experiment_setup_complexity={"setup_steps": ["Load", "Train", "Compare"]},
            ),
            3, 0, 3,
        ),
    ],
)  # fmt: skip
def test_kinds(tmp_path: Path, entry: Any, kind: int, hidden: int, steps: int) -> None:
    (task,) = load_expbench(paper(tmp_path, entry)).tasks
    assert (task.kind, len(task.hidden_files), len(task.requirements)) == (kind, hidden, steps)


@pytest.mark.parametrize(
    ("entry", "code", "says"),
    [
        (without(requirments=["x"]), "W241", "did you mean 'requirements'?"),
        (without(requirements="Only one"), "W242", "single text"),
        (without("question", hypothesis="It helps"), "W242", "'hypothesis'"),
        (without("requirements"), "W243", "no requirements"),
        (without("design_complexity"), "W243", "nothing of the design"),
        (without("source", "masked_source", mode="A"), "W243", "none is named"),
        (without(requirements=["a", " "]), "W243", "empty texts"),
        (without(design_complexity={"constant_variables": {"a": [1]}}), "W242", "taken as"),
        (without(design_complexity={"constant_variable": {}}), "W241", "constant_variables"),
    ],
)
def test_what_is_odd_is_let_pass_with_a_warning(
    tmp_path: Path, entry: Any, code: str, says: str
) -> None:
    read = load_expbench(paper(tmp_path, entry))
    (warning,) = read.warnings
    assert warning.code == code
    assert says in f"{warning.message} {warning.hint}"
    assert warning.place is not None
    assert warning.place.line is not None


def test_strict_makes_unknown_keys_errors(tmp_path: Path) -> None:
    file = paper(tmp_path, without(requirments=["x"]), follow_up=[])
    with pytest.raises(TaskError) as caught:
        load_expbench(file, strict=True)
    assert [one.code for one in caught.value.problems] == ["E611", "E611"]


def test_all_errors_come_at_once_with_their_places(tmp_path: Path) -> None:
    bad = without("question", method=3, expected_outcome="")
    bad["design_complexity"] = {"constant_variables": ["seed"]}
    file = paper(tmp_path, ENTRY, bad, "no question", without(question="half \ud800"))
    with pytest.raises(TaskError) as caught:
        load_expbench(file)
    found = caught.value.problems
    assert [one.code for one in found] == ["E610"] * 6
    lines = file.read_text().splitlines()
    method = next(one for one in found if "'method' is 3" in one.message)
    assert method.place is not None
    assert method.place.line is not None
    assert method.place.column is not None
    assert lines[method.place.line - 1][method.place.column - 1 :] == "3,"
    assert str(file) in str(caught.value)


def test_a_missing_key_is_told_with_what_was_meant(tmp_path: Path) -> None:
    file = paper(tmp_path, without("expected_outcome", expected_outcom="It helps", mode="A"))
    with pytest.raises(TaskError) as caught:
        load_expbench(file)
    assert caught.value.fix == ("did you mean 'expected_outcom'?",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"questions": [', "not valid JSON"),
        ('{"questions": 3}', "a list is due"),
        ("[]", "a mapping with 'questions' is due"),
        ('{"questions": []}', "there is no question"),
        ('{"questions": [], "questions": []}', "duplicate key"),
        ('{"questions": [' + "[" * 3000 + "]" * 3000 + "]}", "deep"),
    ],
)
def test_what_is_no_such_file_is_an_error(tmp_path: Path, text: str, says: str) -> None:
    file = paper(tmp_path)
    file.write_text(text)
    with pytest.raises(TaskError, match=r"E61") as caught:
        load_expbench(file)
    assert says in caught.value.message


def test_a_folder_gives_all_its_papers_but_the_archived(tmp_path: Path) -> None:
    paper(tmp_path, ENTRY)
    paper(tmp_path / "archived", ENTRY)
    outside = paper(tmp_path.parent / "elsewhere", ENTRY)
    (tmp_path / "8_complete_final.json").symlink_to(outside)
    read = load_expbench(tmp_path)
    assert [task.id for task in read.tasks] == ["iclr2024/7/0"]
    assert [one.code for one in read.warnings] == ["W243"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(TaskError, match="E612"):
        load_expbench(tmp_path / "empty")


def test_a_question_that_stands_twice_is_an_error(tmp_path: Path) -> None:
    paper(tmp_path / "a", ENTRY)
    paper(tmp_path / "b", ENTRY)
    with pytest.raises(TaskError, match="iclr2024/7/0 stands twice"):
        load_expbench(tmp_path)


def test_the_benchmarks_own_files_are_counted_right(test_data: Path) -> None:
    folder = test_data / "expbench"
    for file in sorted(folder.rglob("*_complete_final.json")):
        entries = json.loads(file.read_bytes())["questions"]
        tasks = load_expbench(file).tasks
        assert len(tasks) == len(entries)
        for task, entry in zip(tasks, entries, strict=True):
            steps = entry.get("requirements") or entry["experiment_setup_complexity"]["setup_steps"]
            variables = sum(len(group) for group in entry["design_complexity"].values())
            assert (len(task.requirements), len(task.design)) == (len(steps), variables)
            assert task.masked_files == tuple(entry.get("masked_source", entry.get("source", ())))
    read = load_expbench(folder)
    assert [sum(task.kind == kind for task in read.tasks) for kind in (1, 2, 3)] == [7, 5, 9]
    assert len({task.id for task in read.tasks}) == 21
    assert read.warnings == ()
