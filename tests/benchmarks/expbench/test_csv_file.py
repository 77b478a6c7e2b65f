"""Reading and writing the data set as a CSV."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from rubric_engine.benchmarks.expbench import ExpFile, ExpTask, dump_expbench_csv, load_expbench
from rubric_engine.benchmarks.expbench.csv_file import COLUMNS
from rubric_engine.benchmarks.expbench.escapes import decode, guarded
from rubric_engine.errors import TaskError
from tests.benchmarks.expbench.making import exp_task, tables, texts

ROW = {
    "conference": "iclr2024", "paper_id": "7", "paper_title": "On steps", "task_index": "0",
    "task_type": "1", "subtask_count": "4", "question": r"Is A\u2019s loss 3\xd7 lower?",
    "agent_instructions": r"print('a\n') in C:\xa0\data",
    "impl_requirements": "['Step 1: Don\\'t']",
    "expected_outcome": "是的, it is", "source_files": "['/workspace/a.py']", "github_url": "",
    "pdf_url": "", "design": r'{"constant_variables": {"x\u00a0y": "3\u00d7", "z": ["a", "b"]}}',
}  # fmt: skip


def _read(text: str) -> ExpFile:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "exp.csv")
        file.write_text(text, encoding="utf-8", newline="")
        return load_expbench(file)


def _table(*rows: dict[str, str]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@given(tables())
@settings(max_examples=20)
def test_every_oddity_comes_back(tasks: list[ExpTask]) -> None:
    if tasks:
        assert list(_read(dump_expbench_csv(tasks)).tasks) == tasks


@given(texts)
def test_what_is_guarded_is_decoded_to_itself(text: str) -> None:
    assert decode(guarded(text)) == text


@given(texts)
def test_escapes_that_an_encoder_left_are_decoded(text: str) -> None:
    plain = text.replace("\\", "/")
    written = plain.encode("ascii", "backslashreplace").decode()
    if "\\U" not in written:
        assert decode(written) == plain


def test_only_characters_beyond_ascii_are_decoded() -> None:
    (task,) = _read(_table(ROW)).tasks
    assert task.question == "Is A\u2019s loss 3\u00d7 lower?"
    assert task.agent_instructions == ROW["agent_instructions"]
    assert task.requirements == ("Step 1: Don't",)
    assert task.design.constant == {"x\u00a0y": "3\u00d7", "z": ("a", "b")}
    assert task.subtask_count == 4


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ({"source_files": "/workspace/a.py"}, "W242"),
        ({"impl_requirements": "Step 1: alone"}, "W242"),
        ({"design": r'{"constant_variables": {"a": "3\xd7"}}'}, "W242"),
        ({"design": "{'constant_variables': {'a': '3'}}"}, "W242"),
        ({"task_type": "1.0"}, "W242"),
        ({"design": ""}, "W243"),
        ({"task_type": "3"}, "W243"),
        ({"pdf_link": "x"}, "W241"),
    ],
)
def test_what_is_odd_is_let_pass_with_a_warning(cell: dict[str, str], code: str) -> None:
    read = _read(_table({**ROW, **cell}))
    assert [one.code for one in read.warnings] == [code]
    assert len(read.tasks) == 1


def test_kind_3_has_steps_and_no_files() -> None:
    row = {**ROW, "task_type": "3", "source_files": "[]", "impl_requirements": "['a', 'b']"}
    read = _read(_table(row))
    assert (read.tasks[0].hidden_files, len(read.tasks[0].requirements)) == ((), 2)
    assert read.warnings == ()


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ({"impl_requirements": "['a', f()]"}, "no Python literal"),
        ({"impl_requirements": "[" * 500 + "]" * 500}, "no Python literal"),
        ({"impl_requirements": "[{1}]"}, "holds a set"),
        ({"source_files": "[1, 2]"}, "a list of texts is due"),
        ({"source_files": "['\\ud800']"}, "half of a surrogate pair"),
        ({"design": "{oops"}, "no Python literal"),
        ({"design": '{"constant_variables": {"a": "1", "a": "2"}}'}, "stands twice"),
        ({"design": '{"constant_variables": {"é": "1", "\\\\xe9": "2"}}'}, "stands twice"),
        ({"task_type": "4"}, "from 1 to 3"),
        ({"task_index": "-1"}, "0 or more"),
        ({"paper_id": "../../etc"}, "a plain name is due"),
        ({"question": ""}, "'question' is empty"),
    ],
)
def test_errors_name_row_and_column(cell: dict[str, str], says: str) -> None:
    (column,) = cell
    with pytest.raises(TaskError) as caught:
        _read(_table({**ROW, "question": "two\nlines"}, {**ROW, "task_index": "1", **cell}))
    (problem,) = caught.value.problems
    assert "row 3" in problem.message
    assert column in problem.message
    assert says in problem.message
    assert problem.place is not None
    assert problem.place.line == 4


def test_all_errors_come_at_once() -> None:
    bad = {**ROW, "task_index": "x", "task_type": "", "question": ""}
    with pytest.raises(TaskError) as caught:
        _read(_table(bad, {**bad, "paper_id": ""}))
    assert len(caught.value.problems) == 7


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (_table(ROW).replace("design", "desing", 1), "column 'design' is missing"),
        (",".join((*COLUMNS, "design")) + "\n", "stands twice"),
        (_table(ROW) + "a,b\n", "has 2 cells, 14 are due"),
        (_table(ROW) + '"open', "row 3"),
        ("", "empty"),
    ],
)
def test_what_is_no_such_table_is_an_error(text: str, says: str) -> None:
    with pytest.raises(TaskError) as caught:
        _read(text)
    assert any(says in one.message for one in caught.value.problems)


def test_very_long_cells_are_read_and_the_limit_of_others_stays() -> None:
    before = csv.field_size_limit()
    (task,) = _read(_table({**ROW, "question": "x" * 300_000})).tasks
    assert len(task.question) == 300_000
    assert csv.field_size_limit() == before


def test_papers_files_come_back_by_their_parts(test_data: Path) -> None:
    tasks = load_expbench(test_data / "expbench").tasks
    again = _read(dump_expbench_csv(tasks)).tasks
    for one, other in zip(tasks, again, strict=True):
        assert one.design == other.design
        assert one.requirements == other.requirements
        assert one.hidden_files == other.hidden_files
        assert other.agent_instructions.startswith(one.method)
    assert _read(dump_expbench_csv(again)).tasks == again


def test_a_csv_in_a_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "exp_bench.csv").write_text(dump_expbench_csv([exp_task(agent_instructions="Do")]))
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    assert len(load_expbench(tmp_path).tasks) == 1
