"""Grading in Docker, end to end."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine import Report, grade, load_task
from rubric_engine.sandbox import load_sandbox
from rubric_engine.sandbox.docker import DockerSandbox
from rubric_engine.submission import load_submission
from tests.cli.conftest import Command, command, rubric, submission

__all__ = ["command", "rubric", "submission"]

pytestmark = pytest.mark.usefixtures("engine")

ROOT = Path(__file__).parent.parent.parent
SHIPPED = sorted(path.parent.name for path in (ROOT / "judgeeval").glob("*/case.yaml"))


def graded(name: str, sandbox: str) -> Report:
    folder = load_submission(ROOT / "judgeeval" / name / "submission")
    task = load_task(name.rpartition("-")[0])
    return grade(task, folder, judge="rules", sandbox=load_sandbox(sandbox))


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_grades_are_the_same_as_on_this_machine(name: str) -> None:
    here, boxed = graded(name, "local"), graded(name, "docker")
    assert {key: one.score for key, one in here.grades.items()} == {
        key: one.score for key, one in boxed.grades.items()
    }


def test_the_same_is_not_run_twice(tmp_path: Path) -> None:
    folder = tmp_path / "submission"
    folder.mkdir()
    (folder / "reproduce.sh").write_text("echo 1 > out.csv")
    task = load_task("heavy-ball")
    reports = [
        grade(task, folder, judge="rules", sandbox=DockerSandbox(), run_dir=tmp_path / "runs" / at)
        for at in ("a", "b")
    ]
    assert [any(one.code == "W313" for one in report.warnings) for report in reports] == [0, 1]
    assert reports[0].grades == reports[1].grades


def test_auto_takes_docker_where_it_answers(
    command: Command, rubric: Path, submission: Path
) -> None:
    (submission / "reproduce.sh").write_text("ls /sys/class/net; echo 1 > out.csv")
    done = command("grade", submission, "--rubric", rubric)
    assert done.code == 0
    assert "sandbox     docker, network none" in done.err
    assert command("reproduce", submission, "-o", "executed").code == 0
    assert Path("executed/reproduce.log").read_text() == "lo\n"
    assert command("grade", "executed", "--rubric", rubric).code == 0
    missing = command("grade", submission, "--rubric", rubric, "--recipe", "none-such")
    assert missing.code == 3
