"""A folder of runs that may only be read: all that looks into it works, and writes nothing."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.testing import ScriptedServer
from tests.cli.conftest import Command

_MAIN = "from rubric_engine.cli import main; main()"


@pytest.mark.parametrize(
    ("looking", "shown"),
    [
        (["show", "latest", "code", "--prompt"], "--- answer: answer"),
        (["cache", "info"], "2 of scripted"),
        (["runs", "info", "latest"], "done"),
        (["grade", "SUBMISSION", "--rubric", "RUBRIC", "--dry-run"], "2 leaves answered already"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_looking_needs_no_right_to_write(
    command: Command, submission: Path, rubric: Path,
    obeying: Callable[..., subprocess.CompletedProcess[str]],
    read_only: Callable[[Path], None], looking: list[str], shown: str,
) -> None:  # fmt: skip
    with ScriptedServer() as server:
        asked = ["--judge", "simple", "--model", "scripted", "--base-url", server.base_url]
        assert command("grade", submission, "--rubric", rubric, *asked, "-q").code == 0
    named = {"SUBMISSION": str(submission), "RUBRIC": str(rubric)}
    words = [named.get(word, word) for word in looking]
    read_only(Path.cwd())
    before = sorted(Path().rglob("*"))
    done = obeying(_MAIN, *words, *(asked if "--dry-run" in words else []))
    assert (done.returncode, shown in done.stdout) == (0, True), done.stdout + done.stderr
    assert sorted(Path().rglob("*")) == before
