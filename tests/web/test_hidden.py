"""`view --redact`: no answer of the server holds what is named, nor a secret."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from rubric_engine.errors import UsageError
from rubric_engine.grading import Citation, Grade
from rubric_engine.rubric_file import load_rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.app import view_app
from rubric_engine.web.viewing.events import events
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.serving import served

SECRET = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3"


def _run(folder: RunFolder, path: Path) -> None:
    leaf = {"id": "falcon", "requirements": "Falcon flies", "task_category": "Code Development"}
    path.write_text(json.dumps({"id": "root", "requirements": "Falcon", "sub_tasks": [leaf]}))
    folder.write_rubric(load_rubric(path))
    folder.append("falcon", Grade.graded(1.0, f"Falcon {SECRET}", [Citation(path="falcon.py")]))


def test_no_answer_holds_what_is_named(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "runs" / "2026-05-01-falcon-aaaaaa") as folder:
        folder.state("running", {"task": "falcon", "submission": "falcon-team"})
        _run(folder, tmp_path / "rubric.json")
        ending = Ending()
        shelf = Shelf([folder.path.parent], redact=["(?i)falcon"])
        with served(view_app(shelf, ending), ending) as browser:
            browser.enter()
            (head,) = browser.ask("/api/page").json["runs"]
            below = f"/api/runs/{folder.path.name}"
            run, chunk = browser.ask(below).json, browser.ask(f"{below}/chunks/0").json
            browser.ask(f"{below}/prompt/1")
    assert run["nodes"]["requirements"] == ["***", "*** flies"]
    assert chunk["1"]["grade"]["explanation"] == "*** ***"
    assert (head["task"], head["submission"]) == ("***", "***-team")
    for said in (head, run, chunk):
        texts = json.dumps({**said, "id": "", "run": ""}).lower()
        assert "falcon" not in texts
        assert SECRET.lower() not in texts


async def _events(shelf: Shelf, name: str) -> list[str]:
    return [event async for event in events(shelf, name, Ending())]


def test_no_event_holds_what_is_named(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "runs" / "2026-05-01-falcon-aaaaaa") as folder:
        folder.state("running", {"task": "falcon", "submission": "falcon-team"})
        _run(folder, tmp_path / "rubric.json")
        folder.state("done", {"task": "falcon", "submission": "falcon-team"})
    shelf = Shelf([tmp_path / "runs"], redact=["(?i)falcon"])
    told = asyncio.run(_events(shelf, folder.path.name))
    assert any('"***.py"' in event for event in told)
    assert "falcon" not in "".join(told).lower()


def test_a_pattern_that_is_none_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="refuses"):
        Shelf([tmp_path], redact=["("])


def test_no_error_holds_what_is_named(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "runs" / "2026-05-01-falcon-aaaaaa") as folder:
        folder.state("running", {"task": "falcon", "submission": "falcon-team"})
        _run(folder, tmp_path / "rubric.json")
        (folder.path / "rubric.json").write_text('{"id": "falcon"')
        ending = Ending()
        shelf = Shelf([folder.path.parent], redact=["(?i)falcon"])
        with served(view_app(shelf, ending), ending) as browser:
            browser.enter()
            (told,) = browser.ask("/api/page").json["broken"]
            said = browser.ask(f"/api/runs/{folder.path.name}").json["error"]
    assert "***" in told["why"]
    assert "***" in said
    assert "falcon" not in told["why"] + said
