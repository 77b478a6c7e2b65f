"""What a person reads of the run of `reproduce.sh`, and of what it printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command

FAILS = """
for i in 1 2 3 4 5 6 7 8 9; do echo step $i; done
printf 'bad \\033[31m\\377\\n\\n'
exit 3
"""
ENDS_WITH = ["step 6", "step 7", "step 8", "step 9", "bad \\u{1b}[31m\ufffd"]


@pytest.fixture
def failed(command: Command, rubric: Path, submission: Path) -> list[str]:
    """What is printed of a run that failed: when it was graded, later, and of the run itself."""
    (submission / "reproduce.sh").write_text(FAILS)
    graded = command("grade", submission, "--rubric", rubric, "--sandbox", "local").out
    return [graded, command("show", "latest").out, command("runs", "info", "latest").out]


def test_a_run_that_failed_shows_where_its_log_is_and_how_it_ends(failed: list[str]) -> None:
    for text in failed:
        (place,) = [line.split()[1] for line in text.splitlines() if line.startswith("log ")]
        assert "step 1" in Path(place).read_text(errors="replace")
        shown = [line.split("| ")[1] for line in text.splitlines() if line.startswith("      ")
                 and "| " in line]  # fmt: skip
        assert shown == ENDS_WITH
        assert "failed, exit code 3, " in text
        assert "in the sandbox local" in text


def test_a_run_that_went_well_is_said_in_one_line(
    command: Command, rubric: Path, submission: Path
) -> None:
    (submission / "reproduce.sh").write_text("echo hello; awk 'BEGIN { print 6 * 7 }' > out.csv")
    done = command("grade", submission, "--rubric", rubric, "--sandbox", "local")
    (line,) = [line for line in done.out.splitlines() if line.startswith("ran ")]
    assert line.startswith("ran     reproduce.sh: ok, exit code 0, ")
    assert "hello" not in done.out
    assert "\nlog " not in done.out


def test_programs_are_told_the_same(command: Command, rubric: Path, submission: Path) -> None:
    (submission / "reproduce.sh").write_text("exit 3")
    flags = ("--rubric", rubric, "--sandbox", "local", "--json")
    document = command("grade", submission, *flags).json
    assert document["execution"]["exit_code"] == 3
    assert Path(document["files"]["reproduce.log"]).is_file()


def test_without_a_run_nothing_is_said_of_one(
    command: Command, rubric: Path, submission: Path
) -> None:
    done = command("grade", submission, "--rubric", rubric, "--sandbox", "none")
    assert "ran " not in done.out
    assert "reproduce.log" not in done.out
    document = command("grade", submission, "--rubric", rubric, "--sandbox", "none", "--json").json
    assert document["execution"] is None


def test_a_run_is_described_in_words_that_explain_themselves(
    command: Command, rubric: Path, submission: Path
) -> None:
    command("grade", submission, "--rubric", rubric, "--sandbox", "none")
    text = command("runs", "info", "latest").out
    assert f"submission  '{submission.parent.name}'   sha " in text
    assert "mode        full   (the task's word for this way of grading)" in text
