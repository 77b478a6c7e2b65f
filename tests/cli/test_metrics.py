"""Metrics of a rubric as a user reads them: after grading, of one run, of two, and in reports."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Command

RUBRIC = """\
rubric: 1
title: A small one
metrics:
  D: Design
  half: Design >= 0.5
  C: Conclusion
  "`@x`": C
  All: D and C
root:
  id: root
  requirements: The experiment is designed and concluded
  sub_tasks:
    - id: one
      requirements: One file is there
      task_category: Design
      checks: [{file_exists: {file: a.py}}]
    - id: two
      requirements: Another file is there
      task_category: Design
      checks: [{file_exists: {file: b.py}}]
    - {id: end, requirements: The conclusion is right, task_category: Conclusion}
"""
NAME = "`@x`"


@pytest.fixture
def runs(command: Command) -> list[str]:
    """Two runs: of a submission with one file, and with both."""
    Path("task").mkdir()
    Path("task/rubric.yaml").write_text(RUBRIC)
    Path("task/paper.md").write_text("A paper.\n")
    Path("submission").mkdir()
    found = []
    for name in ("a.py", "b.py"):
        Path("submission", name).write_text("print(1)\n")
        done = command("grade", "submission", "--task", "./task", "--judge", "rules", "--json")
        found.append(str(done.json["run"]))
    return found


def test_a_run_says_which_are_true_false_and_undefined_and_why(
    command: Command, runs: list[str]
) -> None:
    for done in (command("show", runs[0]), command("score", runs[0])):
        lines = done.out.splitlines()
        at = next(at for at, line in enumerate(lines) if line.startswith("metrics"))
        assert lines[at : at + 4] == [
            "metrics true       half",
            "        false      D, All",
            "        undefined  C, `@x` (Conclusion: 1 of 1 leaves without a grade)",
            "",
        ]
        assert max(map(len, lines[: at + 4])) <= 80


def test_the_report_of_a_run_keeps_them(command: Command, runs: list[str]) -> None:
    kept = json.loads(Path(runs[1], "report.json").read_text())["metrics"]
    assert command("score", runs[1], "--json").json["metrics"] == kept
    assert {name: found["value"] for name, found in kept.items()} == {
        "D": True, "half": True, "C": None, NAME: None, "All": None,
    }  # fmt: skip
    assert kept["D"]["why"] == "Design: 2 of 2 leaves met"
    assert json.loads(Path(runs[1], "rubric.json").read_text())["metrics"]["All"] == "D and C"


def test_compare_tells_what_changed(command: Command, runs: list[str], tmp_path: Path) -> None:
    done = command("compare", *runs, "--html", tmp_path / "page.html")
    assert [line for line in done.out.splitlines() if line.startswith("metric ")] == [
        "metric  D: false -> true",
        "metric  All: false -> undefined",
    ]
    told = command("compare", *runs, "--json").json["metrics"]
    assert [(one["name"], one["a"]["value"], one["b"]["value"]) for one in told] == [
        ("D", False, True), ("All", False, None),
    ]  # fmt: skip
    page = (tmp_path / "page.html").read_text()
    assert "<p>metric D: false -&gt; true</p>" in page


def test_every_format_has_them(command: Command, runs: list[str]) -> None:
    rows = list(csv.DictReader(StringIO(
        command("report", *runs, "--format", "csv").out.removeprefix("\ufeff")
    )))  # fmt: skip
    heads = [row for row in rows if not row["parent"]]
    assert [row["metric: D"] for row in heads] == ["false", "true"]
    assert [row["metric: All"] for row in heads] == ["false", ""]
    assert {row["metric: D"] for row in rows if row["parent"]} == {""}
    first, second = ElementTree.fromstring(command("report", *runs, "--format", "junit").out)
    told = [{one.get("name"): one.get("value") for one in suite.iter("property")}
            for suite in (first, second)]  # fmt: skip
    assert [one["metric: All"] for one in told] == ["false", "undefined"]
    markdown = command("report", *runs, "--format", "md").out
    assert "| `D` | false | `Design: 1 of 2 leaves not met in full` |" in markdown
    assert "| `` `@x` `` | undefined |" in markdown


def test_several_runs_are_counted_with_denominators_of_their_own(
    command: Command, runs: list[str]
) -> None:
    markdown = command("report", *runs, "--format", "md").out
    _, table = markdown.split("### Metrics over 2 runs\n")
    assert "| `D` | 1 | 2 | 0 | 50.0% |" in table
    assert "| `C` | 0 | 0 | 2 | - |" in table
    assert "| `All` | 0 | 1 | 1 | 0.0% |" in table
    means = command("report", *runs, "--format", "json").json["metrics"]
    assert means["D"] == {"share": 0.5, "true": 1, "defined": 2, "undefined": 0}
    assert means["C"] == {"share": None, "true": 0, "defined": 0, "undefined": 2}


def test_what_redact_names_is_hidden_in_their_names_too(command: Command, runs: list[str]) -> None:
    hidden = command("report", runs[0], "--format", "json", "--redact", "half|Conclusion").json
    assert list(hidden["metrics"]) == ["D", "***", "C", NAME, "All"]
    assert hidden["metrics"]["C"]["why"] == "***: 1 of 1 leaves without a grade"


def test_a_page_without_scripts_has_them(command: Command, runs: list[str]) -> None:
    page = Path(runs[0], "report.html").read_text()
    assert "Metrics: D: false, half: true, C: undefined" in page
