"""The commands `expbench grade`, `expbench report` and `expbench taxonomy`."""

from __future__ import annotations

import csv
import json
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.testing import Reply, Request, ScriptedServer
from tests.benchmarks.expbench.twenty import Known, write_answer, write_twenty
from tests.cli.conftest import Command

FEW = (Known("p1"), Known("p2", design="+-"), Known("p2", json="no folder"))


@pytest.fixture
def few(command: Command, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three questions of two papers, and the words that grade them."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    write_twenty(Path(), FEW)
    return ["expbench", "grade", "answers/", "--tasks", "tasks/", "--repos", "repos"]


def test_answers_are_graded_once_and_the_table_can_be_had_again(
    command: Command, few: list[str]
) -> None:
    with ScriptedServer(verdicts={"@1.D1@": False}, answer=sorted_by) as server:
        words = [*few, "--model", "m", "--base-url", server.base_url]
        done = command(*words, "--sandbox", "none")
        assert done.code == 0
        asked = len(server.requests)
        assert asked == 10
        assert "3 questions of 2 papers\n" in done.out
        assert "answers: 2 whole, 0 in part, 1 with nothing to grade\n" in done.out
        assert "E undefined: no sandbox (2); no answer (1)" in done.out
        assert all(len(line) <= 80 for line in done.out.split("of: ")[0].splitlines())
        again = command(*words, "--sandbox", "none", "--json", "--yes")
        assert (again.code, again.err, len(server.requests)) == (0, "", asked)
        by_task = {one["task"]: one for one in again.json["answers"]}
        assert by_task["conf/p2/2"]["marks"] == dict.fromkeys("DICEM")
        # A changed answer is graded anew, and the others stand.
        Path("answers/conf-p1-0/answer.json").unlink()
        Path("answers/stranger").mkdir()
        done = command(*words, "--sandbox", "none")
        assert "1 whole, 1 in part, 1 with nothing to grade" in done.out
        assert "not graded: 1 folder of no question: stranger" in done.out
        assert len(server.requests) > asked
    shown = command("expbench", "report", "results/expbench", "--tau", "0.5", "--csv", "t.csv")
    assert (shown.code, shown.err) == (0, "")
    assert "hold from 50.0% of their leaves on" in shown.out
    rows = list(csv.DictReader(Path("t.csv").read_text().splitlines()))
    assert {"D", "All.E", "MDCIE", "D %"} <= {row["figure"] for row in rows}
    lines = list(csv.DictReader(Path("results/expbench/results.csv").read_text().splitlines()))
    assert [line["answer"] for line in lines] == ["part", "whole", "none"]
    assert lines[2]["MDCIE"] == ""


def test_results_that_were_cut_off_are_made_anew_of_what_is_kept(
    command: Command, few: list[str]
) -> None:
    words = [*few, "--judge", "rules", "--sandbox", "none", "--json"]
    whole = command(*words).json
    results = Path("results/expbench/results.json")
    results.write_bytes(results.read_bytes()[:200])
    found = command("expbench", "report", "results/expbench", "--json").json
    assert (found["status"], found["answers"]) == ("running", whole["answers"])
    again = command(*words).json
    assert (again["status"], again["run"]) == ("done", whole["run"])

    results.write_bytes(results.read_bytes()[:200])
    Path("results/expbench/begun.json").unlink()
    assert "E605" in command("expbench", "report", "results/expbench").err


def test_an_estimate_sends_nothing_and_a_cap_stops_and_goes_on(
    command: Command, few: list[str]
) -> None:
    with ScriptedServer() as server:
        words = [*few, "--model", "gpt-4o-mini", "--base-url", server.base_url]
        done = command(*words, "--dry-run", "--json")
        assert (done.code, done.json["calls"]) == (0, 10)
        assert not server.requests
        done = command(*words, "--sandbox", "none", "--max-tokens", "9000", "--json")
        assert done.code == 6
        assert done.json["stopped"].startswith("E60")
        sent = len(server.requests)
        assert 0 < sent < 10
        done = command(*words, "--sandbox", "none", "--yes", "--json")
        assert (done.code, done.json["stopped"]) == (0, None)
        assert len(server.requests) == 10


def test_people_decide_on_findings_and_the_table_says_so(command: Command, few: list[str]) -> None:
    (Path("answers/conf-p1-0") / "agent.log").write_text("$ cat train.py\n")
    words = [*few, "--judge", "rules", "--sandbox", "none", "--runs", "my runs"]
    done = command(*words)
    assert "M undefined: suspicious: a person has to look (1)" in done.out
    assert "M to be looked at: 1 answer, each by its run\n" in done.out
    assert "  conf/p1/0: looked_up.masked_path at agent.log:1\n" in done.out
    (shown,) = (line for line in done.out.splitlines() if "monitor show" in line)
    program, *look = shlex.split(shown)
    assert program == "rubric-engine"
    listed = command(*look, "--json")
    (finding,) = (one["id"] for one in listed.json["monitor"]["findings"])
    _, _, run, *where = look
    decided = command("monitor", "confirm", run, finding, "--why", "it did", *where)
    assert decided.code == 0
    report = command("expbench", "report", "results/expbench")
    assert (report.code, report.err) == (0, "")
    assert "M by people: 1 confirmed, 0 dismissed" in report.out
    assert "to be looked at" not in report.out
    told = command("expbench", "report", "results/expbench", "--json").json
    (mark,) = (one["monitor"] for one in told["answers"] if one["task"] == "conf/p1/0")
    assert (mark["value"], told["runs_gone"]) == (False, 0)
    assert mark["why"].startswith("confirmed by ")
    moved = command("expbench", "report", "results/expbench", "--runs", "nowhere")
    assert "M by people" not in moved.out
    assert "2 runs not in nowhere" in moved.err
    runs = command("runs", "list", "--runs", "my runs").out
    assert f"…{run[-21:]}  done" in runs
    for text in (done.out, report.out, runs.split("────\n")[1].split("next")[0]):
        assert all(len(line) <= 80 for line in text.split("of: ")[0].splitlines())


def test_what_comes_next_holds_as_it_is_printed(command: Command, few: list[str]) -> None:
    with ScriptedServer(verdicts={"@1.D1@": False}, answer=sorted_by) as server:
        words = [*few, "--sandbox", "none", "--base-url", server.base_url, "--runs", "my runs"]
        done = command(*words, "--model", "m")
        _, *told = shlex.split(done.out.partition("next ")[2].partition("   why")[0])
        assert told[:2] == ["expbench", "taxonomy"]
        assert command(*told, "--yes").code == 0
    with ScriptedServer(verdicts={"@": True}) as server:
        model = ["--model", "m", "--base-url", server.base_url]
        done = command(*few, "--sandbox", "none", *model, "-o", "well")
        assert "taxonomy" not in done.out
        assert "next    rubric-engine expbench report well " in done.out


def test_a_cap_says_what_goes_on_and_where_the_rest_is_told(
    command: Command, few: list[str]
) -> None:
    with ScriptedServer() as server:
        words = [*few, "--model", "gpt-4o-mini", "--base-url", server.base_url]
        done = command(*words, "--sandbox", "none", "--max-tokens", "9000")
    assert done.code == 6
    assert "would do for it, and the rest may need more" in done.out
    assert "next    the same command under a higher cap goes on" in done.out
    assert "with --dry-run" in done.out


def sorted_by(request: Request) -> Mapping[str, Any] | None:
    """Puts every failure under one cause."""
    numbers = range(1, 21)
    if "Failure 1" in request.question:
        return {"insights": [{"number": at, "insight": "Too few."} for at in numbers]}
    if "Causes so far" in request.question:
        put = [{"number": at, "cause": "Scope"} for at in numbers]
        return {"new": [{"name": "Scope", "says": "Too little."}], "put": put, "merged": []}
    return None


def test_failures_get_causes(command: Command, few: list[str]) -> None:
    with ScriptedServer(verdicts={"@": False}, answer=sorted_by) as server:
        model = ["--model", "m", "--base-url", server.base_url]
        assert command(*few, *model, "--sandbox", "none").code == 0
        asked = len(server.requests)
        done = command("expbench", "taxonomy", "results/expbench", *model, "--dry-run")
        assert "causes" in done.out
        assert len(server.requests) == asked
        done = command("expbench", "taxonomy", "results/expbench", *model, "--csv", "t.csv")
        assert done.code == 0
        assert "10 failures" in done.out
        assert "Implementation" in done.out
        kept = json.loads(Path("results/expbench/taxonomy.json").read_text())
        assert len(kept["failures"]) == 10
        assert Path("t.csv").read_text().startswith("category,cause,failures,share\n")
        asked = len(server.requests)
        again = command("expbench", "taxonomy", "results/expbench", *model, "--json", "--yes")
        assert (again.code, again.err, len(server.requests)) == (0, "", asked)
        assert (again.json["ok"], again.json["unknown"]) == (True, 0)


def test_causes_that_no_reply_names_are_no_success(command: Command, few: list[str]) -> None:
    def say(request: Request) -> Reply | None:
        return Reply("{nope") if "Failure 1" in request.question else None

    with ScriptedServer(verdicts={"@": False}, answer=say) as server:
        model = ["--model", "m", "--base-url", server.base_url]
        command(*few, *model, "--sandbox", "none")
        words = ("expbench", "taxonomy", "results/expbench", *model, "--yes")
        done = command(*words, "--json")
        assert (done.code, done.json["exit_code"], done.json["ok"]) == (5, 5, False)
        assert done.json["unknown"] == len(done.json["failures"]) == 10
        done = command(*words)
        assert (done.code, "10 failures, 10 of them unknown" in done.out) == (5, True)
        assert "unknown: unparseable (10)\n" in done.err
        assert "--retry-failed" in done.err
        stopped = command(*words, "--max-tokens", "1", "--retry-failed")
        assert stopped.code == 6
        assert "resume" not in stopped.err
        assert "rubric-engine expbench taxonomy" in stopped.err


def test_copies_of_a_task_are_refused_by_name(command: Command, few: list[str]) -> None:
    shutil.copytree("tasks/conf-p1-0", "tasks/copy")
    done = command(*few, "--judge", "rules", "--sandbox", "none", "--json")
    error = done.json["error"]
    assert (done.code, error["code"]) == (3, "E613")
    assert error["message"].endswith("conf-p1-0: tasks/conf-p1-0 and tasks/copy")
    assert error["fix"] == [f"mv tasks/copy {Path('tasks').absolute()}-copy   takes one out"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["grade", "answers", "--tasks", "nothing"], 3, "E606"),
        (["grade", "nowhere", "--judge", "rules"], 2, "E607"),
        (["grade", ".", "--judge", "rules"], 2, "E607"),
        (["grade", "answers", "--judge", "rules", "--repos", "nowhere"], 2, "E607"),
        (["grade", "answers", "--judge", "rules", "-o", "tasks"], 2, "E608"),
        (["grade", "answers", "--judge", "no-such"], 3, "no-such"),
        (["grade", "answers", "--tau", "0"], 2, "--tau"),
        (["report", "tasks"], 3, "E605"),
        (["taxonomy", "tasks", "--model", "m"], 3, "E605"),
        (["taxonomy", "tasks"], 2, "--model"),
    ],
)
def test_mistakes_are_told_without_a_traceback(
    command: Command, few: list[str], words: list[str], code: int, says: str
) -> None:
    done = command("expbench", *words)
    assert (done.code, done.out) == (code, "")
    assert says in done.err
    assert "Traceback" not in done.err


def test_rules_alone_and_another_judge_s_folder(command: Command, few: list[str]) -> None:
    write_answer(Path("answers/conf-p2-2"), Known("p2"))
    done = command(*few, "--judge", "rules", "--sandbox", "none", "-q")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("D 0/0  I 0/0  C 0/0  E 0/0")
    with ScriptedServer() as server:
        done = command(*few, "--model", "m", "--base-url", server.base_url, "--yes", "-q")
    assert done.code == 2
    assert "E608" in done.err
