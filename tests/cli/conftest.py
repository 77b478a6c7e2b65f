"""Running the command in this process, with its output and exit code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.cli.app import run
from tests.web.serving import Browser


@dataclass
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its one JSON document."""
        return json.loads(self.out)


Command = Callable[..., Outcome]

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def command(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> Command:
    """Run `rubric-engine` with the current folder in a fresh place and a fresh state folder."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if "engine" not in request.fixturenames:
        # No test runs a script in Docker because an engine happens to be up.
        monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no-engine.sock")
    monkeypatch.delenv("PAPERBENCH_DATA_DIR", raising=False)

    def go(*arguments: str | Path) -> Outcome:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return go


RUBRIC = """\
rubric: 1
title: A small one
root:
  id: root
  requirements: 全部的结果都能复现 and all of it holds
  sub_tasks:
    - id: code
      requirements: The file a.py defines the function solve
      weight: 3
      task_category: Code Development
      checks: [{python_defines: {file: a.py, name: solve}}]
    - id: prose
      requirements: The README explains the method in its own words
      task_category: Code Development
    - id: run
      requirements: The run writes out.csv
      weight: 2
      task_category: Code Execution
      checks: [{produced: {file: out.csv}}]
"""


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    """A rubric of three leaves."""
    path = tmp_path / "rubric-here" / "small.yaml"
    path.parent.mkdir()
    path.write_text(RUBRIC)
    return path


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    """A submission that meets all that a program can check."""
    folder = tmp_path / "sub" / "submission"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("def solve():\n    return 1\n")
    (folder / "reproduce.sh").write_text("echo a,b > out.csv\n")
    return folder


MAIN = "from rubric_engine.cli import main; main()"

Start = Callable[..., tuple["subprocess.Popen[str]", Browser]]


@pytest.fixture
def start(command: Command) -> Iterator[Start]:
    """Start a serving command as a process of its own, and come in."""
    with ExitStack() as stack:

        def go(*arguments: str | Path) -> tuple[subprocess.Popen[str], Browser]:
            words = [sys.executable, "-c", MAIN, *map(str, arguments), "--no-open"]
            process = stack.enter_context(
                subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            )
            stack.callback(process.kill)
            assert process.stdout is not None
            address = process.stdout.readline()
            found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)\n", address)
            assert found is not None, address
            browser = Browser(int(found[1]), found[2])
            assert browser.enter().status == 200
            return process, browser

        yield go
