"""`resume`: runs of real processes against a real server, stopped, killed and gone on with."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.runs import load_report
from rubric_engine.testing import ScriptedServer
from rubric_engine.testing.values import Request
from tests.cli.conftest import Command

PROGRAM = [sys.executable, "-c", "from rubric_engine.cli import main; main()"]


def write_rubric(path: Path, leaves: int) -> Path:
    tasks = [
        {
            "id": f"leaf-{number:03}",
            "requirements": f"the file holds part {number:03} of the method",
            "task_category": "Code Development",
        }
        for number in range(leaves)
    ]
    root = {"id": "root", "requirements": "all of it", "sub_tasks": tasks}
    path.write_text(json.dumps({"rubric": 1, "root": root}))
    return path


@dataclass
class Desk:
    """A server, and processes that grade with it until they are stopped."""

    folder: Path
    submission: Path
    leaves: int
    due: int = 0
    number: int = 0
    delay: float = 0.0
    asked: list[set[str]] = field(default_factory=list)
    process: subprocess.Popen[str] | None = None

    def __post_init__(self) -> None:
        self.server = ScriptedServer(answer=self._answer, latency=0.02, jitter=0.5)
        self.rubric = write_rubric(self.folder / "rubric.json", self.leaves)

    def _answer(self, request: Request) -> None:
        self.asked[-1].add(request.question)
        self.due -= 1
        if self.due == 0:
            timer = threading.Timer(self.delay, self._stop)
            timer.daemon = True
            timer.start()

    def _stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(self.number)

    def run(self, *arguments: str | Path, due: int = 0, number: int = 0, delay: float = 0) -> int:
        """Run a command; at the request `due`, and some seconds later, it gets a signal."""
        self.due, self.number, self.delay = due, number, delay
        self.asked.append(set())
        words = [*PROGRAM, *map(str, arguments)]
        environment = os.environ | {"OPENAI_API_KEY": "none"}
        with subprocess.Popen(
            words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as self.process:
            _, self.err = self.process.communicate(timeout=120)
        return self.process.returncode

    def grade(self, runs: str, **more: Any) -> int:
        """Start a run."""
        return self.run(
            "grade", self.submission, "--rubric", self.rubric, "--judge", "simple", "-q",
            "-m", "scripted", "--base-url", self.server.base_url, "--runs", self.folder / runs,
            **more,
        )  # fmt: skip

    def resume(self, run: Path, **more: Any) -> int:
        """Go on with one."""
        return self.run("resume", run, "-q", **more)

    def only_run(self, runs: str) -> Path:
        """The run of a folder."""
        (path,) = (path for path in (self.folder / runs).iterdir() if path.is_dir())
        return path

    def committed(self, runs: str) -> set[str]:
        """The questions whose answers the ledger holds."""
        with sqlite3.connect(self.folder / runs / "ledger.sqlite") as db:
            keys = {key for (key,) in db.execute("SELECT key FROM entries")}
        db.close()
        return keys

    def grades(self, runs: str) -> dict[str, dict[str, Any]]:
        """The grades of the only run; what a call cost depends on what the server had cached."""
        grades = load_report(self.only_run(runs)).grades
        return {key: grade.model_dump(exclude={"usage"}) for key, grade in grades.items()}


def desk_of(tmp_path: Path, submission: Path, leaves: int) -> Desk:
    folder = tmp_path / "desk"
    folder.mkdir()
    return Desk(folder, submission, leaves)


@pytest.fixture
def kept_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 130, marks=pytest.mark.slow)],
)
def test_stopped_at_a_call_and_resumed_it_gives_the_same(
    tmp_path: Path, submission: Path, number: int, code: int
) -> None:
    desk = desk_of(tmp_path, submission, 40)
    with desk.server:
        assert desk.grade("stopped", due=20, number=number) == code
        run = desk.only_run("stopped")
        assert json.loads((run / "run.json").read_text())["status"] == "stopped"
        assert desk.resume(run) == 0
        assert desk.grade("whole") == 0
    assert desk.grades("stopped") == desk.grades("whole")


def test_what_a_killed_run_has_paid_is_told_with_what_its_calls_may_have_cost(
    tmp_path: Path, submission: Path, command: Command
) -> None:
    desk = desk_of(tmp_path, submission, 40)
    with desk.server:
        assert desk.grade("killed", due=10, number=signal.SIGKILL) == -signal.SIGKILL
    told = command("runs", "info", desk.only_run("killed"), "--json").json
    assert told["status"] == "died"
    # What was entered and did not go out yet counts, too: nobody can tell it from what did.
    assert 1 <= told["cost"]["uncounted_attempts"] <= told["cost"]["attempts"] <= desk.leaves


def killed_and_resumed(desk: Desk, kills: int) -> None:
    """Kill a run at random instants, resume it each time, and look at every request."""
    chance = random.Random(kills)
    key_of: dict[str, str] = {}
    committed: list[set[str]] = []
    with desk.server:
        most = max(2, 2 * desk.leaves // kills)
        code = desk.grade("killed", due=1, number=signal.SIGKILL, delay=0.01)
        for _ in range(kills - 1):
            assert code == -signal.SIGKILL, desk.err
            committed.append(desk.committed("killed"))
            due, delay = chance.randint(1, most), chance.uniform(0, 0.04)
            code = desk.resume(desk.only_run("killed"), due=due, number=signal.SIGKILL, delay=delay)
            if code == 0:
                break
        committed.append(desk.committed("killed"))
        assert desk.resume(desk.only_run("killed")) == 0, desk.err
        rounds = len(desk.asked)
        assert desk.grade("whole") == 0, desk.err
    grades = desk.grades("killed")
    assert grades == desk.grades("whole")
    assert len(committed) > min(5, kills - 1)
    for key, grade in grades.items():
        key_of[grade["calls"][0]] = key
    for number, keys in enumerate(committed):
        later = set().union(*desk.asked[number + 1 : rounds])
        known = {key_of[key].removeprefix("leaf-") for key in keys}
        again = [text for text in later if _part(text) in known]
        assert again == []
    assert {_part(text) for text in set().union(*desk.asked)} == {f"{n:03}" for n in range(300)}
    repeats = Counter(text for asked in desk.asked[:rounds] for text in asked)
    assert sum(repeats.values()) - desk.leaves <= 32 * rounds


def _part(question: str) -> str:
    """The number of the leaf that a prompt asks about; siblings stand before it."""
    return question.partition("CRITERION (")[2].partition("part ")[2][:3]


@pytest.mark.slow
def test_killed_at_many_random_instants(tmp_path: Path, submission: Path) -> None:
    killed_and_resumed(desk_of(tmp_path, submission, 300), 50)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def pay(
    command: Command, submission: Path, tmp_path: Path, server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
) -> Command:  # fmt: skip
    """Grade 30 leaves with a scripted server; more words go to the command."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    rubric = write_rubric(tmp_path / "some.json", 30)

    def go(*more: str | Path) -> Any:
        return command(
            "grade", submission, "--rubric", rubric, "--judge", "simple", "-m", "scripted",
            "--base-url", server.base_url, *more,
        )  # fmt: skip

    return go


