"""Output that nobody reads, or that cannot be written: the exit code stays what it was."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

MAIN = [sys.executable, "-c", "from rubric_engine.cli import main; main()"]


@pytest.fixture
def graded(tmp_path: Path, rubric: Path, submission: Path) -> list[str]:
    """Arguments that grade, with the runs in a fresh folder."""
    return ["grade", str(submission), "--rubric", str(rubric), "--runs", str(tmp_path / "runs")]


def closed_pipe(arguments: Sequence[str]) -> int:
    """Run with stdout a pipe that nobody reads."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [*MAIN, *arguments], stdout=write, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(write)
    assert "Traceback" not in done.stderr
    return done.returncode


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ([], 0),
        (["--json"], 0),
        (["--fail-under", "90"], 1),
        (["--fail-under", "90", "--json"], 1),
        (["--task", "nope", "--json"], 2),
    ],
)
def test_a_reader_that_leaves_changes_nothing(
    graded: list[str], more: list[str], code: int
) -> None:
    assert closed_pipe([*graded, *more]) == code


def test_schema_into_a_closed_pipe() -> None:
    assert closed_pipe(["rubric", "schema"]) == 0


def test_a_full_device_is_exit_9(graded: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*MAIN, *graded], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 9
    assert "cannot be written" in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_are_for_nobody(graded: list[str], closed: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f'"$@" {closed}', "bash", *MAIN, *graded],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert "Traceback" not in done.stderr + done.stdout


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_a_terminal_of_few_characters_shows_the_rest_as_question_marks(
    graded: list[str], tmp_path: Path, encoding: str
) -> None:
    environment = os.environ | {"PYTHONIOENCODING": encoding, "COLUMNS": "60"}
    for arguments in (graded, ["show", "latest", "--runs", str(tmp_path / "runs")]):
        done = subprocess.run(
            [*MAIN, *arguments], env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
