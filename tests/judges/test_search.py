from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rubric_engine.isolation import Log
from rubric_engine.judges.rules.outcome import Undecided
from rubric_engine.judges.rules.regex import regex_finder, text_finder
from tests.judges.desk import grade_of, ran, result_of, written

FILES: dict[str, str | bytes] = {
    "src/a.py": "import numpy\r\nbeta = 0.9\r\n# beta again\n",
    "src/b.py": "beta=0.5\n",
    "src/wide.txt": "beta = 1\n".encode("utf-16"),
    "src/bad.txt": b"caf\xe9 beta\n",
    "img.png": b"\x89PNG\r\n\x1a\n beta",
    "note.ipynb": '{"cells": [{"cell_type": "code", "source": ["gamma"]}]}',
    "empty.txt": "",
}


def contains(**fields: Any) -> dict[str, Any]:
    return {"contains": fields}


TABLE = [
    (contains(file="src/*.py", text="beta"), 1.0, "3 occurrences in 2 files"),
    (contains(file="src/*.py", regex=r"beta\s*="), 1.0, "2 occurrences"),
    (contains(file="src/a.py", regex="^beta = 0.9$"), 1.0, "1 occurrence"),
    (contains(file="src/*.py", text="beta", min=4), 0.0, "3 occurrences"),
    (contains(file="src/*.py", text="beta", max=2), 0.0, "3 occurrences"),
    (contains(file="src/*.py", text="gamma", min=0, max=0), 1.0, "0 occurrences"),
    (contains(file="src/*.py", text="beta", min=0, max=0), 0.0, "3 occurrences"),
    (contains(file="src/*.py", text="beta = 0.9\n# beta"), 1.0, "1 occurrence"),
    (contains(file="src/wide.txt", text="beta"), 1.0, "1 occurrence"),
    (contains(file="src/bad.txt", regex="caf. beta"), 1.0, "1 occurrence"),
    (contains(file="note.ipynb", text="gamma"), 1.0, "1 occurrence"),
    (contains(file="empty.txt", text="beta"), 0.0, "0 occurrences"),
    (contains(file="none", text="beta"), 0.0, "no file matches none"),
    (contains(file="none", text="beta", min=0, max=0), 0.0, "no file matches none"),
    (contains(file="img.png", text="beta"), 0.0, "img.png (image)"),
    (contains(file="**", text="beta", min=5), 1.0, "not read: img.png (image)"),
]


@pytest.mark.parametrize(("check", "score", "found"), TABLE)
def test_texts_are_counted(tmp_path: Path, check: dict[str, Any], score: float, found: str) -> None:
    result = result_of(check, written(tmp_path / "s", FILES))
    assert result.score == score
    assert found in result.found


def test_the_first_places_are_cited_with_their_lines(tmp_path: Path) -> None:
    grade = grade_of([contains(file="src/*.py", text="beta")], written(tmp_path / "s", FILES))
    assert [str(cited) for cited in grade.citations] == ["src/a.py:2", "src/a.py:3", "src/b.py:1"]
    assert grade.citations[0].quote == "beta = 0.9"
    assert grade.citations[0].verified == "verified"


def test_long_lines_are_quoted_in_part(tmp_path: Path) -> None:
    submission = written(tmp_path / "s", {"a.txt": "x" * 100_000 + "beta" + "y" * 100_000})
    (cited,) = result_of(contains(file="a.txt", text="beta"), submission).citations
    assert cited.quote is not None
    assert "beta" in cited.quote
    assert len(cited.quote) <= 200


@pytest.mark.parametrize("line", ["beta " * 500_000, "beta\n" * 500_000])
def test_many_matches_on_a_long_line_take_no_more_than_on_many(tmp_path: Path, line: str) -> None:
    check = {"number": {"file": "a.txt", "regex": "bet([a0])", "equals": 1, "pick": "last"}}
    result = result_of(check, written(tmp_path / "s", {"a.txt": line}))
    assert (result.score, result.found) == (0.0, "'a' is no number")
    assert (result.citations[0].quote or "").endswith("beta")


