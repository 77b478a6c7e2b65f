"""Names that have no part in a labelling; a disk that is full."""

from __future__ import annotations

import json
import resource
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Command

PLAN = Path("labels/small-sub")


@pytest.fixture
def planned(command: Command, rubric: Path, submission: Path) -> Command:
    """The command, with a labelling for ada and bo."""
    how = ("--rubric", rubric, "--annotators", "ada,bo", "--sample", "2", "--overlap", "50")
    assert command("label", "assign", submission, *how).code == 0
    return command


def _fixes(text: str) -> list[str]:
    lines = (line.strip() for line in text.splitlines())
    return [line.removeprefix("fix: ") for line in lines if line.startswith("fix: ")]


def test_a_name_that_is_not_in_the_plan_is_offered_those_that_are_and_a_part(
    planned: Command, rubric: Path, submission: Path
) -> None:
    serve = ("label", "serve", submission, "--rubric", rubric, "--no-open", "--as")
    outcome = planned(*serve, "bob")
    assert outcome.code == 2
    near, other, anew, decide = _fixes(outcome.err)
    assert near == "--as bo   did you mean 'bo'?"
    assert other == "--as ada   is in the plan"
    assert decide == "--adjudicate --as bob   makes bob an adjudicator"
    command = anew.partition("   ")[0]
    assert planned(*shlex.split(command.removeprefix("rubric-engine "))).code == 0
    assert Path(f"{PLAN}-bob/todo-bob.jsonl").is_file()
    before, after = (json.loads(Path(path, "plan.json").read_text())["leaves"]
                     for path in (PLAN, f"{PLAN}-bob"))  # fmt: skip
    assert [leaf["key"] for leaf in before] == [leaf["key"] for leaf in after]
    imported = planned("label", "import", PLAN / "todo-ada.jsonl", "--as", "bob")
    assert _fixes(imported.err)[-1].startswith("rubric-engine label adjudicate")


def test_a_name_that_differs_in_case_alone_is_no_other_name(
    planned: Command, rubric: Path, submission: Path
) -> None:
    serve = ("label", "serve", submission, "--rubric", rubric, "--no-open", "--as", "Ada")
    assert _fixes(planned(*serve).err) == ["--as ada   did you mean 'ada'?"]


def test_who_decides_is_told_the_option(planned: Command, rubric: Path, submission: Path) -> None:
    assert planned("label", "adjudicate", "--as", "cy").code == 0
    serve = ("label", "serve", submission, "--rubric", rubric, "--no-open", "--as", "cy")
    assert _fixes(planned(*serve).err) == ["--adjudicate --as cy   cy decides here"]


def test_a_disk_that_is_full_ends_the_command_at_its_start(
    planned: Command, rubric: Path, submission: Path
) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        serve = ("label", "serve", submission, "--rubric", rubric, "--as", "ada", "--no-open")
        outcome = planned(*serve)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert outcome.code == 9
    assert "cannot write labels/small-sub/ada.jsonl" in outcome.err


def test_a_folder_that_may_only_be_read_ends_the_command_at_its_start(
    planned: Command, rubric: Path, submission: Path,
    obeying: Callable[..., subprocess.CompletedProcess[str]], read_only: Callable[[Path], None],
) -> None:  # fmt: skip
    read_only(PLAN)
    words = ("serve", submission, "--rubric", rubric, "--as", "ada", "--no-open")
    done = obeying("from rubric_engine.cli import main; main()", "label", *map(str, words))
    assert (done.returncode, done.stdout) == (9, "")
    assert "cannot write labels/small-sub/ada.jsonl" in done.stderr
