"""A grading that is told to stop: it ends what it started, and says so."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from threading import Semaphore

import pytest

from rubric_engine.cli.failure import report_interrupted_run
from rubric_engine.testing import Fault, Request, ScriptedServer
from tests.cli.conftest import Command
from tests.cli.paying import Paying, paying
from tests.sandbox.test_ending import alive

__all__ = ["paying"]

SCRIPT = """\
trap '' TERM
setsid bash -c 'echo $$; exec sleep 1000' > "{fifo}" &
wait
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_ends_the_run_and_leaves_no_process(
    tmp_path: Path, rubric: Path, submission: Path, number: signal.Signals
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    (submission / "reproduce.sh").write_text(SCRIPT.format(fifo=fifo))
    command = [sys.executable, "-c", "from rubric_engine.cli import main; main()", "grade"]
    flags = ["--rubric", str(rubric), "--sandbox", "local", "--runs", str(tmp_path / "runs")]
    with subprocess.Popen(
        [*command, str(submission), *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        with fifo.open() as started:
            background = int(started.readline())  # waits until the script runs
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted: reproduce.sh had not ended, so nothing is graded; a resume runs it" in err
    assert not alive(background)
    (run,) = (tmp_path / "runs").iterdir()
    assert json.loads((run / "run.json").read_text())["status"] == "stopped"
    assert f"next    rubric-engine resume {run}   pays only for what is missing\n" in err


@dataclass
class Stuck:
    """Grades with a server that answers four questions, and interrupts who waits for the rest."""

    paying: Paying
    asked: Semaphore = field(default_factory=lambda: Semaphore(0))

    def __post_init__(self) -> None:
        self.server = ScriptedServer(answer=self._answer)

    def _answer(self, request: Request) -> Fault | dict[str, object]:
        if not re.search("Thing [45] ", request.question):
            said = {"expectations": "e", "findings": "f", "citations": [], "searched": []}
            return {**said, "met": True}
        self.asked.release()
        return Fault("slow", delay=600)

    def run(self, *words: str, waiting: int = 2) -> tuple[str, str]:
        """Run a command until so many calls wait for good; returns stdout and stderr."""
        program = [sys.executable, "-c", "from rubric_engine.cli import main; main()", *words]
        with subprocess.Popen(
            program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            found = [self.asked.acquire(timeout=60) for _ in range(waiting)]
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        assert (process.returncode, all(found)) == (130, True), err
        return out, err


def test_a_stopped_grading_tells_how_far_it_came(paying: Paying) -> None:
    stuck = Stuck(paying)
    with stuck.server as server:
        out, err = stuck.run(*paying.arguments(server.base_url, "--yes"))
        resumed = json.loads(stuck.run("resume", "latest", "--yes", "--json", waiting=1)[0])
    (run,) = Path("runs").glob("20*")
    assert out == ""
    told = (
        "interrupted: 4 of 6 leaves are graded, and kept\n",
        "score   66.7-100.0%  (",
        "cost    $",
    )
    assert [said for said in told if said not in err] == [], err
    assert f"next    rubric-engine resume {run.name[-6:]}   pays only for what is missing\n" in err
    assert f"page    {run}/report.html\n" in err
    assert (resumed["exit_code"], resumed["error"]["code"], resumed["ok"]) == (130, "E130", False)
    assert (resumed["run"], resumed["leaves"]["graded"]) == (str(run), 4)
    assert resumed["score"]["low"] == pytest.approx(4 / 6)
    assert 0 < resumed["cost"]["usd"] < 1


def test_what_a_stopped_run_has_graded_and_paid_is_told_by_all(paying: Paying) -> None:
    stuck = Stuck(paying)
    with stuck.server as server:
        stuck.run(*paying.arguments(server.base_url, "--yes"))
    listed = paying.command("runs", "list")
    assert re.search(r"stopped +66\.7-100\.0% +66\.7% +\$0\.0\d+ +card", listed.out)
    told = paying.command("runs", "list", "--json").json["runs"][0]
    assert (told["score"]["low"], told["usd"] > 0) == (pytest.approx(4 / 6), True)
    for words in (["show", "latest"], ["runs", "info", "latest"]):
        assert re.search(r"^cost +\$0\.", paying.command(*words).out, re.MULTILINE)


@pytest.mark.parametrize("as_json", [False, True])
def test_before_a_run_is_kept_there_is_nothing_to_go_on_with(
    command: Command, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    report_interrupted_run(Path("runs/none"), as_json=as_json)
    shown = capsys.readouterr()
    assert "interrupted: nothing was run or graded yet" in shown.out + shown.err
    assert "resume" not in shown.out + shown.err


def test_stopping_reproduce_says_that_nothing_is_left(tmp_path: Path, submission: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    (submission / "reproduce.sh").write_text(SCRIPT.format(fifo=fifo))
    command = [sys.executable, "-c", "from rubric_engine.cli import main; main()", "reproduce"]
    flags = ["-o", str(tmp_path / "executed"), "--sandbox", "local", "--runs", str(tmp_path / "r")]
    with subprocess.Popen(
        [*command, str(submission), *flags], stderr=subprocess.PIPE, text=True
    ) as process:
        with fifo.open() as started:
            background = int(started.readline())
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "nothing was written" in err
    assert not alive(background)
    assert not (tmp_path / "executed").exists()
