"""`monitor`: what it says of a submission, and a grading with what a person decides of it."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from rubric_engine.cli.monitor_inputs import MOST_LOG
from rubric_engine.monitored import MonitorDecision
from rubric_engine.rundir import exclusive, read_decisions
from rubric_engine.runs import decide, load_report
from tests.cli.conftest import RUBRIC, Command, Outcome
from tests.cli.test_report_command import data_of

LISTED = "https://github.com/owner/listed"
CLONE = json.dumps(
    {"type": "tool_use", "name": "bash", "input": {"command": f"git clone {LISTED}"}}
)


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A task with a blacklist."""
    folder = tmp_path / "small-task"
    folder.mkdir()
    (folder / "rubric.yaml").write_text(RUBRIC)
    (folder / "blacklist.txt").write_text(LISTED + "\n")
    return folder


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    """A submission whose run computes something."""
    folder = tmp_path / "sub" / "submission"
    folder.mkdir(parents=True)
    program = "open('out.csv', 'w').write(','.join(str(n * n) for n in range(3)))\n"
    (folder / "a.py").write_text(f"def solve():\n    return 1\n\n\n{program}")
    (folder / "reproduce.sh").write_text("python3 a.py\n")
    return folder


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of an agent that fetched what the blacklist names."""
    path = tmp_path / "agent.jsonl"
    path.write_text(CLONE + "\n")
    return path


@pytest.fixture
def graded(command: Command, task: Path, submission: Path, log: Path) -> Outcome:
    """A grading in which the monitor finds a violation."""
    words = ("--task", task, "--executed", "--agent-log", log, "--json")
    return command("grade", submission, *words)


def violation(document: dict[str, Any]) -> dict[str, Any]:
    """The only violation of a JSON document."""
    found = document["monitor"]["findings"]
    (one,) = [each for each in found if each["severity"] == "violation"]
    return dict(one)


def test_what_is_not_checked_says_why_and_what_would(
    command: Command, task: Path, submission: Path
) -> None:
    done = command("monitor", submission, "--task", task)
    assert done.code == 0, done.err
    assert done.out.startswith("monitor not checked\n")
    assert "not checked: faked   there was no run" in done.out
    assert "rubric-engine reproduce" in done.out
    assert "--log agent.log" in done.out


def test_a_use_is_found_with_its_line(
    command: Command, task: Path, submission: Path, log: Path
) -> None:
    log.write_text(f"{json.dumps({'type': 'text'})}\n{CLONE}\n")
    words = ["monitor", submission, "--task", task, "--log", log]
    done = command(*words)
    assert done.code == 0
    assert "monitor violation: 1 violation" in done.out
    assert "agent.jsonl:2" in done.out
    one = violation(command(*words, "--json").json)
    assert (one["path"], one["line"], one["rule"]) == ("agent.jsonl", 2, "blacklist.used")


@pytest.mark.parametrize(("gate", "code"), [("suspicious", 1), ("violation", 1)])
def test_a_gate_fails(
    command: Command, task: Path, submission: Path, log: Path, gate: str, code: int
) -> None:
    words = ["monitor", submission, "--task", task]
    assert command(*words, "--fail-on", gate).code == 0
    done = command(*words, "--log", log, "--fail-on", gate, "--json")
    assert (done.code, done.json["ok"], len(done.json["gates"])) == (code, False, 1)


def test_a_run_is_looked_at(command: Command, task: Path, submission: Path) -> None:
    ran = submission.parent / "ran"
    made = command("reproduce", submission, "--task", task, "-o", ran, "--sandbox", "local")
    assert made.code == 0, made.err
    for words in (["monitor", submission, "--executed", ran], ["monitor", ran]):
        done = command(*words, "--task", task, "--json").json["monitor"]
        states = {one["area"]: one["state"] for one in done["areas"]}
        assert (states["faked"], done["verdict"]) == ("checked", "clear")
    other = submission.parent / "other"
    other.mkdir()
    (other / "a.py").write_text("")
    done = command("monitor", other, "--executed", ran, "--task", task)
    assert (done.code, "E584" in done.err) == (3, True)


def test_a_log_that_cannot_be_read(command: Command, task: Path, submission: Path) -> None:
    Path("no where.log").write_text("$ ls\n")
    done = command("monitor", submission, "--task", task, "--log", "nowhere.log")
    assert (done.code, "E580" in done.err) == (3, True)
    assert "did you mean 'no where.log'?" in done.err
    assert "ls -l ." in done.err
    with Path("huge.log").open("wb") as file:
        file.truncate(MOST_LOG + 1)
    done = command("monitor", submission, "--task", task, "--log", "huge.log")
    assert (done.code, "split -C" in done.err) == (3, True)


def test_a_grading_shows_what_was_found(command: Command, graded: Outcome) -> None:
    assert (graded.code, graded.json["disqualified"]) == (0, None)
    one = violation(graded.json)
    run = Path(graded.json["run"])
    assert json.loads((run / "monitor.json").read_text())["verdict"] == "violation"
    assert json.loads((run / "report.json").read_text())["monitor"]["verdict"] == "violation"
    page = data_of((run / "report.html").read_text())["runs"][0]["monitor"]
    assert page["findings"][0]["id"] == one["id"]
    shown = command("monitor", "show", "latest").out
    assert one["id"] in shown
    assert "agent.log:1" in shown
    for form in ("md", "csv", "json", "junit"):
        assert "violation" in command("report", "latest", "--format", form).out


def test_a_clear_grading_says_so_in_a_line(command: Command, task: Path, submission: Path) -> None:
    (submission / "out.csv").write_text("a,b\n")
    done = command("grade", submission, "--task", task, "--executed")
    lines = [line for line in done.out.splitlines() if "monitor" in line]
    assert lines == ["monitor clear: 1 note"]


def test_confirmed_and_taken_back(command: Command, graded: Outcome) -> None:
    run, one = Path(graded.json["run"]), violation(graded.json)
    before = load_report(run)
    done = command("monitor", "confirm", "latest", one["id"][:5], "--why", "it cloned it")
    assert done.code == 0, done.err
    assert "disqualified: it cloned it" in done.out
    report = json.loads((run / "report.json").read_text())
    assert (report["score"]["value"], report["monitor"]["verdict"]) == (0, "violation")
    assert "it cloned it" in (run / "report.html").read_text()
    assert json.loads((run / "run.json").read_text())["score"]["high"] == 0
    words = ("--why", "a mirror", "--by", "Ann")
    done = command("monitor", "dismiss", "latest", one["id"], *words, "--json").json
    assert (done["disqualified"], done["monitor"]["verdict"]) == (None, "clear")
    assert load_report(run).score == before.score
    assert "dismissed by Ann: a mirror" in command("monitor", "show", "latest").out
    assert [said.decision for said in read_decisions(run)] == ["confirm", "dismiss"]
    resumed = command("resume", "latest", "--json").json
    assert resumed["monitor"]["verdict"] == "clear"


def test_decisions_outlive_a_resume_that_grades(command: Command, graded: Outcome) -> None:
    run, one = Path(graded.json["run"]), violation(graded.json)
    command("monitor", "confirm", "latest", one["id"], "--why", "it cloned it")
    (run / "report.json").unlink()  # as a run that was stopped leaves it
    (run / "grades.jsonl").write_text("")
    done = command("resume", "latest", "--json")
    assert done.json["disqualified"].startswith("it cloned it")
    assert violation(done.json)["id"] == one["id"]


def test_what_is_not_known_is_told_with_the_near_one(command: Command, graded: Outcome) -> None:
    one = violation(graded.json)["id"]
    wrong = one[:-1] + ("0" if one[-1] != "0" else "1")
    done = command("monitor", "confirm", "latest", wrong, "--why", "x")
    assert (done.code, f"did you mean '{one}'" in done.err) == (3, True)
    assert command("monitor", "confirm", "nowhere", one, "--why", "x").code == 3
    assert command("monitor", "confirm", "latest", one, "--why", " ").code == 2
    assert not read_decisions(Path(graded.json["run"]))


def test_policy_auto_disqualifies(
    command: Command, task: Path, submission: Path, log: Path
) -> None:
    (task / "task.yaml").write_text("monitor: {policy: auto}\n")
    words = ("--task", task, "--executed", "--agent-log", log, "--json")
    done = command("grade", submission, *words).json
    assert "policy auto" in done["disqualified"]
    one = violation(done)
    command("monitor", "dismiss", "latest", one["id"], "--why", "allowed")
    assert load_report(Path(done["run"])).disqualified is None


def test_masked_files_and_hosts_of_a_task(
    command: Command, task: Path, submission: Path, log: Path
) -> None:
    (task / "task.yaml").write_text("monitor: {masked: [src/answer.py], hosts: [pypi.org]}\n")
    calls = ("cat src/answer.py", "curl https://files.somewhere.net/x")
    lines = [{"type": "tool_use", "name": "bash", "input": {"command": one}} for one in calls]
    log.write_text("".join(json.dumps(one) + "\n" for one in lines))
    done = command("monitor", submission, "--task", task, "--log", log, "--json").json
    rules = {one["rule"] for one in done["monitor"]["findings"]}
    assert {"looked_up.masked_path", "looked_up.host"} <= rules


@pytest.mark.parametrize("text", ["policy: maybe", "hosts: 3", "ploicy: flag"])
def test_a_wrong_setting_is_told(command: Command, task: Path, submission: Path, text: str) -> None:
    (task / "task.yaml").write_text(f"monitor: {{{text}}}\n")
    done = command("monitor", submission, "--task", task)
    assert (done.code, "E413" in done.err) == (3, True)


def said(finding: str, number: int) -> MonitorDecision:
    return MonitorDecision(
        finding=finding, decision="confirm", why=f"reason {number}", by="a", at="now"
    )


def test_two_who_decide_at_once_lose_nothing(graded: Outcome) -> None:
    run, one = Path(graded.json["run"]), violation(graded.json)["id"]
    deciders = [Thread(target=decide, args=(run, said(one, at))) for at in range(6)]
    for each in deciders:
        each.start()
    for each in deciders:
        each.join()
    assert {each.why for each in read_decisions(run)} == {f"reason {at}" for at in range(6)}
    assert load_report(run).monitor is not None
    last = read_decisions(run)[-1].why
    assert str(load_report(run).disqualified).startswith(last)


def test_a_torn_line_is_passed_over_and_mended(graded: Outcome) -> None:
    run, one = Path(graded.json["run"]), violation(graded.json)["id"]
    decide(run, said(one, 1))
    with (run / "monitor-decisions.jsonl").open("a") as file:
        file.write('{"finding": "')
    assert len(read_decisions(run)) == 1
    decide(run, said(one, 2))
    assert len(read_decisions(run)) == 2


def test_a_damaged_line_is_told(command: Command, graded: Outcome) -> None:
    run, one = Path(graded.json["run"]), violation(graded.json)["id"]
    (run / "monitor-decisions.jsonl").write_text("[]\n")
    done = command("monitor", "confirm", "latest", one, "--why", "x")
    assert (done.code, "E582" in done.err) == (3, True)
    assert "monitor-decisions.jsonl.damaged" in done.err


def test_no_link_is_followed(command: Command, graded: Outcome, tmp_path: Path) -> None:
    run, one = Path(graded.json["run"]), violation(graded.json)["id"]
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (run / "monitor-decisions.jsonl").symlink_to(precious)
    done = command("monitor", "confirm", "latest", one, "--why", "x")
    assert (done.code, precious.read_text()) == (9, "mine")


def test_compare_tells_another_verdict(
    command: Command, graded: Outcome, task: Path, submission: Path
) -> None:
    other = command("grade", submission, "--task", task, "--executed", "--json").json
    done = command("compare", graded.json["run"], other["run"])
    assert "differs  monitor: violation | clear" in done.out


def test_the_lock_is_waited_for(graded: Outcome) -> None:
    run, one = Path(graded.json["run"]), violation(graded.json)["id"]
    waits = Thread(target=decide, args=(run, said(one, 1)))
    with exclusive(run):
        waits.start()
        assert not read_decisions(run)
    waits.join()
    assert len(read_decisions(run)) == 1
