"""Sets of tasks as files: what loads, and what is told of one that does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.benchmarks.tasksets import load_task_set
from rubric_engine.errors import TaskError, UsageError
from tests.benchmarks.tasksets.example import TASKS, task


def write(folder: Path, *tasks: Any, name: str = "tasks.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(list(tasks), indent=1, ensure_ascii=False))
    return path


def problems(path: Path) -> list[tuple[str, str, int | None, str | None]]:
    with pytest.raises(TaskError) as caught:
        load_task_set(path)
    return [
        (each.code, each.message, each.place.line if each.place else None, each.hint)
        for each in caught.value.problems
    ]


def test_the_example_set_has_six_phases_all_methods_and_two_tasks_in_chinese() -> None:
    found = load_task_set(TASKS)
    assert len(found) == 12
    phases = [each.phase for each in found]
    assert {phases.count(phase) for phase in phases} == {2}
    assert len(set(phases)) == 6
    assert {each.judge.method for each in found} == {"rules", "llm", "rule_and_llm", "hybrid"}
    assert {each.autonomy for each in found} == {"L1", "L2", "L3", "L4"}
    chinese = [
        each for each in found if any("\u4e00" <= char <= "\u9fff" for char in each.question)
    ]
    assert [each.task_id for each in chinese] == ["hypothesis-2", "writing-2"]
    assert (found.name, found.version) == ("tasks", "1.0")


def test_every_slip_of_a_file_is_told_at_once_with_its_place_and_what_was_meant(
    tmp_path: Path,
) -> None:
    path = write(
        tmp_path,
        task(dificulty="hard"),
        task(task_id="b", autonomy="L5"),
        task(task_id="c", judge={"method": "rules", "rules": ["json_kees"]}),
        task(task_id="c", resources=["../secret", "taks.json"]),
    )
    lines = path.read_text().splitlines()
    found = problems(path)
    assert [(code, hint) for code, _, _, hint in found] == [
        ("E620", "did you mean 'difficulty'?"),
        ("E620", None),
        ("E623", "did you mean 'json_keys'?"),
        ("E621", None),
        ("E625", "copy the file into the folder, and name it from there"),
        ("E625", "did you mean 'tasks.json'?"),
    ]
    for (_, _, line, _), word in zip(
        found, ["dificulty", "L5", "json_kees", '"c"', "../secret", "taks.json"], strict=True
    ):
        assert line is not None
        assert word in lines[line - 1]


RULES = {"method": "rules", "rules": ["well_formed"]}


@pytest.mark.parametrize(
    ("more", "code", "says"),
    [
        ({"judge": {"method": "rules"}}, "E622", "needs judge.rules"),
        ({"judge": {"method": "llm"}}, "E622", "nothing to judge"),
        (
            {"judge": RULES | {"llm": {"dimensions": ["clear"]}}},
            "E622",
            "judge.llm is not used",
        ),
        ({"judge": RULES, "reference": ["a point"]}, "E622", "reference.points are not used"),
        (
            {"judge": {"method": "llm", "llm": {"dimensions": ["a", "a"]}}},
            "E622",
            "'a' stands twice",
        ),
        ({"judge": {"method": "rules", "rules": ["exact"]}}, "E623", "reference answer"),
        (
            {"judge": {"method": "rules", "rules": [{"name": "length", "mx": 3}]}},
            "E623",
            "unknown key 'mx'",
        ),
        (
            {"judge": {"method": "rules", "rules": [{"name": "well_formed", "weight": 0}]}},
            "E624",
            "weights are 0",
        ),
        ({"judge": {"method": "rules", "rules": ["columns"]}}, "E623", "table or csv"),
        (
            {"expected_output": {"type": "json", "structure": {"type": "object", "requird": []}}},
            "E626",
            "'requird'",
        ),
        ({"expected_output": {"type": "number", "structure": ["a"]}}, "E626", "says nothing"),
        ({"expected_output": {"structure": ["a", 3]}}, "E626", "names are texts"),
        ({"expected_output": {"structure": {"type": "object"}}}, "E626", "says nothing"),
        ({"question": ""}, "E620", "question"),
        ({"judge": {"method": "llm", "llm": {"sampling_times": 0}}}, "E620", "sampling_times"),
    ],
)
def test_a_task_that_could_not_be_judged_is_refused(
    tmp_path: Path, more: dict[str, Any], code: str, says: str
) -> None:
    found = problems(write(tmp_path, task(**more)))
    assert [each[0] for each in found] == [code]
    assert says in found[0][1]


@pytest.mark.parametrize(
    ("wrong", "meant"), [("qestion", "question"), ("refrence", "reference"), ("nonsense", "")]
)
def test_what_else_is_wrong_is_told_beside_wrong_keys(
    tmp_path: Path, wrong: str, meant: str
) -> None:
    one: dict[str, Any] = task(
        judge={"method": "hybrid", "rules": ["number_clos"], "llm": {"model": "m"}},
        reference={"points": ["a"]},
    )
    one[wrong] = one.pop(meant, "x")
    told = [message for _, message, _, _ in problems(write(tmp_path, one, task()))]
    assert any(f"unknown key {wrong!r}" in each for each in told)
    assert any("number_clos" in each for each in told)
    assert any("stands twice" in each for each in told)
    assert not any("nothing to judge" in each for each in told)
    rest = [each for each in told if "missing" not in each]
    assert len(rest) == 3


@pytest.mark.parametrize("text", ["", "[]", "3", '{"tasks": 3}', '{"task": []}', "[3]", "[[]]"])
def test_what_is_no_set_is_refused_without_a_traceback(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(text)
    with pytest.raises(TaskError):
        load_task_set(path)


def test_yaml_means_the_same_as_json(tmp_path: Path) -> None:
    path = write(
        tmp_path, task(reference="64", judge={"method": "rules", "rules": ["number_close"]})
    )
    (tmp_path / "same.yaml").write_text(
        "- task_id: a\n  phase: writing\n  domain: physics\n  difficulty: easy\n"
        "  question: What is it?\n  reference: '64'\n"
        "  judge: {method: rules, rules: [number_close]}\n"
    )
    assert load_task_set(tmp_path / "same.yaml").sha256 == load_task_set(path).sha256


def test_a_resource_behind_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "data.txt").symlink_to(tmp_path / "secret.txt")
    found = problems(write(folder, task(resources=["data.txt"])))
    assert [each[0] for each in found] == ["E625"]
    assert "link" in found[0][1]


def test_the_hash_is_of_what_is_asked_and_judged_not_of_how_it_is_written(tmp_path: Path) -> None:
    first = load_task_set(write(tmp_path, task()))
    (tmp_path / "b.json").write_text(json.dumps({"tasks": [task()]}))
    assert load_task_set(tmp_path / "b.json").sha256 == first.sha256
    other = load_task_set(write(tmp_path, task(question="What else?")))
    assert other.sha256 != first.sha256
    (tmp_path / "data.txt").write_text("1")
    given = write(tmp_path, task(resources=["data.txt"]))
    before = load_task_set(given)
    (tmp_path / "data.txt").write_text("2")
    after = load_task_set(given)
    assert before.sha256 != after.sha256
    assert before.hash_of(before["a"]) != after.hash_of(after["a"])


def test_tasks_are_chosen_by_what_they_are_and_near_misses_are_told() -> None:
    found = load_task_set(TASKS)
    chosen = found.choose(["phase=writing", "difficulty=hard"])
    assert [each.task_id for each in chosen] == ["writing-2"]
    assert chosen.sha256 == found.sha256
    assert len(found.choose(limit=3)) == 3
    either = found.choose(["phase=writing", "phase=experiment_design", "difficulty=hard"])
    assert [each.task_id for each in either] == ["design-1", "writing-2"]
    for wrong, says in [
        ("phase=writting", "did you mean 'writing'"),
        ("phas=writing", "did you mean 'phase'"),
        ("writing", "key=value"),
    ]:
        with pytest.raises(UsageError, match=says):
            found.choose([wrong])
    with pytest.raises(UsageError, match="no task"):
        found.choose(["phase=writing", "difficulty=easy"])
