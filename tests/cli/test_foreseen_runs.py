"""What is foreseen of leaves that need a run: with the earlier run that will be taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine import grade, load_rubric
from rubric_engine.candidate import load_candidate
from rubric_engine.case import Case
from rubric_engine.cli.settling import foreseen_run
from rubric_engine.dry_run import Foresight, foresee
from rubric_engine.isolation import RunSpec
from rubric_engine.submission import load_submission
from rubric_engine.task import task_of
from rubric_engine.testing import ScriptedServer
from tests.cli.conftest import Command
from tests.cli.paying import write_card
from tests.executed.desk import Alike

SPEC = RunSpec()


@pytest.fixture
def graded(command: Command, rubric: Path, submission: Path, tmp_path: Path) -> Path:
    """A folder of runs in which all was answered; the card stays."""
    (submission / "reproduce.sh").write_text("echo a,b > out.csv; echo made it\n")
    with ScriptedServer() as server:
        card = write_card(tmp_path / "card", server.base_url)
        grade(
            load_rubric(rubric), submission, judge=str(card), sandbox=Alike(), spec=SPEC,
            run_dir=tmp_path / "runs" / "x",
        )  # fmt: skip
    return tmp_path / "runs"


def foreseen(runs: Path, rubric: Path, submission: Path, *, rerun: bool = False) -> Foresight:
    handed_in = load_submission(submission)
    run = foreseen_run(Alike(), handed_in, SPEC, runs, rerun=rerun)
    candidate = load_candidate(str(runs.parent / "card" / "judge.yaml"))
    return foresee(candidate, Case(task_of(load_rubric(rubric)), handed_in, run), runs=runs)


def test_what_was_answered_about_a_run_that_will_be_taken_is_free(
    graded: Path, rubric: Path, submission: Path
) -> None:
    known = foreseen(graded, rubric, submission)
    assert (known.calls, known.paid, known.high) == (0, 3, 0.0)
    assert foreseen(graded, rubric, submission, rerun=True).calls == 1
    (submission / "a.py").write_text("def solve():\n    return 2\n")
    assert foreseen(graded, rubric, submission).calls == 3


def test_without_a_store_nothing_is_copied_and_the_best_is_supposed(
    submission: Path, tmp_path: Path
) -> None:
    handed_in = load_submission(submission)
    found = foreseen_run(Alike(), handed_in, SPEC, tmp_path / "none")
    assert found is not None
    assert (found.status, found.submission) == ("ok", None)
    assert foreseen_run(None, handed_in, SPEC, tmp_path / "none") is None
