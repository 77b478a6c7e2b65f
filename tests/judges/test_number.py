from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.checks import Number
from rubric_engine.isolation import Log
from rubric_engine.judges.rules.json_path import NotThereError, look_up, parse_path, refusal
from rubric_engine.judges.rules.number import fits
from rubric_engine.judges.rules.outcome import Undecided
from rubric_engine.lint import lint
from tests.judges.desk import RESULT, grade_of, leaf_of, ran, result_of, rubric_of, written

FILES: dict[str, str | bytes] = {
    "run.json": '{"runs": [{"steps": 71, "loss": 1e-3}, {"steps": "74"}], "a.b": {"c [d]": 0.5},'
    ' "nan": NaN, "inf": -Infinity, "yes": true, "none": null, "text": "seven", "list": [1, 2],'
    ' "huge": 1' + "0" * 5000 + "}",
    "out.txt": "loss 0.5\nloss 0.25\nfinal: .5e1\nloss n/a\n",
    "many/a.txt": "v 1\n",
    "many/b.txt": "v 2\n",
    "parts/a.json": '{"v": 1}',
    "parts/b.json": '{"w": 2}',
    "broken.json": '{"v": ',
    "deep.json": "[" * 100_000 + "]" * 100_000,
    "img.png": b"\x89PNG\r\n\x1a\n 1",
}


def number(**fields: Any) -> dict[str, Any]:
    return {"number": fields}


def at(path: str, file: str = "run.json", **fields: Any) -> dict[str, Any]:
    return number(file=file, json=path, **fields)


def match(regex: str, file: str = "out.txt", **fields: Any) -> dict[str, Any]:
    return number(file=file, regex=regex, **fields)


TABLE = [
    (at("runs[0].steps", equals=71), 1.0, "71"),
    (at("runs[0].steps", equals=70, abs=1), 1.0, "71"),
    (at("runs[0].steps", equals=70, rel=0.01), 0.0, "71"),
    (at("runs[0].steps", equals=70, rel=0.02), 1.0, "71"),
    (at("runs[0].steps", equals=70, rel=0.01, abs=1), 1.0, "71"),
    (at("runs[-1].steps", equals=74), 1.0, "74"),
    (at("runs[0].loss", at_most=0.001), 1.0, "0.001"),
    (at("runs[0].loss", at_least=0.002), 0.0, "0.001"),
    (at("runs[0].steps", at_least=70, at_most=72, equals=71), 1.0, "71"),
    (at("runs[0].steps", at_least=70, at_most=70.5), 0.0, "71"),
    (at('["a.b"]["c [d]"]', equals=0.2, abs=0.3), 1.0, "0.5"),
    (at("nan", at_least=0), 0.0, "nan"),
    (at("inf", at_most=0), 0.0, "-inf"),
    (at("huge", at_least=1e300), 0.0, "inf"),
    (at("yes", equals=1), 0.0, "'true' is no number"),
    (at("none", equals=0), 0.0, "'null' is no number"),
    (at("text", equals=7), 0.0, "'seven' is no number"),
    (at("list", equals=1), 0.0, "'a list' is no number"),
    (at("run", equals=1), 0.0, "no key 'run' (did you mean 'runs'?)"),
    (at("q", equals=1), 0.0, "no key 'q' (has: runs, a.b, nan"),
    (at("runs[2]", equals=1), 0.0, "no place [2]: the list has 2"),
    (at("runs.steps", equals=1), 0.0, "no 'steps': there is a list in its place"),
    (at("runs[0].steps.x", equals=1), 0.0, "there is a plain value in its place"),
    (at("v", file="none.json", equals=1), 0.0, "no file matches none.json"),
    (at("v", file="broken.json", equals=1), 0.0, "broken.json is no JSON"),
    (at("v", file="deep.json", equals=1), 0.0, "deep.json is nested too deeply"),
    (at("v", file="out.txt", equals=1), 0.0, "out.txt is no JSON"),
    (at("v", file="parts/*.json", equals=1), 1.0, "1"),
    (match("loss ([0-9.]+)", equals=0.25), 1.0, "0.25"),
    (match("loss ([0-9.]+)", equals=0.5, pick="first"), 1.0, "0.5"),
    (match("^final: (.*)$", equals=5), 1.0, "5"),
    (match("[0-9]+[.][0-9]+", equals=0.25), 1.0, "0.25"),
    (match("loss (.*)", equals=0.25), 0.0, "'n/a' is no number"),
    (match("gain ([0-9.]+)", equals=0.25), 0.0, "no match of the pattern"),
    (match("v ([0-9]+)", file="many", equals=2), 1.0, "2"),
    (match("v ([0-9]+)", file="many", equals=1, pick="first"), 1.0, "1"),
    (match("([0-9])", file="img.png", equals=1), 0.0, "img.png is no text but image"),
]


@pytest.mark.parametrize(("check", "score", "found"), TABLE, ids=str)
def test_numbers_are_compared(
    tmp_path: Path, check: dict[str, Any], score: float, found: str
) -> None:
    result = result_of(check, written(tmp_path / "s", FILES))
    assert result.score == score, result.found
    assert found in result.found


