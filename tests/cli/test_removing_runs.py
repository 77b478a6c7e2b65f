"""`runs rm`: runs of one's own and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubric_engine.rundir import exclusive
from tests.cli.conftest import Command


@pytest.fixture
def graded(command: Command, rubric: Path, submission: Path) -> Command:
    """The command, with a finished run in ./runs."""
    assert command("grade", submission, "--rubric", rubric, "-q").code == 0
    return command


def only_run() -> Path:
    (path,) = Path("runs").iterdir()
    return path


def test_it_asks_or_needs_a_word(graded: Command) -> None:
    run = only_run()
    refused = graded("runs", "rm", "latest")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert run.is_dir()
    done = graded("runs", "rm", run.name[-6:], "latest", "--yes", "--json")
    assert done.json["removed"] == [str(run)]
    assert list(Path("runs").iterdir()) == []


def test_a_run_of_somebody_else_stays(graded: Command) -> None:
    run = only_run()
    facts = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(facts | {"seal": "0" * 64}))
    refused = graded("runs", "rm", run, "--yes")
    assert (refused.code, "not a run that you made" in refused.err) == (3, True)
    assert (run / "report.json").is_file()


def test_no_link_is_followed(graded: Command, tmp_path: Path) -> None:
    run = only_run()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious").write_text("")
    (run / "link").symlink_to(elsewhere)
    link = tmp_path / run.name
    link.symlink_to(run.resolve())
    refused = graded("runs", "rm", link, "--yes")
    assert (refused.code, "is a link" in refused.err) == (3, True)
    assert graded("runs", "rm", run, "--yes").code == 0
    assert (elsewhere / "precious").exists()
    assert not run.exists()


def test_a_run_that_is_being_written_stays(graded: Command) -> None:
    run = only_run()
    with exclusive(run):
        assert graded("runs", "rm", run, "--yes").code == 9
    assert run.is_dir()
