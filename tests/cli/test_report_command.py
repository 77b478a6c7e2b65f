"""`report`, and the page that every grading leaves in its run's folder."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import stat
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from rubric_engine.testing import Fault, Request, ScriptedServer
from tests.cli.conftest import ROOT, Command
from tests.cli.paying import Paying, paying

__all__ = ["paying"]


@pytest.fixture
def graded(command: Command, rubric: Path, submission: Path) -> Command:
    """The command, with one finished run in its folder."""
    assert command("grade", submission, "--rubric", rubric, "--executed", "-q").code == 0
    return command


def data_of(text: str, name: str = "page") -> Any:
    """A block of data of a page."""
    found = re.search(rf'id="{name}">([^<]*)</script>', text)
    assert found, name
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def newest() -> Path:
    """The folder of the one run."""
    (run,) = (entry for entry in Path("runs").iterdir() if (entry / "run.json").is_file())
    return run


def test_a_grading_leaves_a_page_and_names_it(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = command("grade", submission, "--rubric", rubric, "--executed")
    assert f"page    {newest()}/report.html\n" in done.out
    page = data_of((newest() / "report.html").read_text())
    report = json.loads((newest() / "report.json").read_text())
    assert page["runs"][0]["score"] == report["score"]
    assert page["runs"][0]["status"] == "done"
    details = data_of((newest() / "report.html").read_text(), "run-0-chunk-0")
    assert set(details) == {"1", "2", "3"}
    again = command("resume", "latest", "--json").json
    assert again["files"]["report.html"] == f"{newest()}/report.html"


def test_a_page_that_cannot_be_written_fails_no_grading(
    command: Command, rubric: Path, submission: Path
) -> None:
    assert command("grade", submission, "--rubric", rubric, "--executed", "-q").code == 0
    (newest() / "report.html").unlink()
    (newest() / "report.html").mkdir()
    done = command("resume", "latest")
    assert done.code == 0
    assert "report.html was not written" in done.err
    assert "page  " not in done.out


def test_a_stopped_run_leaves_a_page_as_well(paying: Paying) -> None:
    def answer(request: Request) -> Fault | dict[str, object]:
        said = {"expectations": "e", "findings": "f", "citations": [], "searched": []}
        return {**said, "met": True}

    with ScriptedServer(answer=answer) as server:
        done = paying(server.base_url, "--max-cost", "0.0135", "--yes")
    assert done.code == 6
    page = data_of((newest() / "report.html").read_text())
    (run,) = page["runs"]
    assert (run["status"], run["complete"]) == ("stopped", False)
    assert run["stopped"]["code"].startswith("E6")
    assert f"page    {newest()}/report.html" in done.out
    assert run["judge"]["models"] == ["small"]
    details = data_of((newest() / "report.html").read_text(), "run-0-chunk-0")
    costs = [one["cost"] for one in details.values()]
    assert sum(cost or 0 for cost in costs) == pytest.approx(run["cost"]["usd"])
    out = paying.command("report", "latest", "--prompts", "-o", "-").out
    details = data_of(out, "run-0-chunk-0")
    asked = [one["asked"] for one in details.values() if "asked" in one]
    assert asked
    assert "Thing" in asked[0]["prompt"][-1]
    assert '"met"' in asked[0]["answer"]


def test_the_page_goes_where_it_is_told(graded: Command) -> None:
    assert graded("report", "latest").out == f"{newest()}/report.html\n"
    assert graded("report", "latest", "-o", "x.html").out == "x.html\n"
    out = graded("report", "latest", "-o", "-").out
    assert out == Path("x.html").read_text()
    two = graded("report", "latest", newest(), "--json", "-o", "y.html").json
    assert (two["file"], two["exit_code"]) == ("y.html", 0)
    assert two["bytes"] == Path("y.html").stat().st_size


def test_a_run_is_given_twice_and_shown_once(graded: Command) -> None:
    run = newest()
    graded("report", str(run), run.name[-4:], "-o", "z.html")
    assert len(data_of(Path("z.html").read_text())["runs"]) == 1


@pytest.mark.parametrize("form", ["md", "csv", "json", "junit"])
def test_other_formats_go_to_stdout(graded: Command, form: str) -> None:
    done = graded("report", "latest", "--format", form)
    assert done.code == 0
    report = json.loads((newest() / "report.json").read_text())
    if form == "json":
        assert done.json == report
        assert done.out.encode() == (newest() / "report.json").read_bytes()
    elif form == "junit":
        assert len(list(ElementTree.fromstring(done.out).iter("testcase"))) == 3
    else:
        assert "prose" in done.out


def test_what_is_hidden_is_told(graded: Command, submission: Path) -> None:
    done = graded("report", "latest", "--format", "md", "--redact", "README", "-o", "a.md")
    assert "README" not in Path("a.md").read_text()
    assert re.fullmatch(r"hidden  \d+ places? that --redact names\n", done.err)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("report", "latest", "--redact", "("), 2, "E013"),
        (("report", "nowhere"), 3, "E521"),
        (("report", "latest", "--format", "md", "--json"), 2, "-o FILE"),
        (("report", "latest", "--labels", "."), 3, "E510"),
        (("report", "latest", "-o", "no/such/folder/x.html"), 9, "no/such/folder"),
    ],
)
def test_what_does_not_fit_is_refused(
    graded: Command, words: tuple[str, ...], code: int, said: str
) -> None:
    done = graded(*words)
    assert done.code == code
    assert said in done.err + done.out


@pytest.mark.parametrize("name", ["report.json", "judge/judge.yaml"])
def test_nothing_that_a_run_keeps_is_replaced(graded: Command, name: str) -> None:
    before = (newest() / name).read_bytes()
    done = graded("report", "latest", "--format", "csv", "-o", newest() / name)
    assert done.code == 2
    assert (newest() / name).read_bytes() == before


def test_labels_beside_the_submission_are_shown(command: Command) -> None:
    case = ROOT / "judgeeval" / "count-min-partial"
    how = ("--task", "count-min", "--judge", "all-met", "--executed", "-q")
    assert command("grade", case / "submission", *how).code in (0, 5)
    human = data_of((newest() / "report.html").read_text())["runs"][0]["nodes"]["human"]
    assert {"met", "not_met"} <= set(human)
    (newest() / "labels.jsonl").unlink()
    command("report", "latest", "-o", "bare.html")
    bare = data_of(Path("bare.html").read_text())["runs"][0]["nodes"]["human"]
    assert set(bare) == {None}
    command("report", "latest", "--labels", case, "-o", "with.html")
    assert data_of(Path("with.html").read_text())["runs"][0]["nodes"]["human"] == human
    other = ROOT / "judgeeval" / "heavy-ball-full"
    assert command("report", "latest", "--labels", other).code == 3
    twin = ROOT / "judgeeval" / "count-min-wrong"
    for labels in (twin, twin / "labels.yaml"):
        done = command("report", "latest", "--labels", labels, "-o", "twin.html")
        assert (done.code, "E510" in done.err, Path("twin.html").exists()) == (3, True, False)


def test_a_run_page_fits_80_columns_where_it_is_printed(graded: Command) -> None:
    for words in (("report", "latest"), ("report", "--help"), ("report", "latest", "-o", "q.html")):
        done = graded(*words)
        shown = [line for line in done.out.splitlines() if "/" not in line]
        assert [line for line in shown if len(line) > 80] == []


def test_a_pipe_is_written_to_and_stays_one(graded: Command) -> None:
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert graded("report", "latest", "--format", "md", "-o", "pipe").code == 0
        assert os.read(reader, 10).startswith(b"### ")
        assert stat.S_ISFIFO(Path("pipe").stat().st_mode)
    finally:
        os.close(reader)
