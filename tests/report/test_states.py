"""Runs that are not like others: what each format says of them is true."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rubric_engine import Grade, grade, load_rubric, load_submission
from rubric_engine.cli.report_page import page_text
from rubric_engine.report import RunMaterial, page_run, read_run
from rubric_engine.report.formats import to_csv, to_json, to_junit, to_markdown
from rubric_engine.result import Stop
from tests.report.made import LEAVES, Says, made

ONE = "rubric: 1\nroot: {id: only, requirements: It is there, task_category: Code Development}\n"
FAILED, NONE = Grade.ungradeable("infra", "it broke"), Grade.not_applicable("none")
ALL_FAILED, ALL_OUT = (dict.fromkeys(LEAVES, one) for one in (FAILED, NONE))
NO_CODE = {**dict.fromkeys(LEAVES[:4], NONE), "run": Grade.graded(0.0)}


def told(material: RunMaterial) -> dict[str, str]:
    """What the formats say."""
    page = page_run(material)
    text = page_text([page])
    plain = text[text.index("<noscript>") : text.index("</noscript>")]
    return {"md": to_markdown([page]), "junit": to_junit([page]), "csv": to_csv([page]),
            "json": to_json([material])[0], "plain": plain}  # fmt: skip


def case_of(junit: str) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Counts and properties of the one suite."""
    (suite,) = ElementTree.fromstring(junit)
    properties = {one.get("name", ""): one.get("value", "") for one in suite.iter("property")}
    tags = [child.tag for case in suite.iter("testcase") for child in case]
    counted = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    assert {name: suite.get(name) for name in counted} == {
        name: str(tags.count(tag)) for name, tag in counted.items()
    }
    assert suite.get("tests") == str(len(list(suite.iter("testcase"))))
    return suite.attrib, properties


def first_row(text: str) -> dict[str, str]:
    """The root's row."""
    return next(csv.DictReader(StringIO(text.removeprefix("\ufeff"), newline="")))


def test_all_leaves_failed(tmp_path: Path) -> None:
    said = told(read_run(made(tmp_path, ALL_FAILED)[0]))
    assert "**Score between 0.0% and 100.0%**" in said["md"]
    assert "done, but some leaves could not be graded" in said["md"]
    assert "Score between 0.0% and 100.0%" in said["plain"]
    assert "0.0% if ungraded leaves count as 0 (missing=zero); coverage 0.0% of" in said["plain"]
    assert "done, but some leaves could not be graded" in said["plain"]
    counts, properties = case_of(said["junit"])
    assert (counts["errors"], properties["complete"], properties["low"]) == ("6", "false", "0.0")
    row = first_row(said["csv"])
    assert (row["low"], row["high"], row["status"]) == ("0.0", "1.0", "done")


def test_no_leaf_applies(tmp_path: Path) -> None:
    said = told(read_run(made(tmp_path, ALL_OUT)[0]))
    assert "**Score not applicable**, no leaf is left to score" in said["md"]
    assert "| category | met | part | not met | no grade | n/a | score |" in said["md"]
    assert "| `Code Development` | 0 | 0 | 0 | 0 | 4 | - |" in said["md"]
    assert "<p>Score not applicable</p><p>no leaf is left to score</p>" in said["plain"]
    counts, properties = case_of(said["junit"])
    assert (counts["skipped"], properties["complete"]) == ("6", "true")
    assert not {"value", "low", "high"} & properties.keys()
    assert json.loads(said["json"])["score"]["value"] is None
    assert first_row(said["csv"])["value"] == ""


def test_a_category_without_a_leaf_that_applies(tmp_path: Path) -> None:
    said = told(read_run(made(tmp_path, NO_CODE)[0]))
    assert "**Score 33.3%**, every leaf that applies is graded" in said["md"]
    assert "| `Code Development` | 0 | 0 | 0 | 0 | 4 | - | 0.0 | 0.0 | 0.0 |" in said["md"]
    assert case_of(said["junit"])[0]["failures"] == "1"


def test_a_disqualified_submission_passes_nowhere(tmp_path: Path) -> None:
    material = read_run(made(tmp_path, {})[0])
    assert case_of(told(material)["junit"])[0]["failures"] == "0"
    report = material.report.disqualify("it copies <b>")
    said = told(replace(material, report=report))
    assert "**Score 0.0%**, disqualified: `it copies <b>`" in said["md"]
    assert "<p>Score 0.0%</p><p>disqualified: it copies &lt;b&gt;; " in said["plain"]
    counts, properties = case_of(said["junit"])
    assert (counts["tests"], counts["failures"]) == ("7", "1")
    assert (properties["value"], properties["disqualified"]) == ("0.0", "it copies <b>")
    assert first_row(said["csv"])["disqualified"] == "it copies <b>"
    assert json.loads(said["json"])["disqualified"] == "it copies <b>"


def test_a_run_that_was_stopped(tmp_path: Path) -> None:
    material = read_run(made(tmp_path, {"run": Grade.ungradeable("budget")})[0])
    stop = Stop("E601", 6, "the budget is spent", ("rubric-engine resume RUN",))
    stopped = replace(material, status="stopped", report=replace(material.report, stopped=stop))
    said = told(stopped)
    assert "not complete (stopped)" in said["md"]
    assert "Stopped: `the budget is spent`" in said["md"]
    assert "stopped: the budget is spent" in said["plain"]
    counts, properties = case_of(said["junit"])
    assert (counts["errors"], properties["stopped"]) == ("1", "the budget is spent")
    assert first_row(said["csv"])["status"] == "stopped"
    assert json.loads(said["json"])["stopped"]["code"] == "E601"


@pytest.mark.parametrize(
    ("given", "headline", "tag"),
    [
        (Grade.graded(1.0), "**Score 100.0%**", []),
        (Grade.graded(0.0), "**Score 0.0%**", ["failure"]),
        (Grade.ungradeable("not_run"), "**Score between 0.0% and 100.0%**", ["skipped"]),
        (Grade.ungradeable("refused"), "**Score between 0.0% and 100.0%**", ["error"]),
        (Grade.not_applicable(), "**Score not applicable**", ["skipped"]),
    ],
)
def test_a_root_that_is_the_only_leaf(
    tmp_path: Path, given: Grade, headline: str, tag: list[str]
) -> None:
    (tmp_path / "one.yaml").write_text(ONE)
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a.py").write_text("x = 1\n")
    run = tmp_path / "runs" / "2026-05-01-one-abcdef"
    grade(
        load_rubric(tmp_path / "one.yaml"),
        load_submission(tmp_path / "s"),
        judge=Says({"only": given}),
        run_dir=run,
    )
    said = told(read_run(run))
    assert headline in said["md"]
    (case,) = ElementTree.fromstring(said["junit"]).iter("testcase")
    assert [child.tag for child in case] == tag
    row = first_row(said["csv"])
    assert (row["key"], row["parent"], row["level"]) == ("only", "", "0")
