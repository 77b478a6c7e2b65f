"""A labelling by two annotators of one submission, and what they fill in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Outcome

FOLDER = Path("labels/small-sub")

Fill = Callable[[str, Mapping[str, str]], Outcome]


@pytest.fixture
def assigned(command: Command, rubric: Path, submission: Path) -> Command:
    """The command, with three leaves that a1 and a2 are to label."""
    how = ("--rubric", rubric, "--annotators", "a1,a2", "--overlap", "100%")
    assert command("label", "assign", submission, *how).code == 0
    return command


@pytest.fixture
def fill(assigned: Command) -> Fill:
    """Fill a work file in and import it."""

    def go(name: str, verdicts: Mapping[str, str]) -> Outcome:
        kind = "todo" if name in ("a1", "a2") else "adjudicate"
        file = FOLDER / f"{kind}-{name}.jsonl"
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        for row in rows:
            row |= {"verdict": verdicts.get(row["key"]), "reason": f"seen by {name}"}
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return assigned("label", "import", file, "--as", name)

    return go


ONE = {"code": "met", "prose": "met", "run": "not_met"}
OTHER = {"code": "met", "prose": "not_met", "run": "cannot_judge"}


@pytest.fixture
def other(submission: Path) -> Path:
    """Another submission of the same task."""
    folder = submission.parent.with_name("other") / "submission"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("x = 1\n")
    return folder