def test_the_place_of_the_number_is_cited(tmp_path: Path) -> None:
    result = result_of(match("loss ([0-9.]+)", equals=1), written(tmp_path / "s", FILES))
    assert [str(cited) for cited in result.citations] == ["out.txt:2"]
    assert result.citations[0].quote == "loss 0.25"


@pytest.mark.parametrize(
    "path",
    ["a..b", ".a", "a.", "a[b]", "a[0", "[]", "a[0]b", "a.[0]", " '", '["\\q"]', f"[{'9' * 5000}]"],
)
def test_a_path_that_is_none_is_the_rubrics_fault(tmp_path: Path, path: str) -> None:
    submission = written(tmp_path / "s", FILES)
    for file in ("run.json", "none.json"):
        assert grade_of([at(path, file=file, equals=1)], submission).reason == "rubric_error"
    assert refusal(path)


def test_a_path_that_is_one_is_not_refused() -> None:
    assert refusal('runs[0]["a.b"]') is None


def test_json_too_large_to_parse_is_a_limit(tmp_path: Path) -> None:
    files = {"a.json": b'{"v": 1}' + b" " * 10_000_000}
    assert result_of(at("v", file="a.json", equals=1), written(tmp_path / "s", files)).reason == (
        "check_limit"
    )


def test_results_that_were_handed_in_never_count(tmp_path: Path) -> None:
    before = written(tmp_path / "before", {"old.json": '{"v": 1}', "same.json": '{"v": 1}'})
    after = written(
        tmp_path / "after",
        {"old.json": '{"v": 2}', "same.json": '{"v": 1}', "new.json": '{"v": 3}'},
    )
    run = ran(before, after)
    for file, value in {"old.json": 2, "new.json": 3}.items():
        result = result_of(at("v", file=file, equals=value), before, run, task_category=RESULT)
        assert result.score == 1.0, result.found
    result = result_of(at("v", file="same.json", equals=1), before, run, task_category=RESULT)
    assert (result.score, result.found) == (
        0.0,
        "same.json: handed in, but not made by the run",
    )
    result = result_of(at("v", file="old.json", equals=1), before, run)
    assert result.score == 1.0


CUT = Log(head="loss 1\n", tail="loss 2\n", omitted_bytes=10)


@pytest.mark.parametrize(
    ("log", "fields", "score"),
    [
        ("loss 1\nloss 2\n", {"equals": 2}, 1.0),
        ("loss 1\nloss 2\n", {"equals": 1, "pick": "first"}, 1.0),
        (CUT, {"equals": 2}, 1.0),
        (CUT, {"equals": 1, "pick": "first"}, 1.0),
        (Log(head="loss 1\n", tail="end", omitted_bytes=10), {"equals": 1}, None),
        ("", {"equals": 1}, 0.0),
    ],
)
def test_numbers_of_the_log(
    tmp_path: Path, log: str | Log, fields: dict[str, Any], score: float | None
) -> None:
    submission = written(tmp_path / "s", FILES)
    check = number(log=True, regex="loss ([0-9]+)", **fields)
    result = result_of(check, submission, ran(submission, log=log))
    assert result.score == score
    assert (result.reason == "check_limit") == (score is None)


@given(
    value=st.floats(allow_nan=False, allow_infinity=False),
    factor=st.floats(-0.99, 0.99),
    tolerance=st.floats(0, 1e6),
)
def test_what_is_within_the_tolerance_is_equal(
    value: float, factor: float, tolerance: float
) -> None:
    near = value + factor * tolerance
    check = Number(file="a", regex="b", equals=value, abs=tolerance)
    if abs(near - value) <= tolerance:
        assert fits(check, near)
    assert not any(fits(check, odd) for odd in (math.nan, math.inf, -math.inf))
    assert fits(check, value)


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=10,
)


@given(document=JSON, data=st.data())
def test_every_value_of_a_document_has_a_path(document: Any, data: st.DataObject) -> None:
    path, value = "", document
    while isinstance(value, dict | list) and value:
        if isinstance(value, dict):
            name = data.draw(st.sampled_from(sorted(value)))
            path, value = f"{path}[{json.dumps(name)}]", value[name]
        else:
            place = data.draw(st.integers(-len(value), len(value) - 1))
            path, value = f"{path}[{place}]", value[place]
    assert look_up(document, parse_path(path)) == value


@given(path=st.text(max_size=20), document=JSON)
def test_no_path_breaks_the_look_up(path: str, document: Any) -> None:
    try:
        look_up(document, parse_path(path))
    except (Undecided, NotThereError) as said:
        assert str(said)  # noqa: PT017  # either is an answer


def test_lint_names_a_path_that_is_none() -> None:
    checks = [at("a..b", equals=1), {"not": at("[q]", equals=1)}, at("a.b", equals=1)]
    rubric = rubric_of([leaf_of(checks)])
    found = [one for one in lint(rubric, {"json": refusal}) if one.code == "R131"]
    assert [one.message for one in found] == [
        "json 'a..b' is refused: no JSON path: 'a..b', at character 2",
        "json '[q]' is refused: no JSON path: '[q]', at character 1",
    ]
    assert not [one for one in lint(rubric) if one.code == "R131"]
