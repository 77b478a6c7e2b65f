"""Bad inputs at the command: each with its message, its place, its exit code, and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import RUBRIC, Command

CASES: dict[str, tuple[bytes, str, list[str]]] = {
    "yaml syntax": (
        RUBRIC.replace("      weight: 3", "     weight: 3").encode(),
        "E202",
        ["small.yaml:9:", "not valid YAML", "^"],
    ),
    "duplicate id": (
        RUBRIC.replace("id: prose", "id: code").encode(),
        "E203",
        ["'code'", "small.yaml:12:", "small.yaml:7:"],
    ),
    "negative weight": (
        RUBRIC.replace("weight: 3", "weight: -1").encode(),
        "E204",
        ["small.yaml:9:15", "-1", "weight: 0"],
    ),
    "no category": (
        RUBRIC.replace("      task_category: Code Execution\n", "").encode(),
        "E205",
        ["small.yaml:15:", "'run'", "task_category"],
    ),
    "a list": (b"- id: a\n- id: b\n", "E207", ["list"]),
    "empty": (b"", "E207", ["empty"]),
    "binary": (b"\x00\x01\x02\x03" * 50, "E215", ["binary"]),
    "utf-16": (RUBRIC.encode("utf-16"), "E215", ["UTF-16", "UTF-8"]),
    "yaml bomb": (
        b"a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: &c [*b, *b, *b]\nroot: *c\n",
        "E216",
        ["small.yaml:1:"],
    ),
    "tabs": (RUBRIC.replace("      weight: 3", "\tweight: 3").encode(), "E202", ["tab"]),
}


@pytest.mark.parametrize("name", CASES)
def test_a_rubric_that_cannot_be_used(
    command: Command, rubric: Path, submission: Path, name: str
) -> None:
    content, code, says = CASES[name]
    rubric.write_bytes(content)
    done = command("grade", submission, "--rubric", rubric)
    assert done.code == 3
    assert code in done.err
    for part in says:
        assert part in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_all_errors_of_a_file_come_at_once(
    command: Command, rubric: Path, submission: Path
) -> None:
    text = RUBRIC.replace("weight: 3", "weight: -1").replace("weight: 2", "weight: .nan")
    rubric.write_text(
        text.replace("id: prose", "id: code").replace("requirements: The R", "requires: R")
    )
    done = command("grade", submission, "--rubric", rubric, "--json")
    problems = done.json["error"]["problems"]
    assert {problem["code"] for problem in problems} >= {"E203", "E204", "E208"}
    assert all(problem["where"]["line"] for problem in problems)
    lines = [problem["where"]["line"] for problem in problems]
    assert lines == sorted(lines)


def test_one_error_of_a_criterion_hides_no_other(
    command: Command, rubric: Path, submission: Path
) -> None:
    text = RUBRIC.replace("weight: 3", "weight: -1\n      depends_on: [zz]")
    rubric.write_text(
        text.replace("Code Development\n      checks", "Code Developmnt\n      checks")
    )
    done = command("grade", submission, "--rubric", rubric, "--json")
    codes = {problem["code"] for problem in done.json["error"]["problems"]}
    assert codes == {"E204", "E212", "E219"}


def test_a_leaf_that_says_nothing_is_an_error_of_lint(command: Command, rubric: Path) -> None:
    rubric.write_text(RUBRIC.replace("The run writes out.csv", "'  '"))
    done = command("rubric", "lint", rubric)
    assert done.code == 1
    assert "the leaf says nothing" in done.out


def test_a_wrong_rubric_path_names_the_near_miss(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = command("grade", submission, "--rubric", rubric.with_name("smal.yaml"))
    assert done.code == 3
    assert "E201" in done.err
    assert "small.yaml" in done.err


@pytest.mark.slow
def test_a_rubric_of_50_megabytes_is_answered(
    command: Command, rubric: Path, submission: Path
) -> None:
    rubric.write_bytes(b"rubric: 1\nroot: {id: r, requirements: '" + b"x" * 50_000_000 + b"'}\n")
    done = command("grade", submission, "--rubric", rubric)
    assert done.code == 3
    assert "E20" in done.err


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: None, "E304"),
        (lambda path: path.write_text("just a file"), "is not a tar archive"),
        (lambda path: path.write_bytes(b"PK\x03\x04rest"), "zip"),
        (lambda path: path.write_bytes(b"\x1f\x8bnot really"), "E30"),
    ],
)
def test_a_submission_that_cannot_be_read(
    command: Command, rubric: Path, tmp_path: Path, make: object, says: str
) -> None:
    path = tmp_path / "handed-in"
    make(path)  # type: ignore[operator]
    done = command("grade", path, "--rubric", rubric)
    assert done.code == 3
    assert says in done.err
    assert "Traceback" not in done.err
