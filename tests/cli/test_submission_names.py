"""A submission in a folder `submission` is told by its folder's name, wherever it is named."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from rubric_engine.submission import load_submission
from tests.cli.conftest import Command


@pytest.fixture
def handed_in(submission: Path) -> Path:
    """The submission as the shipped ones lie: `team-a/submission`."""
    place = submission.parent / "team-a" / "submission"
    place.parent.mkdir()
    submission.rename(place)
    return place


def _graded(command: Command, rubric: Path, handed_in: Path, *how: str) -> Path:
    before = set(Path("runs").glob("*/run.json"))
    assert command("grade", handed_in, "--rubric", rubric, "-q", *how).code == 0
    (new,) = set(Path("runs").glob("*/run.json")) - before
    return new.parent


@pytest.mark.parametrize("form", ["md", "junit"])
def test_reports_say_whose_it_is(
    command: Command, rubric: Path, handed_in: Path, form: str
) -> None:
    _graded(command, rubric, handed_in, "--executed")
    said = command("report", "latest", "--format", form).out
    assert "team-a" in said.split("\n\n")[0]


def test_pages_comparisons_and_runs_info_say_it_and_the_report_keeps_its_form(
    command: Command, rubric: Path, handed_in: Path
) -> None:
    run = _graded(command, rubric, handed_in, "--executed")
    facts = json.loads((run / "report.json").read_text())["provenance"]
    assert (facts["submission"], facts["submission_called"]) == ("submission", "team-a")
    assert "<title>small: team-a</title>" in (run / "report.html").read_text()
    assert "submission  'team-a'" in command("runs", "info", "latest").out
    other = _graded(command, rubric, handed_in, "--executed")
    compared = command("compare", run, other, "--json").json
    assert compared["a"]["submission"] == compared["b"]["submission"] == "team-a"


def test_a_name_that_tells_enough_is_not_written_twice(
    command: Command, rubric: Path, submission: Path
) -> None:
    named = submission.rename(submission.with_name("team-b"))
    run = _graded(command, rubric, named, "--executed")
    assert "submission_called" not in json.loads((run / "run.json").read_text())


def test_a_run_of_its_script_keeps_the_name(
    command: Command, rubric: Path, handed_in: Path
) -> None:
    made = command("reproduce", handed_in, "-o", "made", "--sandbox", "local")
    assert made.code == 0, made.err
    run = _graded(command, rubric, Path("made"))
    assert json.loads((run / "run.json").read_text())["submission_called"] == "team-a"


def test_archives_are_called_by_their_name_alone(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    with tarfile.open(tmp_path / "team-b.tar.gz", "w:gz") as packed:
        packed.add(tmp_path / "a.py", "a.py")
    found = load_submission(tmp_path / "team-b.tar.gz")
    assert (found.name, getattr(found, "called", "")) == ("team-b.tar.gz", "team-b")
