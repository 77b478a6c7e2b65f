"""Texts that do not parse, or hold what a rubric must not hold."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rubric_engine.errors import RubricError

Refused = Callable[[str | bytes], RubricError]


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "said"),
    [
        ("a: [1, 2\n", "E202", 2, 1, "expected ',' or ']'"),
        ("a: 'x", "E202", 1, 6, "not valid YAML"),
        ("a: b: c", "E202", 1, 5, "put quotes around text that holds ': '"),
        ("a: @b", "E202", 1, 4, "must not begin with this character"),
        ("a:\n\t- b\n", "E202", 2, 1, "tabs are not allowed for indentation"),
        ("a: é\x7f", "E202", 1, 5, "character U+007F is not allowed"),
        ("a: 1\n---\nb: 2\n", "E216", 2, 1, "a file holds one document"),
        ("a: &x 1\n", "E216", 1, 4, "anchors (&x) are not allowed"),
        ("a: *x\n", "E216", 1, 4, "aliases (*x) are not allowed"),
        ("<<: {a: b}\n", "E216", 1, 1, "merge keys (<<)"),
        ("a: !!python/name:os.system x\n", "E216", 1, 4, "tags (tag:yaml.org,2002:python/name"),
        ("a: !x y\n", "E216", 1, 4, "tags (!x)"),
        ("? [a, {b: c}]\n: d\n", "E216", 1, 3, "a key must be text"),
        ("[" * 2000, "E213", 1, 1001, "nested too deeply for YAML"),
        ('{"a": 1,}', "E202", 1, 9, "expected a key in double quotes"),
        ('{"a": 1', "E202", 1, 8, "the file ends too early"),
        ('{"a" 1}', "E202", 1, 6, "expected ':'"),
        ('{"a": 1} x', "E202", 1, 10, "'x' is no value"),
        ('{"a": 1} 2', "E202", 1, 10, "the end of the file was expected"),
        ('{"a": nul}', "E202", 1, 7, "'nul' is no value"),
        ('{"a": 01}', "E202", 1, 7, "unexpected character '0'"),
        ('{"a":\n "x\ny"}', "E202", 2, 4, "invalid control character"),
        ('{"a": "x', "E202", 1, 7, "unterminated string"),
        ('{"a": [1}', "E202", 1, 9, "expected ',' or the closing bracket"),
        ('{"a": ' + "1" * 5000 + "}", "E202", 1, 7, "too many digits"),
    ],
)  # fmt: skip
def test_place_and_message(
    refused: Refused, text: str, code: str, line: int, column: int, said: str
) -> None:
    error = refused(text)
    assert error.code == code
    assert error.place is not None
    assert (error.place.line, error.place.column) == (line, column)
    assert said in error.message


def test_indentation_is_explained_with_a_caret(refused: Refused) -> None:
    error = refused("root:\n  sub_tasks:\n  - id: adam-lr\n   weight: 2\n")
    assert error.looked == (
        "3 |   - id: adam-lr",
        "4 |    weight: 2",
        "  |    ^ this line begins in column 4; the one above it in column 5",
    )


def test_excerpt_of_a_long_line_is_a_window(refused: Refused) -> None:
    error = refused('{"a": "' + "x" * 100_000 + '", }')
    assert all(len(line) < 200 for line in error.looked)


@pytest.mark.parametrize("text", ["", "# nothing\n", "~", "{}", "- a\n", "abc", "12", "[]"])
def test_no_mapping(refused: Refused, text: str) -> None:
    error = refused(text)
    assert error.code == "E207"
    assert "a rubric is a mapping" in error.message


def test_yaml_bomb_is_refused_before_it_grows(refused: Refused) -> None:
    layers = [f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 9)}]"
              for i in range(20)]  # fmt: skip
    error = refused("\n".join(["a: &a [x, x]", *layers]))
    assert error.code == "E216"
    assert {problem.code for problem in error.problems} == {"E216"}


HUGE = 50_000_000


@pytest.mark.parametrize(
    ("start", "repeated", "code"),
    [
        ("", "a", "E207"),
        ("", "\n", "E207"),
        ("", "[", "E213"),
        ('{"a": ', "[", "E217"),
        ('{"id": "', "a", "E202"),
        ("", "- &a b\n", "E217"),
    ],
    ids=["one word", "blank", "brackets", "json brackets", "json string", "anchors"],
)
@pytest.mark.slow
def test_fifty_megabytes(refused: Refused, start: str, repeated: str, code: str) -> None:
    error = refused(start + repeated * (HUGE // len(repeated)))
    assert error.code == code
    assert len(str(error)) < 300
