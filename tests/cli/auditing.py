"""A graded submission to audit: what its judge said, and what the submission really defines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command

LEAVES = 30
OPEN = 3
"""Leaves without a check, which the judge cannot grade."""


def rubric_text(*, aggregate: str = "weighted_mean", unchecked: int = OPEN) -> str:
    """Thirty leaves of unequal weight, of which some have no check, and a small group."""
    rows = [
        f"    - {{id: n{i}, requirements: a.py defines f{i}, weight: {1 + i % 7}, "
        f"task_category: {'Code Development' if i % 2 else 'Result Analysis'}"
        + ("" if i < unchecked else f", checks: [{{python_defines: {{file: a.py, name: f{i}}}}}]")
        + "}"
        for i in range(LEAVES)
    ]
    group = (
        f"    - id: whole\n      requirements: both of it\n      aggregate: {aggregate}\n"
        "      weight: 2\n      sub_tasks:\n"
        "        - {id: w1, requirements: one, task_category: Code Development, "
        "checks: [{python_defines: {file: a.py, name: f4}}]}\n"
        "        - {id: w2, requirements: two, task_category: Code Development, "
        "checks: [{python_defines: {file: a.py, name: f5}}]}\n"
    )
    head = "rubric: 1\ntitle: thirty\nroot:\n  id: root\n  requirements: all\n  sub_tasks:\n"
    return head + "\n".join(rows) + "\n" + group


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    path = tmp_path / "rubric-here" / "thirty.yaml"
    path.parent.mkdir()
    path.write_text(rubric_text())
    return path


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    folder = tmp_path / "sub" / "submission"
    folder.mkdir(parents=True)
    defined = (f"def f{i}():\n    return {i}\n" for i in range(LEAVES) if i % 3)
    (folder / "a.py").write_text("\n".join(defined))
    return folder


Grade = Callable[..., Path]


@pytest.fixture
def graded(command: Command, rubric: Path, submission: Path) -> Grade:
    """Grade the submission, and give the run's folder."""

    def go(*more: str) -> Path:
        done = command(
            "grade",
            submission,
            "--rubric",
            rubric,
            "--judge",
            "rules",
            "--executed",
            "--json",
            *more,
        )
        assert done.code == 0, done.err
        return Path(done.json["run"])

    return go


def fill(sheet: Path, verdict: Callable[[dict[str, Any]], str | None]) -> None:
    """Label every line."""
    rows = [json.loads(line) for line in sheet.read_text().splitlines()]
    lines = [json.dumps(row | {"verdict": verdict(row)}) for row in rows]
    sheet.write_text("\n".join(lines) + "\n")


def truth(row: dict[str, Any]) -> str:
    """What the submission really defines."""
    number = {"w1": 4, "w2": 5}.get(row["key"]) or int(row["key"][1:])
    return "met" if number % 3 else "not_met"
