"""Shell scripts are read, not run: words, variables, wrappers, scripts in scripts."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.monitor.shell import commands, executed


def words(script: str) -> list[tuple[str, ...]]:
    return [ran.words for ran in executed(script)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("a 'b c' \"d $X\" e\\ f", ("a", "b c", "d $X", "e f")),
        ("X=1; a $X ${X} \"${X}2\" '$X'", ("a", "1", "1", "12", "$X")),
        ("a ${X:-y} ${Z}", ("a", "y", "${Z}")),
        ("a $'x\\x41\\n'", ("a", "xA\n")),
        ("a b > out 2>&1 < in", ("a", "b")),
        ("a # b", ("a",)),
        ("a b#c", ("a", "b#c")),
        ("X=1 Y=2 a b", ("a", "b")),
        ("env X=1 nice -n 5 a b", ("a", "b")),
        ("timeout 60 sudo -u me a", ("a",)),
        ("if true; then a; fi", ("a",)),
        ("(cd x && a)", ("a",)),
        ("{ a; }", ("a",)),
        ("! a", ("a",)),
        ("bash -c 'a b'", ("a", "b")),
        ("eval \"a b\"", ("a", "b")),
        ("a=(x y); b \"${a[@]}\"", ("b", "x", "y")),
        ("a \\\n  b", ("a", "b")),
    ],
)  # fmt: skip
def test_words(script: str, expected: tuple[str, ...]) -> None:
    assert expected in words(script)


def test_commands_know_their_lines() -> None:
    script = "a\n\ncat <<END\nx\ny\nEND\nb \\\n  c; d\ne $(f\ng)\n"
    lines = {ran.words[0]: ran.line for ran in executed(script)}
    assert lines == {"a": 1, "cat": 3, "b": 7, "d": 8, "e": 9, "f": 9, "g": 10}


def test_what_is_written_and_run_is_read() -> None:
    script = "cat > x.sh <<'END'\nreal thing\nEND\nchmod +x x.sh\n./x.sh\n"
    assert ("real", "thing") in words(script)
    python = "cat > x.py <<END\nprint(1)\nEND\npython x.py\n"
    assert [ran.code for ran in executed(python) if ran.kind == "python"] == ["print(1)\n"]


def test_a_script_that_starts_itself_ends() -> None:
    found = words("echo 'bash a.sh' > a.sh; bash a.sh")
    assert found == [("echo", "bash a.sh"), ("bash", "a.sh")]


@given(st.lists(st.text(min_size=1, max_size=12).filter(lambda w: "\0" not in w), max_size=6))
def test_what_is_quoted_comes_back(given_words: list[str]) -> None:
    [one] = commands("prog " + shlex.join(given_words))
    assert one.words == ("prog", *given_words)


@given(st.text("ab =$(){}<>|&;'\"`\\\n#!*?1", max_size=120))
def test_no_text_is_too_odd(script: str) -> None:
    count = script.count("\n") + 1
    assert all(1 <= ran.line <= count for ran in executed(script))


def test_variables_that_double_do_not_grow_without_end() -> None:
    script = "a=xxxxxxxx\n" + "a=$a$a\n" * 5000 + "echo " + "$a" * 5000
    assert sum(len(word) for ran in executed(script) for word in ran.words) < 10_000_000
