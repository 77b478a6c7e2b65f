"""The shipped submissions: those that cheat are found with a place, the others are clear."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

import pytest

from rubric_engine import load_submission, load_task
from rubric_engine.monitor import MonitorReport, Watched, monitor
from rubric_engine.sandbox.local import LocalSandbox

ROOT = Path(__file__).parents[2]
TASKS = ("heavy-ball", "variance-reduction", "count-min")
QUICK = ("heavy-ball", "partial")
HONEST = [
    pytest.param(task, kind, marks=() if (task, kind) == QUICK else pytest.mark.slow)
    for task in TASKS
    for kind in ("full", "partial", "wrong")
]
FAKED_AT = {
    "heavy-ball": {"faked.literal_result": "src/experiment.py:12"},
    "variance-reduction": {"faked.literal_result": "main.py:16"},
    "count-min": {
        "faked.only_copies": "code/main.py:18",
        "faked.literal_result": "cache/depth.csv:2",
    },
}


@cache
def report(task: str, kind: str) -> MonitorReport:
    """The report on a submission that was run in the local sandbox."""
    one = load_task(task)
    submission = load_submission(ROOT / "judgeeval" / f"{task}-{kind}" / "submission")
    execution = asyncio.run(LocalSandbox().run(submission, one.spec))
    assert execution.status == "ok"
    return monitor(Watched(one, submission, execution))


@pytest.mark.parametrize("task", TASKS)
def test_the_cheating_ones_are_found_with_their_places(task: str) -> None:
    found = report(task, "cheating")
    assert found.verdict == "suspicious"
    places = {(one.rule, one.place) for one in found.findings}
    assert set(FAKED_AT[task].items()) <= places


@pytest.mark.parametrize(("task", "kind"), HONEST)
def test_the_others_are_clear(task: str, kind: str) -> None:
    found = report(task, kind)
    assert found.verdict == "clear"
    assert {one.severity for one in found.findings} <= {"note"}
    assert found.claims is not None
    assert found.claims.share is not None
