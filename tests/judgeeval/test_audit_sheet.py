"""The sheet of an audit, and labels that come back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubric_engine import Rubric
from rubric_engine.errors import LabelsError
from rubric_engine.judgeeval.audit_sheet import last_of_each, read_sheet, sheet_lines
from rubric_engine.labels import leaf_hashes
from tests.strategies import flat, leaf

ODD = "one\u2028line \x1b[31m \ud800 \N{SNOWMAN} and\n another"


def rubric(text: str = ODD) -> Rubric:
    return flat(leaf("a", requirements=text), leaf("b", aggregate="weighted_mean"))


def test_lines_are_blind_and_one_each_whatever_the_rubric_says() -> None:
    lines = list(sheet_lines(rubric(), ["a", "b"]))
    assert all(line.isascii() and "\n" not in line for line in lines)
    first, second = map(json.loads, lines)
    assert list(first) == ["key", "leaf", "path", "requirement", "category", "verdict", "reason"]
    assert first["requirement"] == ODD
    assert first["path"] == ["what root asks"]
    assert first["verdict"] is None
    assert second["score"] is None  # a leaf that asks for partial credit has room for it
    (named,) = sheet_lines(rubric(), ["a"], "a run")
    assert next(iter(json.loads(named).items())) == ("run", "a run")


def test_hashes_know_the_text_of_a_leaf_and_of_those_above() -> None:
    ours = leaf_hashes(rubric())
    assert ours == leaf_hashes(rubric())
    assert ours["a"] != leaf_hashes(rubric("other"))["a"]
    assert ours["b"] == leaf_hashes(rubric("other"))["b"]
    above = Rubric.build([(None, leaf("root").model_copy(update={"task_category": None}))])
    assert leaf_hashes(above) == {}


def test_labels_are_read_and_the_last_of_a_leaf_counts(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    rows = [
        {"key": "a", "verdict": "met", "anything": 1},
        {"key": "b", "verdict": None, "reason": ""},
        {"key": "c", "verdict": ""},
        {"key": "a", "verdict": "not_met", "reason": "on a second look", "score": None},
        {"key": "d", "verdict": "met", "score": 0.75, "run": "r", "leaf": "f00"},
        {"key": "e", "verdict": "not_met", "score": 0},
    ]
    path.write_text("\ufeff" + "\n\n".join(json.dumps(row) for row in rows))
    last, overridden = last_of_each(read_sheet(path))
    assert overridden == 1
    assert {row.key: row.label.grade.score for row in last if row.label} == {
        "a": 0.0,
        "d": 0.75,
        "e": 0.0,
    }
    assert last[0].label is not None
    assert last[0].label.reason == "on a second look"
    assert (last[1].run, last[1].leaf, last[1].place.line) == ("r", "f00", 9)


def test_labels_in_yaml(tmp_path: Path) -> None:
    path = tmp_path / "labels.yaml"
    path.write_text("annotator: me\nlabels:\n  a: {verdict: met}\n")
    (row,) = read_sheet(path)
    assert (row.key, row.run, row.leaf) == ("a", None, None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"key": "a", "verdict": "met"', "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[1]", "under `key`"),
        ('{"verdict": "met"}', "under `key`"),
        ('{"key": 3, "verdict": "met"}', "under `key`"),
        ('{"key": "a", "run": 3}', "`run` and `leaf`"),
        ('{"key": "a", "verdict": "mets"}', "the label of 'a': verdict"),
        ('{"key": "a", "verdict": true}', "the label of 'a': verdict"),
        ('{"key": "a", "verdict": "met", "score": 0.1}', "does not fit score"),
        ('{"key": "a", "verdict": "met", "score": 0}', "does not fit score"),
        ('{"key": "a", "verdict": "met", "score": 1e400}', "the label of 'a': score"),
        ('{"key": "a", "verdict": "met", "reason": {}, "score": "x"}', "the label of 'a'"),
    ],
)
def test_a_damaged_line_is_told_with_its_place(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(f'{{"key": "b", "verdict": "met"}}\n{line}\n')
    with pytest.raises(LabelsError, match=message) as caught:
        read_sheet(path)
    assert caught.value.place is not None
    assert caught.value.place.line == 2


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.jsonl").write_bytes(b'{"key": "\xe9"}')
    for name, message in (
        ("none.jsonl", "No such file"),
        ("latin.jsonl", "not UTF-8"),
        (".", "directory"),
    ):
        with pytest.raises(LabelsError, match=message):
            read_sheet(tmp_path / name)
