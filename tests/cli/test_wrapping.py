"""Long lines on a terminal are broken between words, and nothing else about them changes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from rubric_engine.cli.output import fill, show, table
from rubric_engine.cli.wrapping import wrapped

WORDS = st.lists(st.text("abc-/.$全部", min_size=1, max_size=30), min_size=1, max_size=40)


@given(WORDS, st.integers(20, 100), st.sampled_from(["", "  ", "warning W209  ", "cost    "]))
def test_no_word_is_lost_or_broken_and_lines_fit(words: list[str], width: int, label: str) -> None:
    lines = list(wrapped(label + " ".join(words), width))
    assert " ".join(lines).split() == label.split() + words
    for line in lines:
        assert cell_len(line) <= width or len(line.removeprefix(label).split()) == 1
        assert line == line.rstrip()


def test_what_belongs_together_stays_so_and_goes_on_under_itself() -> None:
    line = "submission  /some/place/submission, 9 files, 15,412 bytes   sha bf20e284"
    assert list(wrapped(line, 66)) == [
        "submission  /some/place/submission, 9 files, 15,412 bytes",
        "            sha bf20e284",
    ]
    assert list(wrapped("  a criterion of several words", 16)) == [
        "  a criterion of",
        "  several words",
    ]


@pytest.mark.parametrize("columns", ["40", "80"])
def test_a_table_ends_where_its_text_ends(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    show(fill(table("n", "<requirement", wide="requirement"), [["1", "short"]], wide=1))
    assert not re.search(r" $", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize("mark", "!-*~$")
def test_what_a_mark_stands_for_goes_on_beside_it(mark: str) -> None:
    assert list(wrapped(f"{mark} rules gave no grade to some", 20)) == [
        f"{mark} rules gave no",
        "  grade to some",
    ]
