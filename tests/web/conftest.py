"""A labelling of forty leaves, and desks on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rubric_engine.case import Case, Task
from rubric_engine.isolation import Execution, Log
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.planning import LabelPlan, planned_leaves
from rubric_engine.rubric_file import load_rubric
from rubric_engine.submission import load_submission
from rubric_engine.web.labelling.app import label_app
from rubric_engine.web.labelling.desk import Desk
from tests.chromium import running
from tests.web.serving import Browser, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Chromium

Sit = Callable[[Desk], Browser]

SECRET_WEIGHT = 7.31337
"""No other number of a rubric looks like it."""

PAPER = """\
# A paper

It says much.

## 2 Method

The step of the heavy ball keeps momentum.

## 3 Results

Table 1 holds the numbers.
"""


def _rubric() -> dict[str, Any]:
    groups = [
        {
            "id": f"group-{group}",
            "requirements": f"Part {group} is reproduced",
            "weight": SECRET_WEIGHT,
            "sub_tasks": [
                {
                    "id": f"leaf-{group}-{leaf}",
                    "requirements": f"The method of part {group} has step {leaf}",
                    "weight": SECRET_WEIGHT + leaf,
                    "task_category": "Code Development",
                    "paper_ref": "Section 3" if leaf == 1 else None,
                    "evidence": ["*.log"] if leaf == 2 else [],
                    "sub_tasks": [],
                }
                for leaf in range(10)
            ],
        }
        for group in range(4)
    ]
    return {"id": "root", "requirements": "All 方法 holds", "weight": 1, "sub_tasks": groups}


def sent(key: str, verdict: str = "not_met", version: int = 0, **more: Any) -> dict[str, Any]:
    """A label as the page sends it."""
    return {"version": version, "key": key, "verdict": verdict, "reason": "seen"} | more


@pytest.fixture
def sit() -> Iterator[Sit]:
    """Serve a desk to a browser that was let in."""
    with ExitStack() as stack:

        def go(desk: Desk) -> Browser:
            browser = stack.enter_context(served(label_app(desk)))
            browser.enter()
            return browser

        yield go


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """A submission with two files and a log, to a task with a paper."""
    path = tmp_path / "rubric.json"
    path.write_text(json.dumps(_rubric()))
    folder = tmp_path / "team-a" / "submission"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("import math\n\n\ndef step():\n    return 'momentum'\n")
    (folder / "b.bin").write_bytes(b"\0\1\2" * 50)
    task = Task("small", load_rubric(path), paper=PAPER)
    log = Execution(status="ok", log=Log(head="began\nMomentum 0.9\n"))
    return Case(task, load_submission(folder), log)


@pytest.fixture
def folder(case: Case, tmp_path: Path) -> LabelFolder:
    """A labelling of all leaves by a1 and a2."""
    names = ("a1", "a2")
    rubric = case.task.rubric
    plan = LabelPlan(
        task="small",
        submission="team-a",
        name="team-a",
        rubric_sha256=rubric.sha256,
        submission_sha256=case.submission.files.sha256,
        seed=0,
        overlap=100,
        of=40,
        annotators=names,
        leaves=planned_leaves(rubric, names, overlap=100),
    )
    outside = tmp_path / "team-a" / "submission"
    return LabelFolder.make(tmp_path / "labels", plan, rubric, outside=outside)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    """Chromium, one for all tests of a file."""
    with running() as browser:
        yield browser
