"""`view`, `label serve` and `label correct` as commands."""

from __future__ import annotations

import http.client
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rubric_engine.labels import load_labels
from rubric_engine.web.serving import listening
from tests.cli.conftest import Command, Start


def test_a_killed_server_has_lost_no_label_and_a_second_writer_is_told(
    start: Start, command: Command, rubric: Path, submission: Path
) -> None:
    how = ("label", "serve", submission, "--rubric", rubric, "--as", "a1")
    process, browser = start(*how)
    sent = {"version": 0, "key": "code", "verdict": "not_met", "reason": "absent"}
    assert browser.post("/api/labels", sent).status == 200
    process.kill()
    process.wait()
    record = Path("labels/small-sub/a1.jsonl")
    assert load_labels(record).labels["code"].reason == "absent"
    with record.open("a") as file:
        file.write('{"key": "prose", "verdi')  # as a crash may tear it
    process, browser = start(*how)
    assert list(browser.ask("/api/desk").json["labels"]) == ["code"]
    sent = {"version": 0, "key": "run", "verdict": "met", "reason": "there"}
    assert browser.post("/api/labels", sent).status == 200
    second = command(*how, "--no-open")
    assert second.code == 9
    assert "error[E902] the labels of 'a1' are being written by another process" in second.err
    todo = Path("labels/small-sub/todo-a1.jsonl")
    assert command("label", "import", todo, "--as", "a1").code == 9
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "note: No results and no log: nothing says that this submission was run." in err
    assert "--executed --log FILE" in err
    assert err.endswith("interrupted: every label that was given is kept\n")
    assert load_labels(record).labels.keys() == {"code", "run"}


def test_a_reader_who_leaves_a_stream_is_no_trouble(
    start: Start, command: Command, rubric: Path, submission: Path
) -> None:
    assert command("grade", submission, "--rubric", rubric, "--sandbox", "none").code == 0
    process, browser = start("view")
    [run] = browser.ask("/api/page").json["runs"]
    for _ in range(3):
        connection = http.client.HTTPConnection("127.0.0.1", browser.port, timeout=20)
        connection.request("GET", f"/api/runs/{run['id']}/events", headers=browser.credentials)
        connection.close()
    assert browser.ask(f"/api/runs/{run['id']}").json["score"] == run["score"]
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, "Traceback" in err) == (130, False)


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (("view", "--host", "0.0.0.0"), "E023", "--token-file"),
        (("view", "--token-file", "none"), "E024", "cannot be read"),
        (("view", "--host", "192.0.2.7", "--token-file", "token"), "E022", "cannot listen"),
        (("view", "nothing"), "E521", "no run 'nothing'"),
        (("label", "serve", "--as", "a1"), "E001", "give a submission"),
        (("label", "serve", "--as", "a1", "--run", "x", "--adjudicate"), "E001", "takes all"),
    ],
)
def test_what_is_refused(command: Command, arguments: tuple[str, ...], code: str, why: str) -> None:
    token = Path("token")
    token.write_text("a1" * 16)
    token.chmod(0o600)
    outcome = command(*arguments, "--no-open")
    assert outcome.code in (2, 3)
    assert f"error[{code}]" in outcome.err
    assert why in outcome.err


def test_a_port_that_is_taken_is_told(command: Command) -> None:
    with listening("127.0.0.1", 0, exact=True) as taken:
        outcome = command("view", "--no-open", "--port", str(taken.getsockname()[1]))
    assert outcome.code == 2
    assert "error[E022]" in outcome.err


def test_without_the_extra_the_command_says_what_installs_it(tmp_path: Path) -> None:
    """What the extra brings is hidden from the import system."""
    code = """
import sys
sys.modules["starlette"] = None
from rubric_engine.cli.app import run
sys.exit(run(["view", "--no-open"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 2, done.stderr
    assert "error[E021]" in done.stderr
    assert "pip install 'rubric-engine[web]'" in done.stderr


def test_another_name_another_submission_or_plan(
    command: Command, rubric: Path, submission: Path, tmp_path: Path
) -> None:
    how = ("--rubric", rubric, "--annotators", "a1,a2")
    assert command("label", "assign", submission, *how).code == 0
    serve = ("label", "serve", submission, "--rubric", rubric, "--no-open")
    assert "'a3' has no part" in command(*serve, "--as", "a3").err
    assert "would decide" in command(*serve, "--as", "a1", "--adjudicate").err
    (submission / "late.py").write_text("x = 1\n")
    changed = command(*serve, "--as", "a1")
    assert (changed.code, "error[E559]" in changed.err) == (3, True)
    assert all(len(line) <= 200 for line in changed.err.splitlines())
