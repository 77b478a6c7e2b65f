"""`show`, `score`, `runs`, `doctor`, `rubric`, `--version`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.conftest import Command


@pytest.fixture
def graded(command: Command, rubric: Path, submission: Path) -> Command:
    """The command, with one finished run in its folder."""
    assert command("grade", submission, "--rubric", rubric, "--sandbox", "local", "-q").code == 0
    return command


def test_show_as_tree_as_losses_and_one_leaf(graded: Command) -> None:
    assert "code: The file a.py" in graded("show", "latest").out
    assert "no point is lost for certain" in graded("show", "latest", "--lost").out
    assert "needs_model" in graded("show", "latest", "--open").out
    leaf = graded("show", "latest", "code").out
    assert "python_defines: holds" in leaf
    assert "a.py:1" in leaf


def test_show_lists_as_json(graded: Command) -> None:
    assert graded("show", "latest", "--lost", "--json").json["lost"] == []
    (row,) = graded("show", "latest", "--open", "--json").json["open"]
    assert (row["key"], row["verdict"]) == ("prose", "open")
    assert graded("show", "latest", "root", "--json").json["criterion"]["id"] == "root"
    assert graded("show", "latest", "--lost", "--open").code == 2


@pytest.mark.parametrize(
    ("check", "reason"),
    [("{log_contains: {regex: '('}}", "rubric_error"), ("{sql: {query: selct 1}}", "rubric_error"),
     ("{exit_code: {equals: 0}}", "not_run")],
)  # fmt: skip
def test_a_leaf_that_could_not_be_graded_is_shown_with_its_reason(
    command: Command, rubric: Path, submission: Path, check: str, reason: str
) -> None:
    rubric.write_text(rubric.read_text().replace("{produced: {file: out.csv}}", check))
    how = ("--sandbox", "local") if reason == "rubric_error" else ("--executed",)
    command("grade", submission, "--rubric", rubric, *how, "-q")
    out = command("show", "latest", "run").out
    assert f"ungradeable  {reason}" in out
    assert ": open" in out


def test_show_repeats_what_a_reader_should_know(
    command: Command, rubric: Path, submission: Path
) -> None:
    command("grade", submission, "--rubric", rubric, "--executed", "-q")
    assert "warning W305" in command("show", "latest").out


def test_score_refuses_a_rubric_that_shares_no_leaf(graded: Command, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    leaf = "{id: x, requirements: y, task_category: Code Development}"
    other.write_text(f"rubric: 1\nroot: {leaf}\n")
    done = graded("score", "latest", "--rubric", other)
    assert done.code == 3
    assert "no leaf of that rubric" in done.err


def test_a_group_shows_its_children(graded: Command) -> None:
    assert "met  code: The file a.py" in graded("show", "latest", "root").out


def test_show_names_a_near_miss(graded: Command) -> None:
    done = graded("show", "latest", "cod")
    assert done.code == 2
    assert "did you mean 'code'?" in done.err


@pytest.mark.parametrize("arguments", [["show", "latest"], ["show", "abc"], ["score", "latest"]])
def test_no_run_says_how_to_make_one(command: Command, arguments: list[str]) -> None:
    done = command(*arguments)
    assert done.code == 3
    assert "rubric-engine grade" in done.err


def test_score_recomputes_with_other_weights_and_policy(graded: Command, rubric: Path) -> None:
    zero = graded("score", "latest", "--json").json["score"]
    assert (zero["value"], zero["high"]) == (pytest.approx(5 / 6), 1.0)
    rest = graded("score", "latest", "--missing", "renormalise", "--json").json["score"]
    assert (rest["value"], rest["low"]) == (1.0, pytest.approx(5 / 6))
    rubric.write_text(rubric.read_text().replace("weight: 2", "weight: 0"))
    other = graded("score", "latest", "--rubric", rubric, "--json").json["score"]
    assert other["low"] == pytest.approx(3 / 4)


def test_score_warns_where_the_rubric_says_something_else(graded: Command, rubric: Path) -> None:
    text = rubric.read_text().replace("in its own words", "at length").replace("id: run", "id: go")
    rubric.write_text(text)
    codes = {
        n["code"] for n in graded("score", "latest", "--rubric", rubric, "--json").json["warnings"]
    }
    assert {"W220", "W221"} <= codes


def test_score_speaks_of_the_view_and_names_its_policy(graded: Command) -> None:
    view = graded("score", "latest", "--category", "Code Execution", "--json").json
    assert view["mode"] == "full, Code Execution only"
    assert view["warnings"] == []
    assert graded("score", "latest", "--missing", "renormalise", "--json").json["missing"]
    assert "missing=zero" in graded("score", "latest").out


def test_score_warns_where_a_check_asks_for_something_else(graded: Command, rubric: Path) -> None:
    rubric.write_text(rubric.read_text().replace("name: solve", "name: solver"))
    warnings = graded("score", "latest", "--rubric", rubric, "--json").json["warnings"]
    assert "W220" in {warning["code"] for warning in warnings}


def test_a_category_without_any_grade_has_a_range_and_no_value(
    command: Command, rubric: Path, submission: Path
) -> None:
    flags = ("--category", "Code Execution", "-q")
    assert command("grade", submission, "--rubric", rubric, *flags).out.startswith("0.0-100.0%")
    out = command("score", "latest", "--missing", "renormalise").out
    assert "between 0.0% and 100.0%" in out
    assert "no leaf is graded" in out


def test_runs_are_listed(graded: Command) -> None:
    (row,) = graded("runs", "list", "--json").json["runs"]
    assert row["status"] == "done"
    assert "83.3-100.0%" in graded("runs", "list").out


def test_a_narrow_terminal_never_cuts_a_figure(
    graded: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = graded("score", "latest").out
    monkeypatch.setenv("COLUMNS", "50")
    narrow = graded("score", "latest").out
    for figure in re.findall(r"[0-9.-]+%|[0-9]+\.[0-9]", wide):
        assert figure in narrow


def test_tables_fit_80_columns_with_chinese_text(graded: Command, rubric: Path) -> None:
    for arguments in (
        ["show", "latest"],
        ["show", "latest", "--open"],
        ["score", "latest"],
        ["rubric", "tree", str(rubric)],
        ["rubric", "stats", str(rubric)],
        ["runs", "list"],
    ):
        done = graded(*arguments)
        assert done.code == 0, done.err
        widths = {
            line: cell_len(line) for line in done.out.splitlines() if not line.startswith("w")
        }
        assert max(widths.values()) <= 80, max(widths, key=lambda line: widths[line])


def test_hostile_names_are_escaped(command: Command, rubric: Path, submission: Path) -> None:
    text = rubric.read_text().replace("The README explains", '"\\e[31m\\u202Eevil"').split("'")[0]
    text = text.replace(
        'requirements: "\\e[31m\\u202Eevil" the method in its own words',
        'requirements: "\\e[31m\\u202Eevil"',
    )
    rubric.write_text(text)
    command("grade", submission, "--rubric", rubric, "-q")
    out = command("show", "latest").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\\u{202e}evil" in out


def test_rubric_stats_and_tree(command: Command, rubric: Path) -> None:
    assert "3 leaves in 1 groups" in command("rubric", "stats", rubric).out
    assert command("rubric", "stats", "heavy-ball", "--json").json["stats"]["leaves"] >= 40
    rows = command("rubric", "tree", rubric, "--depth", "1", "--json").json["criteria"]
    assert [row["key"] for row in rows] == ["root"]


def test_rubric_schema_is_json(command: Command, tmp_path: Path) -> None:
    assert json.loads(command("rubric", "schema").out)["properties"]["root"]
    assert command("rubric", "schema", "-o", tmp_path / "s.json").code == 0
    assert json.loads((tmp_path / "s.json").read_text())


def test_lint_places_its_findings_and_gates(command: Command, rubric: Path) -> None:
    clean = command("rubric", "lint", rubric)
    assert (clean.code, clean.out.splitlines()[-1][:8]) == (0, "0 errors")
    rubric.write_text(
        rubric.read_text().replace("{produced: {file: out.csv}}", "{log_contains: {regex: '('}}")
    )
    done = command("rubric", "lint", rubric)
    assert done.code == 1
    assert f"{rubric}:15:7 error   R131" in done.out
    github = command("rubric", "lint", rubric, "--github").out
    assert "::error file=" in github
    assert "line=15,col=7,title=R131" in github


@pytest.mark.parametrize(
    "check",
    ["{sql: {query: selct 1}}", "{sql: {query: drop table x}}",
     "{number: {file: a.json, json: 'a[0', equals: 1}}"],
)  # fmt: skip
def test_lint_tells_what_can_be_told_without_a_submission(
    command: Command, rubric: Path, check: str
) -> None:
    rubric.write_text(rubric.read_text().replace("{produced: {file: out.csv}}", check))
    done = command("rubric", "lint", rubric)
    assert done.code == 1
    assert "R131" in done.out


def test_lint_merges_what_keeps_a_rubric_from_loading(command: Command, rubric: Path) -> None:
    rubric.write_text(rubric.read_text().replace("weight: 2", "weight: -2"))
    done = command("rubric", "lint", rubric)
    assert done.code == 3
    assert "E204" in done.out
    assert ":17:15" in done.out or ":16:15" in done.out


def test_lint_explains(command: Command) -> None:
    assert "R105" in command("rubric", "lint", "--explain", "R105").out
    assert command("rubric", "lint", "--explain", "R999").code == 2


def test_doctor_and_version(command: Command) -> None:
    done = command("doctor")
    assert done.code == 0, done.out
    assert "shipped tasks: count-min, heavy-ball, variance-reduction" in done.out
    assert command("doctor", "--json").json["ok"] is True
    assert command("--version").out.startswith("rubric-engine 0.1.0")


@pytest.mark.parametrize(
    "arguments",
    [[], ["grade"], ["show"], ["score"], ["rubric"], ["rubric", "lint"], ["runs"], ["doctor"]],
)
def test_help_is_there(command: Command, arguments: list[str]) -> None:
    done = command(*arguments, "--help")
    assert done.code == 0
    assert "Usage:" in done.out