def test_a_pattern_that_looks_far_ahead_of_each_match_is_ended() -> None:
    find = regex_finder("a.*b|a", time_limit=0.0)
    with pytest.raises(Undecided, match="too long"):
        list(find("a" * 100))


def test_counting_stops_when_it_no_longer_matters(tmp_path: Path) -> None:
    submission = written(tmp_path / "s", {"a.txt": "x" * 1_000_000})
    result = result_of(contains(file="a.txt", regex="y*"), submission)
    assert (result.score, result.found) == (1.0, "at least 1001 occurrences in 1 file")


@pytest.mark.parametrize("pattern", ["(", "a{2000}", r"(a)\1", "(?=a)", "[z-a]", "(?P<n", "\\"])
@pytest.mark.parametrize("glob", ["src/*.py", "none"])
def test_a_pattern_that_is_refused_is_the_rubrics_fault(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], pattern: str, glob: str
) -> None:
    submission = written(tmp_path / "s", FILES)
    for check in (
        contains(file=glob, regex=pattern),
        {"log_contains": {"regex": pattern}},
        {"number": {"file": glob, "regex": pattern, "equals": 1}},
        {"number": {"log": True, "regex": pattern, "equals": 1}},
    ):
        grade = grade_of([check], submission)
        assert grade.reason == "rubric_error"
        assert "google-re2 refuses" in grade.explanation
    assert capfd.readouterr() == ("", "")


def test_a_file_beyond_the_limit_is_no_zero(tmp_path: Path) -> None:
    submission = written(tmp_path / "s", {"big.txt": b"line\n" * 10_000_001})
    grade = grade_of([contains(file="*.txt", text="none")], submission)
    assert grade.reason == "check_limit"


CUT = Log(head="start\nloss 1\n", tail="loss 2\nend\n", omitted_bytes=100)


@pytest.mark.parametrize(
    ("fields", "log", "score"),
    [
        ({"text": "loss"}, "loss 1\n", 1.0),
        ({"text": "loss"}, "gain 1\n", 0.0),
        ({"regex": "^loss [0-9]$", "min": 2}, CUT, 1.0),
        ({"text": "loss", "min": 3}, CUT, None),
        ({"text": "loss", "max": 1}, CUT, 0.0),
        ({"text": "loss", "max": 2}, CUT, None),
        ({"text": "gain"}, CUT, None),
    ],
)
def test_the_log_is_searched_as_far_as_it_was_kept(
    tmp_path: Path, fields: dict[str, Any], log: str | Log, score: float | None
) -> None:
    submission = written(tmp_path / "s", FILES)
    result = result_of({"log_contains": fields}, submission, ran(submission, log=log))
    assert result.score == score
    assert (result.reason == "check_limit") == (score is None)


@given(needle=st.text(min_size=1), text=st.text())
def test_a_text_is_found_as_often_as_python_counts_it(needle: str, text: str) -> None:
    assert len(list(text_finder(needle)(text))) == text.count(needle)


@given(pattern=st.text(min_size=1, max_size=30), text=st.text(st.characters(), max_size=200))
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_no_pattern_and_no_text_breaks_the_search(pattern: str, text: str) -> None:
    try:
        find = regex_finder(pattern)
    except Undecided as undecided:
        assume(undecided.reason != "rubric_error")
        raise
    lines = [match.line for match in find(text)]
    assert lines == sorted(lines)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)


def test_a_pattern_that_hangs_other_engines_does_not_hang_this_one() -> None:
    assert not list(regex_finder("^(a+)+$")("a" * 50_000 + "b"))


def test_half_characters_are_no_fault() -> None:
    assert len(list(regex_finder("a.b")("a\udce9b"))) == 1
