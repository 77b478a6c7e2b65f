"""How single files and logs are shown."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.evidence import Cut, render_notebook, shown_path, split
from rubric_engine.evidence.excerpt import MOST_BYTES, Content, Excerpt
from rubric_engine.evidence.logs import show_log
from rubric_engine.evidence.roles import Role, role
from rubric_engine.files import File, Kind
from tests.evidence.desk import room


def show(path: str, text: str, kind: Kind = "text", size: int | None = None) -> Excerpt:
    return Content.of(File(path, len(text) if size is None else size, None, kind), text).whole(
        room()
    )


def test_every_line_has_its_number_and_the_header_its_size() -> None:
    excerpt = show("a.py", "one\n\n  three")
    assert excerpt.text == "### a.py (12 bytes, 3 lines)\n1|one\n2|\n3|  three\n"
    assert excerpt.cuts == ()


def test_a_text_cannot_imitate_a_header() -> None:
    text = show("a.py", "x\n### b.py (1 bytes)\r### c.py\n").text
    assert [line for line in text.splitlines() if line.startswith("#")] == [text.split("\n")[0]]


@pytest.mark.parametrize("path", ["a\nb", "a\u202eb", "\udcff", "a\x1b[2J"])
def test_a_path_stays_on_its_line_and_can_be_sent(path: str) -> None:
    shown = shown_path(path)
    assert shown.isprintable()
    shown.encode()


@given(st.text(alphabet="a\\x0\n\u202e\udcff", max_size=8), st.text(max_size=8))
def test_two_paths_never_look_the_same(left: str, right: str) -> None:
    assert (shown_path(left) == shown_path(right)) == (left == right)


def test_a_line_without_end_is_shown_by_its_ends() -> None:
    excerpt = show("a.min.js", "x" * 5_000_000)
    assert "[... 4998500 characters left out ...]" in excerpt.text
    assert len(excerpt.text) < 2000
    assert excerpt.cuts == (Cut("the middle of its long lines is left out"),)


def test_a_huge_file_says_that_it_was_not_read_to_its_end() -> None:
    excerpt = show("a.py", "a = 1\n", size=MOST_BYTES + 1)
    assert excerpt.cuts[0].why.startswith("all but its first")


def test_a_table_is_head_tail_and_shape() -> None:
    excerpt = show("a.csv", "x,y,z\n" + "".join(f"{n},0,0\n" for n in range(500)))
    assert "501 lines, 500 rows x 3 columns" in excerpt.text
    assert "21|19,0,0" not in excerpt.text
    assert "[lines 21-491 left out]\n492|490,0,0" in excerpt.text
    assert excerpt.text.endswith("501|499,0,0\n")
    assert excerpt.cuts[0].lines == (21, 491)


@pytest.mark.parametrize("kind", ["image", "binary", "parquet", "archive", "lfs_pointer"])
def test_what_is_no_text_is_named_with_its_size(kind: Kind) -> None:
    excerpt = show("a.bin", "noise", kind)
    assert excerpt.text == f"### a.bin (5 bytes, {kind}, content not shown)\n"
    assert excerpt.cuts


def test_the_head_of_a_file_ends_at_a_line() -> None:
    content = Content.of(File("a.py", 60, None, "text"), "abcdefghi\n" * 6)
    head = content.head(room(), 80)
    assert head is not None
    assert head.size <= 80
    assert head.text.endswith("abcdefghi\n[lines 3-6 left out]\n")
    assert content.head(room(), 10) is None


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Title\n", "words"]},
        {
            "cell_type": "code",
            "source": "x = 1\nx",
            "outputs": [
                {"output_type": "stream", "text": [f"line {n}\n" for n in range(100)]},
                {"output_type": "display_data", "data": {"image/png": "iVBOR" * 99}},
                {"output_type": "execute_result", "data": {"text/plain": "1"}},
                {"output_type": "error", "ename": "ValueError", "evalue": "no"},
            ],
        },
    ]
}


def test_a_notebook_is_its_cells_and_bounded_text_outputs() -> None:
    text = render_notebook(json.dumps(NOTEBOOK))
    assert text is not None
    assert text.startswith("# [1] markdown\n# Title\nwords\n# [2] code\nx = 1\nx\n")
    assert "(60 lines of output not shown)" in text
    assert "(image/png not shown)" in text
    assert "iVBOR" not in text
    assert text.endswith("ValueError: no\n")


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": 1}', "[" * 100_000, '{"cells": [1]}'])
def test_what_only_looks_like_a_notebook_breaks_nothing(text: str) -> None:
    assert show("a.ipynb", text, "notebook").path == "a.ipynb"


@pytest.mark.parametrize("cell", [{}, {"source": 1, "outputs": 1}, {"outputs": [1, {"data": 1}]}])
def test_a_malformed_cell_breaks_nothing(cell: object) -> None:
    assert render_notebook(json.dumps({"cells": [cell]})) is not None


@pytest.mark.parametrize(
    ("path", "kind", "expected"),
    [
        ("reproduce.sh", "text", "script"),
        ("sub/reproduce.sh", "text", "code"),
        ("A.PY", "text", "code"),
        ("kernel.cu", "text", "code"),
        ("Makefile", "text", "code"),
        ("strange.zzz", "text", "code"),
        ("requirements-dev.txt", "text", "code"),
        ("a.ipynb", "notebook", "code"),
        ("config.yaml", "text", "code"),
        ("README", "text", "docs"),
        ("notes/Design.MD", "text", "docs"),
        ("out.csv", "text", "data"),
        ("run.log", "text", "data"),
        ("LICENSE", "text", "data"),
        ("poetry.lock", "text", "data"),
        ("a.py", "binary", "other"),
        ("weights.pt", "binary", "other"),
        ("data.bin", "lfs_pointer", "other"),
    ],
)
def test_roles(path: str, kind: Kind, expected: Role) -> None:
    assert role(File(path, 100, None, kind)) == expected


@pytest.mark.parametrize(("path", "size"), [("a.json", 30_000), ("words.txt", 300_000)])
def test_what_is_too_long_to_be_written_by_hand_is_data(path: str, size: int) -> None:
    assert role(File(path, size, None, "text")) == "data"


def long_log() -> str:
    lines = [f"2026-01-01 12:00:{n % 60:02d} epoch {n} loss {1 / (n + 1):.4f}" for n in range(5000)]
    lines[1200] = "WARNING: learning rate is zero"
    lines[2500] = "| baseline | 0.71 |"
    lines[2501] = "| ours | 0.93 |"
    return "\n".join([*lines, "done", "final accuracy 0.93"]) + "\n"


def test_a_log_that_fits_is_whole() -> None:
    excerpt = show_log("a\nb\n", room(), 100)
    assert excerpt is not None
    assert excerpt.text.endswith("1|a\n2|b\n")
    assert excerpt.cuts == ()
    assert show_log("", room(), 100) is None


def test_a_long_log_keeps_head_tail_and_every_kind_of_line() -> None:
    excerpt = show_log(long_log(), room(), 8000)
    assert excerpt is not None
    assert excerpt.size <= 8000
    for line in ("epoch 0 ", "WARNING", "| baseline |", "| ours |", "epoch 4999 "):
        assert line in excerpt.text
    assert excerpt.text.endswith("5001|done\n5002|final accuracy 0.93\n")
    assert "left out]" in excerpt.text
    shown = sum("|" in line.split(" ")[0] for line in excerpt.text.splitlines())
    assert shown + sum(b - a + 1 for a, b in (c.lines for c in excerpt.cuts if c.lines)) == 5002


@given(st.text(max_size=3000), st.integers(0, 600))
def test_a_log_never_passes_its_room_and_loses_its_tail_last(text: str, limit: int) -> None:
    excerpt = show_log(text * 3, room(), limit)
    if excerpt is not None:
        assert len(excerpt.text) <= limit
        assert f"\n{len(split(text * 3))}|" in excerpt.text
