"""No input gives anything but a rubric or a `RubricError`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubric_engine.errors import RubricError
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import dump_rubric, load_rubric
from rubric_engine.rubric_file.parsing import parse
from rubric_engine.rubric_file.reader import tree_of
from rubric_engine.rubric_file.source import Blame
from rubric_engine.rubric_file.writer import Format
from tests.rubric_file.trees import FILES, JSON, TEXT

Write = Callable[[str | bytes], Path]

GOOD = """\
rubric: 1
title: Good
categories:
  Ablation: {question: "Was it varied?", sees: [code], needs_run: true}
root:
  id: root
  requirements: All of it
  sub_tasks:
    - id: update
      requirements: "The update: as in equation 2"
      weight: 3
      task_category: Ablation
      evidence: ["src/**/*.py"]
      checks:
        - python_defines: {file: "src/*.py", name: heavy_ball}
    - id: table
      requirements: >-
        Two
        lines
      weight: 0.5
      task_category: Result Analysis
      depends_on: [update]
      scale: [{score: 0, says: "no"}, {score: 1, says: "yes"}]
"""
TOKENS = ["", " ", "\n", "\t", ":", ": ", "- ", "[", "]", "{", "}", ",", '"', "'", "&a ", "*a", "!",
          "!!int ", "|", ">", "%", "@", "#", "---\n", "<<", "~", "null", "true", "-1", "1e999",
          ".nan", "NaN", "\x00", "\x7f", "\x85", "\u2028", "\ud7ff", "\\ud800", "\\", "id", "root",
          "sub_tasks", "weight", "rubric"]  # fmt: skip


def answer(text: str) -> Rubric | RubricError:
    try:
        rubric = tree_of(text, "rubric.yaml").rubric
    except RubricError as error:
        return error
    assert rubric is not None
    return rubric


def must_answer(text: str) -> None:
    """Read a text; a rubric that comes of it must also be writable, and readable again."""
    found = answer(text)
    if isinstance(found, RubricError):
        assert str(found)
        assert found.problems
        return
    for name in get_args(Format):
        assert answer(dump_rubric(found, format=name)) == found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=300))
def test_bytes(write: Write, content: bytes) -> None:
    path = write(content)
    with pytest.raises(RubricError) as caught:
        load_rubric(path)
    assert caught.value.exit_code == 3


@given(st.one_of(TEXT, st.lists(st.sampled_from(TOKENS), max_size=30).map("".join)))
def test_tokens(text: str) -> None:
    must_answer(text)


@cache
def as_json() -> str:
    good = answer(GOOD)
    assert isinstance(good, Rubric)
    return dump_rubric(good, format="json")


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A good rubric after a few edits of lines and of characters."""
    text = draw(st.sampled_from([GOOD, as_json()]))
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            lines = text.split("\n")
            one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            lines[one : one + draw(st.integers(0, 2))] = draw(
                st.sampled_from([[], [lines[other]], lines[other : other + 4]])
            )
            text = "\n".join(lines)
        else:
            at = draw(st.integers(0, len(text)))
            end = at + draw(st.integers(0, 6))
            text = text[:at] + draw(st.sampled_from(TOKENS)) + text[end:]
    return text


@given(mutated())
def test_mutated_rubrics(text: str) -> None:
    must_answer(text)


@given(st.one_of(FILES, JSON.map(json.dumps)), st.data())
def test_files_cut_short(text: str, data: st.DataObject) -> None:
    must_answer(text[: data.draw(st.integers(0, len(text)))])


@given(st.dictionaries(TEXT, JSON, max_size=5), st.sampled_from([None, 1]))
def test_scan_with_positions_reads_what_the_standard_parser_reads(
    value: dict[str, object], indent: int | None
) -> None:
    text = json.dumps(value, indent=indent)
    document = parse(text, "x.json", Blame(), placed=True)
    assert document.value == value
    assert document.places is not None
    lines = text.split("\n")
    for key in value:
        line, column = document.places.key(document.value, key)
        assert lines[line - 1][column - 1 :].startswith(json.dumps(key))
