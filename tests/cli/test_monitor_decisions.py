"""`monitor confirm | dismiss | show`: what a person decides of a run, and how that is kept."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread

from rubric_engine.cli.monitor_lines import summary_lines
from rubric_engine.monitored import MonitorDecision
from rubric_engine.rundir import add_decision, exclusive, read_decisions
from rubric_engine.runs import decide, load_report
from tests.cli.conftest import Command, Outcome
from tests.cli.monitored import CLONE, graded, log, submission, task, violation

__all__ = ["graded", "log", "submission", "task"]


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


def test_what_is_decided_is_shown_as_it_weighs(command: Command, graded: Outcome) -> None:
    found = graded.json["monitor"]["findings"]
    [note, *_] = [each["id"] for each in found if each["severity"] == "note"]
    command("monitor", "dismiss", "latest", violation(graded.json)["id"], "--why", "a mirror")
    run = Path(graded.json["run"])
    assert not any("violation" in line for line in summary_lines(load_report(run), "latest"))
    command("monitor", "confirm", "latest", note, "--why", "it is one")
    lines = list(summary_lines(load_report(run), "latest"))
    assert lines[0].startswith("monitor violation: 1 violation")
    assert [line.split()[:2] for line in lines if "confirmed by" in line] == [[note, "violation"]]
    shown = command("monitor", "show", "latest").out
    assert shown.count("  violation  ") == 1
    markdown = command("report", "latest", "--format", "md").out
    section = markdown.partition("**Monitor**")[2]
    assert section.count("- violation `") == 1
    assert section.count("- note `") == 1  # what was dismissed is told with what was said of it
    page = (run / "report.html").read_text()
    assert page.partition("<noscript>")[2].count("<li>violation ") == 1


def test_decisions_outlive_a_resume_that_grades(command: Command, graded: Outcome) -> None:
    run, one = Path(graded.json["run"]), violation(graded.json)
    command("monitor", "confirm", "latest", one["id"], "--why", "it cloned it")
    (run / "report.json").unlink()  # as a run that was stopped leaves it
    (run / "grades.jsonl").write_text("")
    done = command("resume", "latest", "--json")
    assert done.json["disqualified"].startswith("it cloned it")
    assert violation(done.json)["id"] == one["id"]


def test_what_is_confirmed_stays_so_until_it_is_withdrawn(
    command: Command, graded: Outcome
) -> None:
    run = Path(graded.json["run"])
    add_decision(run, said("feedc0de", 1))  # a finding of an earlier check
    (run / "report.json").unlink()
    (run / "grades.jsonl").write_text("")
    done = command("resume", "latest", "--json").json
    assert (done["score"]["value"], done["monitor"]["verdict"]) == (0, "violation")
    assert done["disqualified"] == "reason 1 (confirmed by a: finding feedc0de, listed no more)"
    gone = "  feedc0de  listed no more  confirmed by a: reason 1"
    assert gone in command("monitor", "show", "latest").out.splitlines()
    assert "listed no more" in command("report", "latest", "--format", "md").out
    taken_back = command("monitor", "dismiss", "latest", "feed", "--why", "a mirror", "--by", "Ann")
    assert "feedc0de  listed no more  dismissed by Ann: a mirror" in taken_back.out
    assert load_report(run).disqualified is None


def test_what_is_not_known_is_told_with_the_near_one(command: Command, graded: Outcome) -> None:
    one = violation(graded.json)["id"]
    wrong = one[:-1] + ("0" if one[-1] != "0" else "1")
    done = command("monitor", "confirm", "latest", wrong, "--why", "x")
    assert (done.code, f"did you mean '{one}'" in done.err) == (3, True)
    assert f"no finding {wrong!r} in {graded.json['run']}" in " ".join(done.err.split())
    assert f"rubric-engine monitor show {graded.json['run']}" in " ".join(done.err.split())
    assert "rubric-engine runs list " in " ".join(done.err.split())
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


def test_of_many_reasons_it_is_said_how_many_more(
    command: Command, task: Path, submission: Path, log: Path
) -> None:
    (task / "task.yaml").write_text("monitor: {policy: auto}\n")
    calls = [CLONE.replace("git clone", f"git clone -b b{number}") for number in range(8)]
    log.write_text("\n".join(calls) + "\n")
    words = ("--task", task, "--executed", "--agent-log", log, "--json")
    reason = command("grade", submission, *words).json["disqualified"]
    assert reason.count("policy auto") == 3
    assert reason.endswith("; and 5 more")


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


def test_the_lock_is_waited_for(graded: Outcome) -> None:
    run, one = Path(graded.json["run"]), violation(graded.json)["id"]
    waits = Thread(target=decide, args=(run, said(one, 1)))
    with exclusive(run):
        waits.start()
        assert not read_decisions(run)
    waits.join()
    assert len(read_decisions(run)) == 1
