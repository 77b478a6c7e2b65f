"""Excerpts: the cited lines as the judge numbered them, and never more than is due."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.files import File, FileIndex
from rubric_engine.isolation import Execution, Log
from rubric_engine.report import Mask
from rubric_engine.report.excerpts import MOST_CHARS, MOST_LINES, MOST_OF_ONE, Excerpter
from rubric_engine.report.sources import MaskedTexts
from rubric_engine.texts import Texts

LINES = [f"line {number}" for number in range(1, 101)]


def excerpts(grade: dict[str, Any], lines: list[str] | None = None) -> list[Any]:
    mask = Mask()
    text = mask.lines(LINES if lines is None else lines)
    found = Excerpter(lambda path: text if path == "a" else None, mask).grade(grade)
    return [place["excerpt"] for place in found["citations"]]


def test_five_lines_stand_around_a_place_and_ends_cut_them() -> None:
    places = [
        {"path": "a", "start_line": 20, "end_line": 22},
        {"path": "a", "start_line": 1},
        {"path": "a", "start_line": 100, "end_line": 100},
    ]
    around, first, last = excerpts({"citations": places})
    assert (around["first"], len(around["lines"])) == (15, 13)
    assert (first["first"], first["lines"][-1]) == (1, "line 6")
    assert (last["first"], last["lines"][-1]) == (95, "line 100")


@pytest.mark.parametrize(
    "place",
    [
        {"path": "b", "start_line": 1},
        {"path": "a"},
        {"path": "a", "start_line": 500},
        {"path": "a", "quote": "nowhere"},
    ],
)
def test_what_is_not_there_has_no_excerpt(place: dict[str, Any]) -> None:
    assert excerpts({"citations": [place]}) == [None]


def test_a_quote_that_moved_is_shown_where_it_stands() -> None:
    place = {"path": "a", "start_line": 3, "quote": "\n  line 77  ", "verified": "moved"}
    (found,) = excerpts({"citations": [place]})
    assert (found["first"], "line 77" in found["lines"]) == (72, True)
    (found,) = excerpts({"citations": [{"path": "a", "quote": "line 50", "verified": "verified"}]})
    assert found["first"] == 45


def test_a_leaf_has_no_more_lines_than_is_said_and_a_long_line_is_cut() -> None:
    places = [
        {"path": "a", "start_line": 1 + 200 * at, "end_line": 199 * (at + 1)} for at in range(9)
    ]
    lines = ["x" * 10_000] * 2000
    found = excerpts({"citations": places}, lines)
    kept = [one for one in found if one is not None]
    assert [len(one["lines"]) for one in kept] == [MOST_OF_ONE] * 3 + [MOST_LINES % MOST_OF_ONE]
    assert {len(line) for one in kept for line in one["lines"]} == {MOST_CHARS + 1}


def test_the_same_place_counts_once_also_in_checks_and_members() -> None:
    place = {"path": "a", "start_line": 20, "end_line": 60}
    grade = {
        "citations": [place] * 4,
        "checks": [{"check": "any", "citations": [place]}, {"check": "all"}],
        "members": [{"citations": [place]}],
    }
    mask = Mask()
    text = mask.lines(LINES)
    found = Excerpter(lambda path: text, mask).grade(grade)
    shown = found["citations"] + found["checks"][0]["citations"] + found["members"][0]["citations"]
    assert {one["excerpt"]["first"] for one in shown} == {15}


class Held:
    """A submission of texts."""

    name = "held"

    def __init__(self, **texts: str) -> None:
        self._texts = {name.replace("_", "."): text for name, text in texts.items()}
        files = (File(path, len(text), text, "text") for path, text in self._texts.items())
        self.files = FileIndex.of(files)

    def read(self, path: str, *, max_bytes: int | None = None) -> str:
        """The text."""
        return self._texts[path]

    def read_bytes(self, path: str, *, max_bytes: int | None = None) -> bytes:
        """The text as bytes."""
        return self._texts[path].encode()

    def export(self, folder: Path) -> None:
        """Copy nothing."""


def test_code_is_read_as_handed_in_and_what_a_run_made_as_it_left_it() -> None:
    execution = Execution(
        status="ok",
        created=("new.csv",),
        modified=("old.csv", "a.py"),
        log=Log(head="said\n"),
        submission=Held(a_py="changed", old_csv="after", new_csv="new"),
    )
    texts = Texts(Held(a_py="mine", old_csv="before", c_txt="c"), execution)
    assert texts.lines("a.py") == ["mine"]
    assert texts.lines("old.csv") == ["after"]
    assert texts.lines("new.csv") == ["new"]
    assert texts.lines("c.txt") == ["c"]
    assert texts.lines("reproduce.log") == ["said"]
    assert texts.lines("../secret") is None


def test_a_notebook_is_numbered_as_judges_are_shown_it() -> None:
    cells = [{"cell_type": "code", "source": "x = 1\ny = 2"}]
    notebook = Held(n_ipynb=json.dumps({"cells": cells}))
    (file,) = notebook.files
    notebook.files = FileIndex.of([File(file.path, file.size, file.sha256, "notebook")])
    assert Texts(notebook, None).lines("n.ipynb") == ["# [1] code", "x = 1", "y = 2"]


def test_texts_are_read_once_while_they_are_kept() -> None:
    asked: list[str] = []

    def lines(path: str) -> list[str] | None:
        asked.append(path)
        return None if path == "none" else [path]

    texts = MaskedTexts(lines, Mask())
    for path in ("a", "none", "a", "none"):
        texts.of(path)
    assert asked == ["a", "none"]
