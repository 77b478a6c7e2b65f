"""The sheet of an audit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubric_engine import Rubric
from rubric_engine.errors import LabelsError
from rubric_engine.judgeeval.audit_sheet import sheet_rows
from rubric_engine.judgeeval.kept_plan import keep_sheet
from rubric_engine.labels import leaf_hashes
from tests.strategies import flat, leaf

ODD = "one\u2028line \x1b[31m \ud800 \N{SNOWMAN} and\n another"


def rubric(text: str = ODD) -> Rubric:
    return flat(leaf("a", requirements=text), leaf("b", aggregate="weighted_mean"))


def test_lines_are_blind() -> None:
    first, second = sheet_rows(rubric(), ["a", "b"])
    assert list(first) == [
        "key", "leaf", "submission", "path", "requirement", "category", "question", "verdict",
        "reason",
    ]  # fmt: skip
    assert first["requirement"] == ODD
    assert first["path"] == ["what root asks"]
    assert first["verdict"] is None
    assert second["score"] is None  # a leaf that asks for partial credit has room for it
    (named,) = sheet_rows(rubric(), ["a"], "a run")
    assert next(iter(named.items())) == ("run", "a run")


def test_a_leaf_is_one_line_whatever_the_rubric_says(tmp_path: Path) -> None:
    path = tmp_path / "new" / "labels.jsonl"
    keep_sheet(path, sheet_rows(rubric(), ["a", "b"]))
    text = path.read_text()
    assert text.isascii()
    assert len(text.splitlines()) == 2


def test_a_sheet_that_is_there_gets_what_it_lacks_and_keeps_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    mine = '{"key":  "b", "verdict": "met", "reason": "h\u00e9"}'
    path.write_text(mine)
    for _ in range(2):
        keep_sheet(path, sheet_rows(rubric(), ["a", "b"]))
        first, second = path.read_text().splitlines()
        assert first == mine
        assert json.loads(second)["key"] == "a"
    path.write_text(f'{mine}\n{{"key": "b", "verd\n')
    before = path.read_bytes()
    with pytest.raises(LabelsError):
        keep_sheet(path, sheet_rows(rubric(), ["a", "b"]))
    assert path.read_bytes() == before


def test_hashes_know_the_text_of_a_leaf_and_of_those_above() -> None:
    ours = leaf_hashes(rubric())
    assert ours == leaf_hashes(rubric())
    assert ours["a"] != leaf_hashes(rubric("other"))["a"]
    assert ours["b"] == leaf_hashes(rubric("other"))["b"]
    above = Rubric.build([(None, leaf("root").model_copy(update={"task_category": None}))])
    assert leaf_hashes(above) == {}
