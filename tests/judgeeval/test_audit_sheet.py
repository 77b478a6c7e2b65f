"""The sheet of an audit."""

from __future__ import annotations

import json

from rubric_engine import Rubric
from rubric_engine.judgeeval.audit_sheet import sheet_lines
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
