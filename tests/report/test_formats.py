"""Markdown, CSV, JSON and JUnit: read back, they say what the report says."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rubric_engine import Grade
from rubric_engine.errors import RunError
from rubric_engine.report import RunMaterial, RunPage, page_run, read_run
from rubric_engine.report.formats import to_csv, to_json, to_junit, to_markdown
from rubric_engine.report.formats.nodes import lost_first
from rubric_engine.result import Report
from tests.report.made import GRADES, LEAVES, made

HOSTILE = "=1+1|`x`</script>\n@someone <img onerror=1>\u202e\0\ud800]]>&\t\\"


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> RunMaterial:
    return read_run(made(tmp_path_factory.mktemp("formats"), GRADES)[0])


@pytest.fixture(scope="module")
def page(material: RunMaterial) -> RunPage:
    return page_run(material)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> RunPage:
    grades = {
        "solve": Grade.graded(0.0, HOSTILE),
        "run": Grade.ungradeable("infra", HOSTILE),
        "one": Grade.graded(1.0, f"{HOSTILE}\n{HOSTILE}"),
    }
    return page_run(read_run(made(tmp_path_factory.mktemp("hostile"), grades)[0]))


def test_csv_has_a_row_a_criterion_with_the_numbers_of_the_report(
    page: RunPage, material: RunMaterial
) -> None:
    rows = list(csv.DictReader(StringIO(to_csv([page]).removeprefix("\ufeff"), newline="")))
    whole = material.report.to_dict()
    assert [row["key"] for row in rows] == [row["key"] for row in whole["criteria"]]
    for row, criterion in zip(rows, whole["criteria"], strict=True):
        score = whole["scores"][row["key"]]
        for name in ("low", "high"):
            assert (float(row[name]) if row[name] else None) == score[name]
        value = None if criterion["verdict"] == "open" else score["value"]
        assert (float(row["value"]) if row["value"] else None) == value
        for name in ("worth", "lost", "open"):
            assert (float(row[name]) if row[name] else None) == criterion[name]
        assert row["verdict"] == (criterion["verdict"] or "")
        assert (row["parent"] or None) == criterion["parent"]
    assert [row["level"] for row in rows[:3]] == ["0", "1", "2"]
    assert "open" in {row["verdict"] for row in rows}
    solve = next(row for row in rows if row["key"] == "solve")
    assert (solve["files"], solve["explanation"], solve["flags"]) == ("a.py", "half of it", "16")


def test_no_cell_of_csv_is_a_formula(hostile: RunPage) -> None:
    text = to_csv([hostile, hostile])
    text.encode("utf-8")
    rows = list(csv.reader(StringIO(text.removeprefix("\ufeff"), newline="")))
    assert len(rows) == 1 + 2 * 9
    assert {len(row) for row in rows} == {len(rows[0])}
    assert not [cell for row in rows for cell in row if cell[:1] in set("=+-@\t\r\n|%")]
    assert sum(cell.startswith("'=1+1") for row in rows for cell in row) == 6


def test_junit_tells_failures_errors_and_skipped_leaves_apart(page: RunPage) -> None:
    (suite,) = ElementTree.fromstring(to_junit([page]))
    cases = {case.get("name", "").partition(":")[0]: case for case in suite.iter("testcase")}
    assert set(cases) == set(LEAVES)
    told = {key: [child.tag for child in case] for key, case in cases.items()}
    assert told == {
        "solve": ["failure"], "prose": ["skipped"], "one": ["failure"], "two": ["error"],
        "run": [], "table": ["skipped"],
    }  # fmt: skip
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "6", "failures": "2", "errors": "1", "skipped": "2"}
    part = cases["solve"][0]
    assert (part.get("type"), part.get("message", "").split(", worth")[0]) == (
        "part",
        "part, score 50.0%",
    )
    assert cases["two"][0].get("type") == "infra"
    assert "it broke" in (cases["two"][0].text or "")
    values = {one.get("name"): one.get("value") for one in suite.iter("property")}
    assert float(values["low"] or "") == page.run["score"]["low"]


def test_junit_holds_what_xml_cannot(hostile: RunPage) -> None:
    text = to_junit([hostile, hostile])
    text.encode("utf-8")
    first, _ = ElementTree.fromstring(text)
    said = first.find(".//failure")
    assert said is not None
    assert "=1+1|`x`</script>\n@someone <img onerror=1>\u202e\\u{0}\\u{d800}]]>&\t\\" in (
        said.text or ""
    )


def test_markdown_leads_with_the_range_and_lists_what_was_lost(
    page: RunPage, material: RunMaterial
) -> None:
    text = to_markdown([page])
    score = material.report.score
    assert score.low is not None
    assert score.high is not None
    between = f"**Score between {100 * score.low:.1f}% and {100 * score.high:.1f}%**"
    assert between in text
    assert text.index(between) < text.index("if ungraded leaves count as 0")
    assert "done, but some leaves could not be graded" in text
    assert [node["key"] for node in lost_first(page)] == [
        key for key, _ in material.report.lost_first()
    ]
    assert "| `Code Development` | 0 | 1 | 1 | 2 | 0 |" in text
    assert "needs_model | `prose` `It is explained` |" in text
    assert "- W201 `" in text


def test_no_text_breaks_out_of_markdown(hostile: RunPage) -> None:
    text = to_markdown([hostile])
    assert not {"\0", "\u202e", "\ud800"} & set(text)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    for row in rows:
        bars = len(re.findall(r"(?<!\\)\|", row))
        assert bars in (4, 5, 10), row
        outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", row)
        assert "<" not in outside.replace("&lt;", "")
        assert "@" not in outside


@pytest.mark.parametrize(
    ("grades", "said"),
    [
        ({}, "**Score 100.0%**, every leaf that applies is graded"),
        (dict.fromkeys(LEAVES, Grade.not_applicable()), "**Score not applicable**"),
        (dict.fromkeys(LEAVES, Grade.ungradeable("not_run")), "between 0.0% and 100.0%"),
    ],
)
def test_markdown_says_what_kind_of_score_it_is(
    tmp_path: Path, grades: dict[str, Grade], said: str
) -> None:
    material = read_run(made(tmp_path, grades)[0])
    assert said in to_markdown([page_run(material)])
    renormalised = material.report.over(material.report.rubric, missing="renormalise")
    to_markdown([page_run(RunMaterial("r", "done", renormalised))])
    spoilt = RunMaterial("r", "done", material.report.disqualify("it copies"))
    assert "**Score 0.0%**, disqualified: `it copies`" in to_markdown([page_run(spoilt)])


def test_json_is_the_report_again(material: RunMaterial) -> None:
    report: Report = material.report
    text, hidden = to_json([material])
    assert json.loads(text) == report.to_dict()
    assert hidden == {"secrets": 0, "redacted": 0}
    masked, hidden = to_json([material, material], redact=["(?i)solve"])
    first, second = json.loads(masked)["reports"]
    assert first == second
    assert set(first["grades"]) == {"***", *LEAVES} - {"solve"}
    assert "solve" not in masked
    assert hidden["redacted"] > 0


def test_words_of_a_run_folder_are_not_taken_for_the_engines_own(tmp_path: Path) -> None:
    run, _ = made(tmp_path, {})
    facts, report = (json.loads((run / name).read_text()) for name in ("run.json", "report.json"))
    facts["status"] = "![x](http://elsewhere)"
    report["noted"].append(["W1 <b>\n\n# A title", "a message"])
    report["provenance"]["judge"]["name"] = {"not": "a text"}
    (run / "run.json").write_text(json.dumps(facts))
    (run / "report.json").write_text(json.dumps(report))
    text = to_markdown([page_run(read_run(run))])
    assert "not complete (`![x](http://elsewhere)`)" in text
    assert "- `W1 <b> # A title` `a message`" in text
    assert "Judge `{'not': 'a text'}`" in text


@pytest.mark.parametrize("start", ["\uff1d", "\uff0b", "\uff0d", "\uff20", "\ufeff=", "\u200b=",
                                   "\u00ad=", "\u061c=", "\u2066=", "\u202e="])  # fmt: skip
def test_a_formula_is_known_by_other_signs_as_well(page: RunPage, start: str) -> None:
    columns = page.run["nodes"]
    told = {**columns, "requirements": [f"{start}1+1" for _ in columns["key"]]}
    text = to_csv([replace(page, run={**page.run, "nodes": told})])
    rows = list(csv.DictReader(StringIO(text.removeprefix("\ufeff"), newline="")))
    assert {row["requirements"] for row in rows} == {f"'{start}1+1"}


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_a_report_with_what_is_no_number_of_json_is_damaged(tmp_path: Path, number: str) -> None:
    run, _ = made(tmp_path, {})
    path = run / "report.json"
    path.write_text(path.read_text().replace('"time": 3600.0', f'"time": {number}'))
    with pytest.raises(RunError, match="is no finite number"):
        read_run(run)


def test_no_cell_is_a_formula_where_semicolons_part_cells(page: RunPage) -> None:
    columns = page.run["nodes"]
    told = {**columns, "requirements": ["x;=1+1;\u2066@y; z" for _ in columns["key"]]}
    text = to_csv([replace(page, run={**page.run, "nodes": told})])
    rows = list(csv.DictReader(StringIO(text.removeprefix("\ufeff"), newline="")))
    assert {row["requirements"] for row in rows} == {"x;'=1+1;'\u2066@y; z"}
    cells = [cell for row in csv.reader(StringIO(text), delimiter=";") for cell in row]
    assert not any(cell.lstrip("\u2066 ")[:1] in ("=", "@") for cell in cells)
