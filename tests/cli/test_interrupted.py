"""A grading that is told to stop: it ends what it started, and says so."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandbox.test_ending import alive

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
    assert "interrupted" in err
    assert not alive(background)
    (run,) = (tmp_path / "runs").iterdir()
    assert json.loads((run / "run.json").read_text())["status"] == "stopped"


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
