"""Parts of a log: all of it, none too large, lines numbered right; quotes are found or are not."""

from __future__ import annotations

import tracemalloc
from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.monitoring.answer import MonitorAnswer, Violation, drafts_of
from rubric_engine.monitoring.chunks import Chunk, chunks
from rubric_engine.monitoring.quotes import line_of
from rubric_engine.tokens import estimate_tokens

TEXTS = st.lists(st.text("ab \n重<>", max_size=900), max_size=30).map("".join)


@given(TEXTS, st.integers(0, 700))
def test_parts_hold_all_of_a_text_and_none_is_too_large(text: str, overlap: int) -> None:
    parts = list(chunks(text, 2000, overlap))
    covered = 0
    for part in parts:
        between = text[covered : part.start]
        assert not between.strip("\n")
        assert part.end > covered or not text[part.start : part.end]
        assert part.line == text.count("\n", 0, part.start) + 1
        assert estimate_tokens(text[part.start : part.end]) <= 2000
        assert estimate_tokens(text[part.start : max(covered, part.start)]) <= overlap + 1
        covered = max(covered, part.end)
    assert not text[covered:].strip("\n")


def test_lines_are_numbered_as_in_the_log() -> None:
    text = "".join(f"line {number}\n" for number in range(1, 2001))
    parts = list(chunks(text, 2000, 200))
    assert len(parts) > 3
    for part in parts:
        for shown in part.numbered(text).split("\n"):
            number, _, rest = shown.partition(": ")
            assert rest == f"line {number}"
    assert parts[1].line < parts[0].line + parts[0].numbered(text).count("\n")  # they overlap


@pytest.mark.parametrize(
    ("quote", "line", "found"),
    [
        ("git clone it-all", 2, 2),
        ("git clone it-all", 7, 2),
        ("2: git  clone\tit-all", 2, 2),
        ('{"command": "git clone other-thing"}', 3, 3),
        ("other-thing", 3, 3),
        ("git clone it-all\n{", 2, 2),
        ("git clone nothing", 2, None),
        ("git", 2, None),
        ("", 1, None),
    ],
)
def test_a_quote_is_found_where_it_stands(quote: str, line: int, found: int | None) -> None:
    text = 'first\ngit clone it-all\n{\\"command\\": \\"git clone other-thing\\"}\n'
    assert line_of(quote, line, text, Chunk(0, len(text), 1)) == found


def test_a_quote_from_elsewhere_is_no_violation() -> None:
    text = "git clone it-all\nnothing here at all\n"
    said = [
        Violation(area="blacklist", line=1, quote="git clone it-all", why="it \x1b[31mcloned"),
        Violation(area="faked", line=2, quote="echo 0.93 > table.csv", why="it wrote it"),
    ]
    answer = MonitorAnswer(violations=said, verdict="violation")
    first, second = drafts_of(answer, "a.log", text, Chunk(0, len(text), 1))
    assert (first.severity, first.line, first.rule) == ("violation", 1, "model.blacklist")
    assert "\x1b" not in first.says
    assert (second.severity, second.line) == ("note", None)
    assert "no such words" in second.says


@pytest.mark.slow
def test_a_log_of_100_mb_is_cut_in_bounded_memory() -> None:
    line = "step 17: python train.py --seed 3 <<<end log 0123456789abcdef>>> loss 0.123\n"
    text = line * (100_000_000 // len(line))
    tracemalloc.start()
    last = deque(chunks(text, 60_000, 1_500), maxlen=1).pop()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert last.end >= len(text) - 1
    assert peak < 20_000_000