def test_a_run_stopped_by_its_cap_goes_on_with_a_higher_one(
    pay: Command, command: Command, server: ScriptedServer
) -> None:
    assert pay("--max-tokens", "9000").code == 6
    sent = len(server.requests)
    assert 0 < sent < 30
    assert command("resume").code == 6
    again = command("resume", "latest", "--max-tokens", "900000", "--json")
    assert (again.code, again.json["score"]["coverage"]) == (0, 1.0)
    assert len(server.requests) == 30
    done = command("resume", "latest")
    assert (done.code, len(server.requests)) == (0, 30)
    assert "resuming" in done.err


def test_there_is_nothing_to_resume(command: Command) -> None:
    done = command("resume")
    assert (done.code, "no run that was stopped" in done.err) == (3, True)


def test_the_prompt_of_a_leaf_is_shown_escaped(
    pay: Command, command: Command, submission: Path
) -> None:
    (submission / "evil.py").write_text("x = 1  # \u202eevil\n")
    assert pay("-q").code == 0
    shown = command("show", "latest", "leaf-002", "--prompt")
    assert shown.code == 0
    assert "the file holds part 002 of the method" in shown.out
    assert "--- answer: answer" in shown.out
    assert "\\u{202e}evil" in shown.out
    assert "\u202e" not in shown.out
    (call,) = command("show", "latest", "leaf-002", "--prompt", "--json").json["calls"]
    assert call["messages"][0]["role"] == "system"
    assert call["answer"]["outcome"] == "answer"
    assert command("show", "latest", "--prompt").code == 2
    assert "no model was asked" in command("show", "latest", "root", "--prompt").out


def test_the_cache_keeps_what_runs_refer_to(pay: Command, command: Command) -> None:
    assert command("cache", "info").code == 3
    assert pay("-q").code == 0
    told = command("cache", "info", "--json").json
    assert (told["calls"], told["by_model"], told["spent"]["attempts"]) == (
        30,
        {"scripted": 30},
        30,
    )
    assert "30 of scripted" in command("cache", "info").out
    assert command("cache", "prune", "--json").json["removed"]["entries"] == 0
    assert command("runs", "rm", "latest", "--yes").code == 0
    kept = command("cache", "prune", "--older-than", "1", "--json").json
    assert kept["removed"]["entries"] == 0
    assert "removed 30 calls" in command("cache", "prune").out
    assert command("cache", "info", "--json").json["calls"] == 0


def test_a_run_tells_what_it_is(pay: Command, command: Command) -> None:
    assert pay("--max-tokens", "9000").code == 6
    text = command("runs", "info", "latest").out
    for word in (
        "stopped",
        "simple",
        "sha ",
        "versions",
        "retries included",
        "cost ",
        "rubric-engine resume",
    ):
        assert word in text
    told = command("runs", "info", "latest", "--json").json
    assert (told["status"], told["resumable"], told["ours"]) == ("stopped", True, True)
    assert told["cost"]["attempts"] > 0
    assert "seal" not in told["facts"]
