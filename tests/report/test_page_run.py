"""The page data of a run: every figure is its report's."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rubric_engine import Grade
from rubric_engine.report import page_of, page_run, read_run
from rubric_engine.rundir import locked
from tests.report.made import GRADES, LEAVES, column, made


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("made"), GRADES)[0]


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


def test_runs_stand_in_one_page(run: Path) -> None:
    pages = [page_run(read_run(run)), page_run(read_run(run))]
    page = page_of(pages)
    assert (page["page"], page["kind"], len(page["runs"])) == (1, "runs", 2)
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


@pytest.mark.parametrize("name", ["receipts.jsonl", "execution.json", "executed.json"])
def test_a_pipe_in_the_folder_of_a_run_is_not_waited_for(tmp_path: Path, name: str) -> None:
    run, report = made(tmp_path, {})
    (run / name).unlink(missing_ok=True)
    os.mkfifo(run / name)
    assert page_run(read_run(run)).run["score"]["value"] == report.score.value
