"""`label import` and `label export`: labels out, in, and onto another rubric."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubric_engine.judgeeval import load_labels
from rubric_engine.rubric_file import load_grades
from tests.cli.assigning import FOLDER, ONE, OTHER, Fill, assigned, fill, other
from tests.cli.conftest import Command

__all__ = ["assigned", "fill", "other"]


@pytest.mark.parametrize("format", ["yaml", "jsonl", "csv"])
def test_what_is_exported_is_imported_unchanged(
    assigned: Command, fill: Fill, tmp_path: Path, format: str
) -> None:
    fill("a1", ONE)
    file = tmp_path / f"out.{format}"
    assert assigned("label", "export", "--as", "a1", "--format", format, "-o", file).code == 0
    printed = assigned("label", "export", "--as", "a1", "--format", format).out
    assert printed.split() == file.read_text().split()
    assert (
        "0 new labels, 0 corrected, 3 unchanged"
        in assigned("label", "import", file, "--as", "a1").out
    )


def test_a_graded_tree_out_and_in(assigned: Command, fill: Fill, tmp_path: Path) -> None:
    fill("a1", {"code": "met", "run": "cannot_judge"})
    file = tmp_path / "expected_result.json"
    outcome = assigned("label", "export", "--as", "a1", "--format", "paperbench", "-o", file)
    assert "1 leaf without a label" in outcome.err
    assert "the root's score is null: by the leaves that have one it lies in" in outcome.err
    root = json.loads(file.read_text())
    assert (root["score"], root["valid_score"]) == (None, False)
    grades = load_grades(file)
    assert [grades[key].score for key in ("code", "prose", "run")] == [1.0, None, None]
    assert "2 new labels" in assigned("label", "import", file, "--as", "a2").out


def test_labels_move_to_a_rubric_with_other_keys(
    assigned: Command, fill: Fill, rubric: Path
) -> None:
    fill("a1", ONE)
    changed = rubric.with_name("later.yaml")
    text = rubric.read_text().replace("id: code", "id: solver").replace("out.csv\n", "o.csv\n")
    changed.write_text(text)
    outcome = assigned("label", "export", "--as", "a1", "--rubric", changed)
    assert [json.loads(line)["key"] for line in outcome.out.splitlines()] == ["solver", "prose"]
    assert "1 label moved to the leaf that has their text now: 'code'" in outcome.err
    assert "1 label not used: the text of the leaf, or one above it, has changed" in outcome.err
    outcome = assigned("label", "export", "--as", "a1", "--rubric", "heavy-ball")
    assert (outcome.code, outcome.out) == (3, "")


def test_labels_that_do_not_fit_are_told(assigned: Command) -> None:
    rows = [
        {"key": "code", "verdict": "met", "reason": "r", "leaf": "0" * 64},
        {"key": "prose\x1b[31m", "verdict": "met", "reason": "r"},
        {"key": "run", "verdict": "met", "reason": "r"},
    ]
    Path("mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    outcome = assigned("label", "import", "mine.jsonl", "--as", "a1")
    assert "1 new label" in outcome.out
    assert "has changed: 'code'" in outcome.err
    assert "no leaf has their key or their text" in outcome.err
    assert "\x1b" not in outcome.err
    Path("mine.jsonl").write_text(json.dumps(rows[0]))
    assert assigned("label", "import", "mine.jsonl", "--as", "a1").code == 3


def test_an_export_does_not_replace_a_file_of_the_labelling(assigned: Command, fill: Fill) -> None:
    fill("a1", ONE)
    before = (FOLDER / "todo-a2.jsonl").read_text()
    refused = assigned("label", "export", "--as", "a1", "-o", FOLDER / "todo-a2.jsonl")
    assert (refused.code, (FOLDER / "todo-a2.jsonl").read_text()) == (2, before)


def test_the_work_file_of_another_is_not_taken_under_a_second_name(
    assigned: Command, fill: Fill
) -> None:
    fill("a1", ONE)
    refused = assigned("label", "import", FOLDER / "todo-a1.jsonl", "--as", "a2")
    assert (refused.code, "E556" in refused.err) == (3, True)
    assert "--as a1" in refused.err
    assert not (FOLDER / "a2.jsonl").exists()
    for suffix in ("csv", "yaml"):
        assigned("label", "export", "--as", "a1", "--format", suffix, "-o", f"out.{suffix}")
        assert assigned("label", "import", f"out.{suffix}", "--as", "a2").code == 3


def test_labels_that_are_the_same_word_by_word_are_told(assigned: Command, fill: Fill) -> None:
    fill("a1", ONE)
    text = (FOLDER / "todo-a1.jsonl").read_text()
    Path("copied.jsonl").write_text(text.replace('"annotator": "a1"', '"annotator": "a2"'))
    assert assigned("label", "import", "copied.jsonl", "--as", "a2").code == 0
    told = "a1 and a2 said the same, word by word, on 3 of 3 leaves"
    assert told in assigned("label", "agreement").err
    (warning,) = assigned("label", "agreement", "--json").json["warnings"]
    assert warning.startswith(told)
    fill("a2", ONE)
    assert told not in assigned("label", "agreement").err


def test_two_submissions_have_a_labelling_each_and_hints_work_as_printed(
    assigned: Command, fill: Fill, rubric: Path, other: Path
) -> None:
    how = ("--rubric", rubric, "--annotators", "a1,a2", "--overlap", "100%")
    outcome = assigned("label", "assign", other, *how)
    assert outcome.code == 0
    hints = [line.partition("   ")[0] for line in outcome.err.splitlines() if ": rubric-" in line]
    serve = f"then: rubric-engine label serve {other} --rubric {rubric}"
    filled_in = "or: rubric-engine label import labels/small-other/todo-a1.jsonl --as a1"
    assert [hints[0], hints[1].strip(), hints[2]] == [
        f"{serve} --as a1", filled_in, f"{serve} --as a2",
    ]  # fmt: skip
    assert assigned(*filled_in.removeprefix("or: rubric-engine ").split()).code == 0
    assert fill("a1", ONE).code == fill("a2", OTHER).code == 0
    outcome = assigned("label", "adjudicate", FOLDER, "--as", "a3")
    (hint,) = [line for line in outcome.err.splitlines() if line.startswith("then: ")]
    assert assigned(*hint.removeprefix("then: rubric-engine ").split()).code == 0


def test_labels_of_another_submission_are_not_taken(
    assigned: Command, fill: Fill, rubric: Path, other: Path
) -> None:
    how = ("--rubric", rubric, "--annotators", "a1,a2", "--overlap", "100%")
    assigned("label", "assign", other, *how)
    fill("a1", ONE)
    into = "labels/small-other"
    refused = assigned("label", "import", FOLDER / "todo-a1.jsonl", into, "--as", "a1")
    assert (refused.code, "error[E558]" in refused.err) == (3, True)
    assert "todo-a1.jsonl:1 3 of 3 labels are of another submission" in refused.err
    assert refused.err.count(" sub\n") == refused.err.count(" other\n") == 1
    for suffix in ("csv", "yaml", "jsonl"):
        assigned("label", "export", FOLDER, "--as", "a1", "--format", suffix, "-o", f"o.{suffix}")
        assert "E558" in assigned("label", "import", f"o.{suffix}", into, "--as", "a1").err
    Path(into, "a1.jsonl").write_text((FOLDER / "a1.jsonl").read_text())
    assert "error[E506]" in assigned("label", "status", into).err


def test_an_import_is_taken_back_by_its_lines(assigned: Command, fill: Fill) -> None:
    fill("a1", ONE)
    outcome = fill("a1", ONE | {"run": "met", "prose": "not_met"})
    assert f"to take this import back, delete lines 4 to 5 of {FOLDER}/a1.jsonl" in outcome.err
    lines = (FOLDER / "a1.jsonl").read_text().splitlines(keepends=True)
    (FOLDER / "a1.jsonl").write_text("".join(lines[:3]))
    found = load_labels(FOLDER / "a1.jsonl").labels
    assert {key: label.verdict for key, label in found.items()} == ONE
    again = assigned("label", "import", FOLDER / "todo-a1.jsonl", "--as", "a1", "--json").json
    assert (again["record"], again["lines"]) == (f"{FOLDER}/a1.jsonl", [4, 5])
    again = assigned("label", "import", FOLDER / "todo-a1.jsonl", "--as", "a1", "--json").json
    assert again["lines"] is None


def test_an_export_replaces_no_file_and_leaves_the_submission_alone(
    assigned: Command, fill: Fill, submission: Path
) -> None:
    fill("a1", ONE)
    Path("mine.jsonl").write_text("mine")
    Path("link.jsonl").symlink_to("nowhere.jsonl")
    for file in ("mine.jsonl", "link.jsonl", submission / "labels.jsonl"):
        assert assigned("label", "export", "--as", "a1", "-o", file).code == 2
    assert Path("mine.jsonl").read_text() == "mine"
    assert not (submission / "labels.jsonl").exists()
