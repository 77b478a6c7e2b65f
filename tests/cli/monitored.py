"""What tests of `monitor` look at: a task with a blacklist, a submission, and an agent's log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import RUBRIC, Command, Outcome

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
