"""`compare --redact`: what is named stands nowhere, and what is shown stays readable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Outcome
from tests.cli.test_report_command import data_of

SECRET = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3"

RUBRIC = f"""\
rubric: 1
root:
  id: root
  requirements: Project Falcon works
  sub_tasks:
    - {{id: falcon-1, requirements: "Falcon flies", task_category: Code Development}}
    - {{id: falcon-2, requirements: "Falcon met {SECRET}", task_category: Code Development}}
"""


@pytest.fixture
def compared(command: Command, submission: Path) -> tuple[Command, list[str]]:
    """Two runs of a project whose name nobody should learn."""
    rubric = submission.parent / "falcon.yaml"
    rubric.write_text(RUBRIC)
    runs = [
        command("grade", submission, "--rubric", rubric, "--judge", judge, "--executed", "--json")
        for judge in ("all-met", "all-not-met")
    ]
    return command, ["compare", *(str(run.json["run"]) for run in runs)]


def told(done: Outcome) -> str:
    assert done.code == 0, done.err
    return done.out


def test_nothing_of_what_is_named_is_given_out(compared: tuple[Command, list[str]]) -> None:
    command, words = compared
    given = [*words, "--redact", "(?i)falcon", "--redact", "met", "--redact", "judge"]
    short = command(*given, "--html", "page.html")
    shown = told(short) + told(command(*given, "--leaves"))
    values = command(*given, "--json").json
    page = data_of(Path("page.html").read_text())["comparison"]
    for text in (shown, json.dumps(values), json.dumps(page), Path("page.html").read_text()):
        assert "falcon" not in text.lower()
        assert SECRET not in text
    assert "met -> not met" in shown
    assert page["words"]["down"] == "met -> not met"
    assert [one["kind"] for one in page["changes"]] == ["down", "down"]
    assert page["changes"][0]["a"]["verdict"] == "met"
    assert [one["a"]["key"] for one in page["changes"]] == ["***-1", "***-2"]
    assert page["changes"] == values["changes"]
    assert [one["name"] for one in page["unlike"]] == ["judge"]
    places = values["hidden"]
    assert places["secrets"] == 2
    assert places["redacted"] > 8
    assert f"hidden  2 secrets, {places['redacted']} places that --redact names\n" in short.err


def test_keys_that_look_alike_once_hidden_stay_apart(compared: tuple[Command, list[str]]) -> None:
    command, words = compared
    values = command(*words, "--redact", "falcon-[0-9]", "--json").json
    keys = [(one["a"]["key"], one["b"]["key"]) for one in values["changes"]]
    assert keys == [("***", "***"), ("***#2", "***#2")]


def test_a_pattern_that_names_nothing_is_told(compared: tuple[Command, list[str]]) -> None:
    command, words = compared
    done = command(*words, "--redact", "nobody")
    assert "hidden  nothing that --redact names: it stands nowhere in what is printed;" in done.err
    whole = command(*words, "--redact", "nobody", "--leaves")
    assert "it stands nowhere in this comparison\n" in whole.err
    assert SECRET not in told(done)
    refused = command(*words, "--redact", "x*")
    assert (refused.code, "E013" in refused.err) == (2, True)
