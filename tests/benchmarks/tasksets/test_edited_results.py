"""Files of results that somebody edited: what cannot be is told, and never counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.benchmarks.tasksets.results import dump_results, load_results
from rubric_engine.benchmarks.tasksets.summary import summarise
from tests.benchmarks.tasksets.test_figures import RUN
from tests.cli.conftest import Command

SCORE = {"value": 0.5, "low": 0.9, "high": 0.1, "coverage": 1.0}
ANSWER = ("tasks", 0, "answers", 0)
EDITED: dict[str, tuple[tuple[str | int, ...], Any]] = {
    "seconds without end": ((*ANSWER, "seconds"), 1e308),
    "a place for a run": (("run",), "/tmp/x"),
    "a pattern for a run": (("run",), "*"),
    "the place of an answer's run": ((*ANSWER, "run"), "../x"),
    "no amount": (("cost",), {"agent": {"usd": float("nan")}}),
    "a negative amount": (("cost",), {"agent": {"usd": -1.0}}),
    "low above high": ((*ANSWER, "score"), SCORE),
    "low above high of a task": (("tasks", 0, "score"), SCORE),
    "half a range": ((*ANSWER, "score"), SCORE | {"low": None}),
    "a spread that cannot be": ((*ANSWER, "leaves"), [
        {"key": "l", "category": "c", "worth": 1.0, "sd": 1e308}
    ]),
    "more than all claims": ((*ANSWER, "claims"), {"claims": 1, "ungrounded": 2}),
    "interventions without end": ((*ANSWER, "interventions"), 10**400),
    "another task's answer": ((*ANSWER, "task"), "t2"),
    "a sample that stands twice": ((*ANSWER, "sample"), 1),
    "an exit code that is none": (("exit_code",), 10**30),
}  # fmt: skip


def edited(folder: Path, way: tuple[str | int, ...], value: Any, status: str) -> Path:
    dump_results(RUN, folder)
    path = folder / "results.json"
    whole = json.loads(path.read_text())
    whole["status"] = status
    at: Any = whole
    for step in way[:-1]:
        at = at[step]
    at[way[-1]] = value
    path.write_text(json.dumps(whole))
    return path


@pytest.mark.parametrize("status", ["done", "running"])
@pytest.mark.parametrize("what", EDITED)
def test_what_cannot_be_is_told(command: Command, tmp_path: Path, what: str, status: str) -> None:
    done = command("bench", "report", edited(tmp_path, *EDITED[what], status), "--json")
    assert done.code == 3
    assert done.json["error"]["code"] == "E632"


def test_a_task_that_stands_twice_is_not_counted_twice(command: Command, tmp_path: Path) -> None:
    twice = [RUN.tasks[0].model_dump(mode="json")] * 2
    done = command("bench", "report", edited(tmp_path, ("tasks",), twice, "done"))
    assert done.code == 3
    assert "'t1' stands twice" in done.err


def test_a_kept_line_that_nests_without_end_is_left_out(tmp_path: Path) -> None:
    path = edited(tmp_path, ("stopped",), None, "running")
    (tmp_path / "kept.jsonl").write_text("[" * 100_000 + "\n")
    assert summarise(load_results(path)) == summarise(RUN)
