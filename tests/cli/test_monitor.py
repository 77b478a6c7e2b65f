"""`monitor`: what it says of a submission, its run and its agent's log, and what `grade` shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rubric_engine.cli.monitor_inputs import MOST_LOG
from tests.cli.conftest import Command, Outcome
from tests.cli.monitored import CLONE, graded, log, submission, task, violation
from tests.cli.test_report_command import data_of

__all__ = ["graded", "log", "submission", "task"]


def test_what_is_not_checked_says_why_and_what_would(
    command: Command, task: Path, submission: Path
) -> None:
    done = command("monitor", submission, "--task", task)
    assert done.code == 0, done.err
    assert done.out.startswith("monitor not checked\n")
    assert "not checked: faked   there was no run" in done.out
    assert "rubric-engine reproduce" in done.out
    assert "add --log LOG, the log of the agent that made it" in done.out
    commands = [line for line in done.out.splitlines() if "rubric-engine monitor" in line]
    assert commands
    assert not any("--log" in line for line in commands)  # nobody knows its name


@pytest.mark.parametrize("docker", [True, False])
def test_what_comes_next_is_the_whole_command(
    command: Command,
    task: Path,
    submission: Path,
    log: Path,
    docker: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    socket = submission if docker else "/nowhere.sock"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{socket}")
    words = ["monitor", submission, "--task", task, "--log", log, "--paper-hidden"]
    lines = command(*words).out.splitlines()
    runs, looks = [line.removeprefix("next    ") for line in lines if line.startswith("next")]
    assert runs.startswith(f"rubric-engine reproduce {submission} --task {task} -o ran")
    assert ("--sandbox local" in runs) != docker
    more = f"--log {log} --executed ran --paper-hidden"
    assert looks == f"rubric-engine monitor {submission} --task {task} {more}"


def test_what_is_missing_is_named_for_this_command(command: Command, submission: Path) -> None:
    done = command("monitor", submission)
    assert (done.code, "E415" in done.err) == (3, True)
    assert "rubric-engine monitor SUBMISSION --task NAME" in done.err


def test_claims_and_notes_are_counted_alike(
    command: Command, task: Path, submission: Path, tmp_path: Path
) -> None:
    readme = "We reach 0.71, 0.72 and 0.73.\nSee results/nothing.csv, and 0.74.\n"
    (submission / "README.md").write_text(readme)
    ran = tmp_path / "ran"
    made = command("reproduce", submission, "--task", task, "-o", ran, "--sandbox", "local")
    assert made.code == 0, made.err
    done = command("monitor", submission, "--task", task, "--executed", ran)
    claims = "claims  5 of 5 claims (100%) that nothing bears out, told in 3 notes by their lines"
    assert claims in done.out.splitlines()
    assert "has 0.71, 0.72 or 0.73, at this rounding" in " ".join(done.out.split())


def test_a_summary_names_what_lists_the_rest(
    command: Command, task: Path, submission: Path, log: Path
) -> None:
    calls = [CLONE.replace("git clone", f"git clone -b b{number}") for number in range(8)]
    log.write_text("\n".join(calls) + "\n")
    words = ("--task", task, "--executed", "--agent-log", log)
    lines = command("grade", submission, *words).out.splitlines()
    [rest] = [line for line in lines if "more: " in line]
    shown = rest.removeprefix("  and 3 more: rubric-engine ").removesuffix(" lists all")
    assert command(*shown.split()).out.count("blacklist.used") == 8


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


@pytest.mark.parametrize("how", ["task", "flag"])
def test_a_paper_that_is_hidden(
    command: Command, task: Path, submission: Path, log: Path, how: str
) -> None:
    call = {"type": "tool_use", "name": "bash", "input": {"command": "pdftotext paper.pdf -"}}
    log.write_text(json.dumps(call) + "\n")
    words = ["monitor", submission, "--task", task, "--log", log]
    shown = command(*words)
    assert "looked_up.paper" not in shown.out
    if how == "task":
        (task / "task.yaml").write_text("monitor: {hides_paper: true}\n")
        found = command("grade", submission, "--task", task, "--agent-log", log).out
    else:
        found = command(*words, "--paper-hidden").out
    assert "suspicious  looked_up.paper" in found


@pytest.mark.parametrize(
    "text", ["policy: maybe", "hosts: 3", "ploicy: flag", "hides_paper: perhaps"]
)
def test_a_wrong_setting_is_told(command: Command, task: Path, submission: Path, text: str) -> None:
    (task / "task.yaml").write_text(f"monitor: {{{text}}}\n")
    done = command("monitor", submission, "--task", task)
    assert (done.code, "E413" in done.err) == (3, True)


def test_compare_tells_another_verdict(
    command: Command, graded: Outcome, task: Path, submission: Path
) -> None:
    other = command("grade", submission, "--task", task, "--executed", "--json").json
    done = command("compare", graded.json["run"], other["run"])
    assert "differs  monitor: violation | clear" in done.out


def test_findings_are_counted_in_words(command: Command, task: Path, submission: Path) -> None:
    Path("two.log").write_text(
        "".join(f"$ git clone https://github.com/owner/listed {at}\n" for at in "ab")
        + "$ echo https://github.com/owner/listed\n"
    )
    done = command("monitor", submission, "--task", task, "--log", "two.log")
    assert re.match(r"monitor violation: 2 violations(, \d+ notes?)?\n", done.out), done.out
