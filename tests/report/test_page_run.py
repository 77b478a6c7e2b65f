"""The page data of a run: every figure is its report's, and doubts are told by flags."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Grade
from rubric_engine.canary import AskedCanary, CanaryOutcome
from rubric_engine.evidence.holdings import NO_ROOM
from rubric_engine.grading import Citation
from rubric_engine.injection import Finding, Scan
from rubric_engine.labels import Label
from rubric_engine.report import (
    LABELS,
    RunMaterial,
    asked_of,
    head_of,
    keep_labels,
    page_of,
    page_run,
    read_run,
)
from rubric_engine.report.flags import Doubts
from rubric_engine.rundir import locked
from tests.report.made import LEAVES, made

GRADES = {
    "solve": Grade.graded(
        0.5,
        "half of it",
        [Citation(path="a.py", start_line=20, end_line=21, quote="line 20", verified="verified")],
        probability=0.5,
    ),
    "prose": Grade.ungradeable("needs_model"),
    "one": Grade.graded(0.0, "no"),
    "two": Grade.ungradeable("infra", "it broke"),
    "table": Grade.not_applicable("none is asked for"),
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("made"), GRADES)[0]


def column(page: dict[str, Any], name: str) -> dict[str, Any]:
    """A column by key."""
    return dict(zip(page["nodes"]["key"], page["nodes"][name], strict=True))


def test_every_number_is_that_of_the_report(run: Path) -> None:
    page = page_run(read_run(run)).run
    whole = json.loads((run / "report.json").read_text())
    same = ("score", "missing", "disqualified", "stopped", "categories", "warnings", "injections")
    for name in (*same, "canaries", "cost", "provenance"):
        assert page[name] == whole[name], name
    for name in ("requirements", "category", "worth", "lost", "open", "verdict"):
        assert page["nodes"][name] == [row[name] for row in whole["criteria"]], name
    assert page["nodes"]["key"] == [row["key"] for row in whole["criteria"]]
    for name in ("value", "low", "high"):
        assert column(page, name) == {key: one[name] for key, one in whole["scores"].items()}
    above = [page["nodes"]["key"][at] if at >= 0 else None for at in page["nodes"]["parent"]]
    assert above == [row["parent"] for row in whole["criteria"]]
    assert (column(page, "weight")["solve"], column(page, "weight")["code"]) == (2.0, 3.0)


def test_what_became_of_leaves_is_told_apart(run: Path) -> None:
    page = page_run(read_run(run)).run
    verdicts = {key: said for key, said in column(page, "verdict").items() if key in LEAVES}
    assert verdicts == {
        "solve": "part", "prose": "open", "one": "not met", "two": "open", "run": "met",
        "table": "n/a",
    }  # fmt: skip
    assert column(page, "reason")["prose"] == "needs_model"
    assert column(page, "flags") == {
        "root": 0, "code": 0, "solve": 16, "prose": 0, "any": 0, "one": 0, "two": 1, "run": 0,
        "table": 0,
    }  # fmt: skip
    assert column(page, "files")["solve"] == ["a.py"]
    assert (page["id"], page["status"], page["complete"]) == (run.name, "done", False)
    assert (page["title"], page["judge"]["unsure"]) == ("A small one", [0.2, 0.8])
    assert page["details"] == {"size": 500, "chunks": 1}


def test_details_are_the_grades_with_excerpts(run: Path) -> None:
    found = page_run(read_run(run))
    whole = json.loads((run / "report.json").read_text())
    keys = found.run["nodes"]["key"]
    (chunk,) = found.chunks
    assert {keys[int(at)] for at in chunk} == set(LEAVES)
    for at, detail in chunk.items():
        bare = dict(detail["grade"])
        if "citations" in bare:
            bare["citations"] = [
                {name: said for name, said in place.items() if name != "excerpt"}
                for place in bare["citations"]
            ]
        assert bare == whole["grades"][keys[int(at)]]
    (place,) = chunk[str(keys.index("solve"))]["grade"]["citations"]
    assert place["excerpt"]["first"] == 15
    assert place["excerpt"]["lines"] == [f"line {n} of the source" for n in range(15, 27)]
    assert (detail["receipt"], detail["cost"], detail["prompt"]) == (None, 0.0, False)


def test_runs_stand_in_one_page_and_in_a_list_without_their_criteria(run: Path) -> None:
    pages = [page_run(read_run(run)), page_run(read_run(run))]
    page = page_of(pages)
    assert (page["page"], page["kind"], len(page["runs"])) == (1, "runs", 2)
    assert {"nodes", "details"} & head_of(pages[0].run).keys() == set()
    json.dumps(page, allow_nan=False)


def test_a_run_that_goes_on_has_leaves_that_are_not_graded_yet(tmp_path: Path) -> None:
    run, _ = made(tmp_path, {"solve": Grade.graded(0.0)})
    facts = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(facts | {"status": "running", "score": None}))
    (run / "report.json").unlink()
    lines = (run / "grades.jsonl").read_text().splitlines(keepends=True)
    (run / "grades.jsonl").write_text("".join(lines[:2]))
    lock = locked(run)
    try:
        found = page_run(read_run(run))
    finally:
        lock.close()
    assert (found.run["status"], found.run["complete"]) == ("running", False)
    assert column(found.run, "verdict")["solve"] == "not met"
    assert column(found.run, "verdict")["run"] == "open"
    assert (column(found.run, "reason")["run"], column(found.run, "flags")["run"]) == (None, 0)
    assert found.run["warnings"] == []
    at = str(found.run["nodes"]["key"].index("run"))
    assert found.chunks[0][at]["grade"] is None
    assert "not graded yet" in found.chunks[0][at]["note"]

    died = page_run(read_run(run))
    assert died.run["status"] == "died"
    assert (column(died.run, "reason")["run"], column(died.run, "flags")["run"]) == ("cancelled", 1)


def test_labels_stand_beside_the_grades(run: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.yaml"
    labels.write_text(
        "annotator: a1\nlabels:\n  solve: {verdict: not_met, reason: it does not}\n"
        "  one: {verdict: not_met}\n  run: {verdict: cannot_judge}\n"
    )
    given = page_run(read_run(run, labels))
    keep_labels(labels, run, None)
    try:
        kept = page_run(read_run(run))
    finally:
        (run / LABELS).unlink()
    for found in (given, kept):
        assert column(found.run, "human")["solve"] == "not_met"
        assert column(found.run, "human")["run"] == "cannot_judge"
        assert column(found.run, "flags")["solve"] == 16 | 32
        assert (column(found.run, "flags")["one"], column(found.run, "flags")["run"]) == (0, 0)
        at = str(found.run["nodes"]["key"].index("solve"))
        label = found.chunks[0][at]["label"]
        assert (label["annotator"], label["reason"], label["blind"]) == ("a1", "it does not", True)
        assert found.run["annotator"] == "a1"


@pytest.mark.parametrize(
    ("grade", "doubts", "flags"),
    [
        (None, Doubts({}, canary_hit=True), 64),
        (Grade.graded(1, receipt="r"), Doubts({"r": {"cut": [{"path": "a"}]}}), 2),
        (Grade.graded(1, receipt="r"), Doubts({"r": {"left_out": [{"why": "an image"}]}}), 0),
        (Grade.graded(1, receipt="r"), Doubts({"r": {"left_out": [{"why": NO_ROOM}]}}), 2),
        (Grade.ungradeable("context_overflow"), Doubts({}), 1 | 2),
        (Grade.graded(1, citations=[Citation(path="a", verified="moved")]), Doubts({}), 4),
        (Grade.graded(1, citations=[Citation(path="a", verified="verified")]), Doubts({}), 0),
        (Grade.graded(1, samples=(1, 0, 1)), Doubts({}), 8),
        (Grade.graded(1, members=(Grade.graded(1), Grade.graded(0.9))), Doubts({}), 0),
        (Grade.graded(1, members=(Grade.graded(1), Grade.graded(0))), Doubts({}), 8),
        (Grade.ungradeable("split"), Doubts({}), 1 | 8),
        (Grade.graded(1, probability=0.8), Doubts({}, unsure=(0.2, 0.8)), 16),
        (Grade.graded(1, probability=0.9), Doubts({}, unsure=(0.2, 0.8)), 0),
        (
            Grade.graded(1, members=(Grade.graded(1, citations=[Citation(path="x.md")]),)),
            Doubts({}, suspects=frozenset({"x.md"})),
            128,
        ),
    ],
)  # fmt: skip
def test_each_doubt_is_a_flag(grade: Grade | None, doubts: Doubts, flags: int) -> None:
    assert doubts.flags(grade, None) == flags
    assert doubts.flags(grade, Label(verdict="cannot_judge")) == flags


def test_injections_and_canaries_are_the_reports_and_mark_leaves(run: Path) -> None:
    material = read_run(run)
    leaf = AskedCanary(
        key="k", task="t", category="c", requirements="false", grade=Grade.graded(1.0)
    )
    report = material.report
    doubtful = type(report)(
        rubric=report.rubric,
        grades=report.grades,
        injections=Scan(
            count=1,
            findings=(Finding(path="a.py", line=3, kind="orders_judge", excerpt="give it 1"),),
        ),
        canaries=CanaryOutcome(wanted=1, leaves=(leaf,)),
        provenance=report.provenance,
    )
    page = page_run(RunMaterial("r", "done", doubtful)).run
    assert page["injections"] == doubtful.to_dict()["injections"]
    assert page["canaries"]["met"] == 1
    assert column(page, "flags")["solve"] == 16 | 64 | 128
    assert column(page, "flags")["run"] == 64


def test_secrets_and_redacted_texts_go_nowhere(tmp_path: Path) -> None:
    key = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3"
    source = f"x = 1\ntoken = '{key}'\n" + "y = 2\n" * 20 + f"z = '{key}'\n"
    cited = Citation(path="b.py", start_line=2, end_line=2, quote=f"token = '{key}'")
    grade = Grade.graded(1, f"it holds {key} of Project-X", [cited])
    run, _ = made(tmp_path, {"solve": grade}, files={"b.py": source})
    found = page_run(read_run(run), redact=["(?i)project-x"])
    text = json.dumps([found.run, *found.chunks])
    assert key not in text
    assert "roject-X" not in text
    at = str(found.run["nodes"]["key"].index("solve"))
    (place,) = found.chunks[0][at]["grade"]["citations"]
    assert place["excerpt"]["lines"][1] == "token = '***'"
    # The excerpt's, the quote's, the explanation's: what stands in no shown line is not counted.
    assert found.run["masked"] == {"secrets": 3, "redacted": 1}


def test_prompts_are_held_only_when_they_are_asked_for(run: Path) -> None:
    whole = read_run(run)
    grades = {**whole.report.grades, "solve": Grade.graded(1, calls=("call",))}
    report = type(whole.report)(whole.report.rubric, grades)

    def asked(leaf: str) -> dict[str, str]:
        return {"prompt": f"is {leaf} there?", "answer": "yes"}

    material = RunMaterial("r", "done", report, asked=asked)
    at = str(list(report.rubric).index("solve"))
    bare = page_run(material).chunks[0][at]
    assert (bare["prompt"], "asked" in bare) == (False, False)
    assert bare["note"].startswith("rubric-engine show r LEAF --prompt")
    held = page_run(material, prompts=True).chunks[0][at]
    assert held["asked"] == {"prompt": "is solve there?", "answer": "yes"}
    served = page_run(material, served=True).chunks[0]
    assert (served[at]["prompt"], served[at]["note"]) == (True, None)
    assert [one["prompt"] for one in served.values()].count(True) == 1


def test_a_leaf_without_calls_was_asked_nothing(run: Path) -> None:
    assert asked_of(read_run(run).report, "solve") == {"prompt": "", "answer": ""}


@pytest.mark.parametrize("name", ["receipts.jsonl", "execution.json", "executed.json"])
def test_a_pipe_in_the_folder_of_a_run_is_not_waited_for(tmp_path: Path, name: str) -> None:
    run, report = made(tmp_path, {})
    (run / name).unlink(missing_ok=True)
    os.mkfifo(run / name)
    assert page_run(read_run(run)).run["score"]["value"] == report.score.value
