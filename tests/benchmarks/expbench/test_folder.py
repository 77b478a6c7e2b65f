"""Questions as tasks' folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from rubric_engine import Grade, Report, load_rubric, load_task, propagate
from rubric_engine.benchmarks.expbench import Design, ExpTask, load_expbench
from rubric_engine.benchmarks.expbench.finding import find_task
from rubric_engine.benchmarks.expbench.folder import read_record, to_task_folder
from rubric_engine.benchmarks.expbench.rubric_of import CATEGORIES, rubric_of
from rubric_engine.errors import StorageError, TaskError
from rubric_engine.globs import matches
from rubric_engine.lint import lint
from tests.benchmarks.expbench.making import exp_task, tables

SECRET = "halves the number of steps"


def _whole() -> ExpTask:
    return exp_task(
        question="Does it help?",
        method="Train twice.",
        agent_instructions="Write a script.",
        expected_outcome=SECRET,
        requirements=("Step 1: Load secret-step (/workspace/train.py:1-9)", "Step 2: Train"),
        github_url="https://github.com/owner/name",
        design=Design(
            constant={"secret-seed": "0", "data": ("MNIST", "CIFAR")},
            independent={"momentum": ("0", "0.9")},
            dependent={"steps": "count"},
        ),
    )


def test_a_leaf_for_each_variable_and_requirement_two_for_the_run_one_for_the_end() -> None:
    rubric = rubric_of(_whole())
    assert rubric.leaves() == (
        "constant-secret-seed", "constant-data", "independent-momentum", "dependent-steps",
        "implementation-1", "implementation-2", "execution-ending", "execution-output",
        "conclusion",
    )  # fmt: skip
    assert rubric["constant-data"].requirements.endswith('"data": MNIST; CIFAR')
    assert rubric["implementation-1"].requirements == "Step 1: Load secret-step"
    assert rubric["implementation-1"].note_to_judge == "In the original: /workspace/train.py:1-9"
    assert SECRET in rubric["conclusion"].requirements


def test_a_category_is_a_quarter_and_its_score_the_share_that_is_met() -> None:
    rubric = rubric_of(_whole())
    by_category = {
        name: [key for key in rubric.leaves() if rubric[key].task_category == name]
        for name in CATEGORIES
    }
    for keys in by_category.values():
        assert {round(rubric.worth(key), 12) for key in keys} == {round(0.25 / len(keys), 12)}
    grades = {key: Grade.graded(1.0) for key in by_category["Design"][:3]}
    assert propagate(rubric, grades)[rubric.root].value == pytest.approx(0.25 * 3 / 4)


def test_what_is_not_known_is_left_out_of_the_rubric() -> None:
    rubric = rubric_of(exp_task(design=Design(), requirements=("Train it",)))
    assert rubric.children("root") == ("implementation-1", "execution", "conclusion")
    (missing,) = (one.message for one in lint(rubric) if one.code == "R138")
    assert (
        missing == "no leaf is of category 'Design', which 'D', 'C.D', 'All' and 'All.E' ask about"
    )


@pytest.mark.parametrize(
    ("scores", "true", "undefined"),
    [
        ({}, {"D", "I", "E", "C", "C.D", "I.E", "All", "All.E"}, set()),
        ({"constant-data": 0.0}, {"I", "E", "C", "I.E"}, set()),
        ({"execution-output": 0.0}, {"D", "I", "C", "C.D", "All"}, set()),
        ({"execution-ending": None}, {"D", "I", "C", "C.D", "All"}, {"E", "I.E", "All.E"}),
        ({"conclusion": None, "implementation-2": 0.5}, {"D", "E"}, {"C", "C.D"}),
    ],
)
def test_metrics_of_an_answer(
    scores: dict[str, float | None], true: set[str], undefined: set[str]
) -> None:
    rubric = rubric_of(_whole())
    given = {key: scores.get(key, 1.0) for key in rubric.leaves()}
    grades = {key: Grade.graded(score) for key, score in given.items() if score is not None}
    found = Report(rubric, grades).metrics
    assert set(found) == set(rubric.metrics)
    assert {name for name, one in found.items() if one.value} == true
    assert {name for name, one in found.items() if one.value is None} == undefined


def test_of_a_part_that_is_left_out_nothing_is_said() -> None:
    rubric = rubric_of(exp_task(design=Design(), requirements=("Train it",)))
    found = Report(rubric, dict.fromkeys(rubric.leaves(), Grade.graded(1.0))).metrics
    assert {name for name, one in found.items() if one.value} == {"I", "E", "C", "I.E"}
    assert {name for name, one in found.items() if one.value is None} == {
        "D",
        "C.D",
        "All",
        "All.E",
    }


def test_the_task_loads_and_what_is_given_to_answer_holds_no_answer(tmp_path: Path) -> None:
    folder = tmp_path / "iclr2024-7-0"
    assert to_task_folder(_whole(), folder) == "new"
    task = load_task(folder)
    assert task.limits is not None
    assert task.limits.time == 2400
    assert task.blacklist == ("https://github.com/owner/name",)
    assert task.paper is not None
    assert "Does it help?" in task.paper
    for name in ("paper.md", "task.yaml", "blacklist.txt"):
        text = (folder / name).read_text()
        assert SECRET not in text
        assert "secret" not in text
        assert "train.py" not in text or name == "task.yaml"
    assert task.monitor.masked[0] == "train.py"
    assert task.monitor.hides_paper
    assert read_record(folder) == _whole()


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("/workspace/a/b.py", "a/b.py"),
        ("/workspace/a/b.py:3-9", "a/b.py"),
        ("a/b.py", "a/b.py"),
        ("/tmp/repos/Name/a/b.py", "a/b.py"),
        ("/tmp/repos/Name/b.py", "Name/b.py"),  # any b.py would be a guess
        ("/workspace/data/", "data/x.csv"),
        ("/workspace/a[1]*.py", "a[1]*.py"),
    ],
)
def test_the_task_hides_a_file_by_each_of_its_spellings(
    tmp_path: Path, name: str, hidden: str
) -> None:
    question = exp_task(masked_files=(), source_files=(name,))
    to_task_folder(question, tmp_path / "a")
    masked = load_task(tmp_path / "a").monitor.masked
    assert any(matches(glob, hidden) for glob in masked)
    assert not any(matches(glob, "other.py") for glob in masked)


def test_the_readme_of_the_original_is_hidden_and_no_other(tmp_path: Path) -> None:
    question = exp_task(kind=3, masked_files=(), source_files=(), github_url="https://x.org/me/Net")
    to_task_folder(question, tmp_path / "a")
    masked = load_task(tmp_path / "a").monitor.masked
    names = ("Net/README.md", "net/Readme.rst", "tmp/repos/any/README", "README.md", "lib/README")
    found = [name for name in names if any(matches(glob, name) for glob in masked)]
    assert found == ["Net/README.md", "net/Readme.rst", "tmp/repos/any/README"]


@given(tables())
@settings(max_examples=8)
def test_any_question_makes_a_rubric_that_loads_as_it_is(
    tmp_path_factory: pytest.TempPathFactory, tasks: list[ExpTask]
) -> None:
    for task in tasks:
        folder = tmp_path_factory.mktemp("task")
        to_task_folder(task, folder)
        rubric = load_rubric(folder)
        assert rubric == rubric_of(task)
        assert not rubric.warnings
        assert read_record(folder) == task


def test_lint_finds_no_error_in_the_benchmarks_own(test_data: Path) -> None:
    findings = [
        (task.id, finding)
        for task in load_expbench(test_data / "expbench").tasks
        for finding in lint(rubric_of(task))
    ]
    assert {one.level for _, one in findings} <= {"info", "warning"}
    # A conclusion is a quarter of all; the other word is the data set's own.
    assert {one.code for _, one in findings if one.level == "warning"} == {"R101", "R111"}


def test_a_task_is_written_anew_only_on_demand(tmp_path: Path) -> None:
    folder = tmp_path / "task"
    to_task_folder(_whole(), folder)
    assert to_task_folder(_whole(), folder) == "unchanged"
    (folder / "rubric.yaml").write_text("mine")
    (folder / "notes.md").write_text("mine")
    with pytest.raises(StorageError, match="E614"):
        to_task_folder(_whole(), folder)
    assert to_task_folder(_whole(), folder, replace=True) == "replaced"
    assert (folder / "notes.md").read_text() == "mine"
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("mine")
    with pytest.raises(StorageError, match="did not write"):
        to_task_folder(_whole(), tmp_path / "other", replace=True)


def test_questions_are_found_by_id(tmp_path: Path) -> None:
    for conference, paper in (("iclr2024", "7"), ("neurips2024", "7"), ("iclr2024", "17")):
        task = exp_task(conference=conference, paper_id=paper)
        to_task_folder(task, tmp_path / task.folder)
    assert find_task("iclr2024/7/0", tmp_path).id == "iclr2024/7/0"
    assert find_task("17/0", tmp_path).id == "iclr2024/17/0"
    assert find_task("neurips2024-7-0", tmp_path).id == "neurips2024/7/0"
    assert find_task(str(tmp_path / "iclr2024-17-0"), tmp_path / "none").id == "iclr2024/17/0"
    with pytest.raises(TaskError, match="may be iclr2024-7-0 or neurips2024-7-0"):
        find_task("7/0", tmp_path)
    with pytest.raises(TaskError, match="did you mean '17-0'"):
        find_task("17/00", tmp_path)


def test_a_record_that_was_changed_is_an_error(tmp_path: Path) -> None:
    to_task_folder(_whole(), tmp_path / "t")
    record = tmp_path / "t" / "expbench.json"
    record.write_text(record.read_text().replace('"kind": 1', '"kind": 9'))
    with pytest.raises(TaskError, match=r"E619.*expbench.json"):
        read_record(tmp_path / "t")
