"""A paper in blocks: what keeps its line breaks, and what is joined; nothing is lost."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rubric_engine.task import load_task
from rubric_engine.web.labelling.blocks import blocks
from rubric_engine.web.labelling.sections import Paper


def _of(text: str) -> list[tuple[str, str]]:
    return [(block.kind, "".join(block.parts)) for block in blocks(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\ntwo\n\nthree", [("prose", "one two"), ("prose", "three")]),
        ("forced  \nbreak", [("prose", "forced\nbreak")]),
        ("格子不够\n怎样计数 Count-Min\n草图", [("prose", "格子不够怎样计数 Count-Min 草图")]),
        ("한국\n말", [("prose", "한국 말")]),
        ("so:\n| a | b |\n|---|---|\n| 1 | 2 |\nthen", [
            ("prose", "so:"), ("table", "| a | b |\n|---|---|\n| 1 | 2 |"), ("prose", "then")]),
        ("a | b\n--|--\n1 | 2\n\nend", [("table", "a | b\n--|--\n1 | 2"), ("prose", "end")]),
        ("+--+--+\n| a|b |\n+==+==+", [("table", "+--+--+\n| a|b |\n+==+==+")]),
        ("the density $p(x|y)$\nof $q(x|y)$", [("prose", "the density $p(x|y)$ of $q(x|y)$")]),
        ("```py\na\n\n| b |\n```\nc", [("code", "```py\na\n\n| b |\n```"), ("prose", "c")]),
        ("~~~\nnever closed\n\n# no heading", [("code", "~~~\nnever closed\n\n# no heading")]),
        ("x\n\n    y = 1\n    z = 2\n\nw", [
            ("prose", "x"), ("code", "    y = 1\n    z = 2"), ("prose", "w")]),
        ("with\n$$a\n= b$$\nwhere", [
            ("prose", "with"), ("math", "$$a\n= b$$"), ("prose", "where")]),
        ("$$a$$\nb", [("math", "$$a$$"), ("prose", "b")]),
        ("\\[\nx\n\\]", [("math", "\\[\nx\n\\]")]),
        ("\\begin{align*}\nx\n\\end{align*} so", [
            ("math", "\\begin{align*}\nx\n\\end{align*} so")]),
        ("$$open\n\nnot swallowed", [("math", "$$open"), ("prose", "not swallowed")]),
        ("## Title \ntext", [("heading", "Title"), ("prose", "text")]),
        ("Title\n=====\ntext", [("heading", "Title"), ("prose", "text")]),
        ("- one\n  more\n- two\n\n    still two", [
            ("prose", "- one more"), ("prose", "- two"), ("prose", "    still two")]),
        ("1. one\n2) two\n> said", [("prose", "1. one"), ("prose", "2) two"), ("prose", "> said")]),
        ("", []),
    ],
)  # fmt: skip
def test_line_breaks_are_kept_where_they_mean_something(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert _of(text) == expected


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("a step of $x_{k+1} = x_k - 1$, and $y$.", ["$x_{k+1} = x_k - 1$", "$y$"]),
        ("wrapped $a +\nb$ here", ["$a + b$"]),
        ("it costs $5 and $6", []),
        ("\\$a and $b\\$c$", ["$b\\$c$"]),
        ("<b>$x$</b>", ["$x$"]),
    ],
)
def test_every_second_part_of_prose_is_a_formula(text: str, formulas: list[str]) -> None:
    (block,) = blocks(text)
    assert list(block.parts[1::2]) == formulas


_LINES = st.lists(
    st.one_of(
        st.sampled_from(["", "| a |", "--|--", "```", "$$", "\\[", "- x", "# h", "===", "---", "  ",
                         "    c", "\\begin{a}", "\\end{a}", "x  ", "a $b$ | c"]),
        st.text(st.characters(exclude_characters="\n"), max_size=8),
    ),
    max_size=14,
)  # fmt: skip


@given(_LINES)
@example(["$$"] * 9)
def test_no_character_but_white_space_and_signs_of_headings_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    shown = "".join("".join("".join(block.parts).split()) for block in blocks(text))
    whole = iter("".join(text.split()))
    assert all(char in whole for char in shown)  # in their order
    left = Counter("".join(text.split())) - Counter(shown)
    assert set(left) <= set("#=-")


@pytest.mark.parametrize("name", ["count-min", "heavy-ball", "variance-reduction"])
def test_papers_have_their_tables_and_no_broken_prose(name: str) -> None:
    found = [block for section in Paper(load_task(name)).sections for block in section.blocks]
    assert {"prose", "table", "math", "heading"} <= {block.kind for block in found}
    for block in found:
        text = "".join(block.parts)
        assert block.kind != "prose" or "\n" not in text
        assert block.kind != "table" or all(line.startswith("|") for line in text.split("\n"))
