"""`view --redact`: no answer of the server holds what is named, nor a secret."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from rubric_engine.cli.view import _command
from rubric_engine.errors import UsageError
from rubric_engine.grading import Citation, Grade
from rubric_engine.rubric_file import load_rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.app import view_app
from rubric_engine.web.viewing.events import events
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.serving import Browser, served

SECRET = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3"


def _run(folder: RunFolder, path: Path) -> None:
    leaf = {"id": "falcon", "requirements": "Falcon flies", "task_category": "Code Development"}
    path.write_text(json.dumps({"id": "root", "requirements": "Falcon", "sub_tasks": [leaf]}))
    folder.write_rubric(load_rubric(path))
    folder.append("falcon", Grade.graded(1.0, f"Falcon {SECRET}", [Citation(path="falcon.py")]))


NAME = "2026-05-01-falcon-aaaaaa"
FACTS = {"task": "falcon", "submission": "falcon-team"}


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """A browser on a run that goes on, one that cannot be read, and what is no run at all."""
    base = tmp_path / "falcon-runs"
    for name, file in (("falcon-cut", "run.json"), ("falcon-damaged", "report.json")):
        with RunFolder(base / name) as broken:
            _run(broken, tmp_path / "rubric.json")
            broken.state("done", FACTS)
        (base / name / file).write_text('{"report": 0, "falcon": ')
    ending, command = Ending(), _command((str(base),), base, "127.0.0.1", base / "token")
    with RunFolder(base / NAME) as folder:
        folder.state("running", FACTS)
        _run(folder, tmp_path / "rubric.json")
        shelf = Shelf([base], redact=["(?i)falcon"])
        with served(view_app(shelf, ending, command), ending) as inside:
            inside.enter()
            yield inside


def test_no_answer_holds_what_is_named(browser: Browser) -> None:
    page = browser.ask("/api/page").json
    [going] = [head for head in page["runs"] if head["status"] == "running"]
    for head in page["runs"]:
        for below in ("", "/chunks/0", "/prompt/1"):
            browser.ask(f"/api/runs/{quote(head['id'])}{below}")
    browser.ask("/api/runs/none")
    assert len(page["broken"]) == 2
    assert page["redacted"]
    below = f"/api/runs/{quote(going['id'])}"
    run, chunk = browser.ask(below).json, browser.ask(f"{below}/chunks/0").json
    assert run["nodes"]["requirements"] == ["***", "*** flies"]
    assert chunk["1"]["grade"]["explanation"] == "*** ***"
    assert (run["id"], run["task"], run["submission"]) == (going["id"], "***", "***-team")
    assert any(b'"error"' in body for body in browser.said)
    for body in browser.said:
        assert b"falcon" not in body.lower()
        assert SECRET.lower().encode() not in body.lower()


def test_a_run_whose_name_is_hidden_keeps_its_address_and_no_other_has_it(tmp_path: Path) -> None:
    base = tmp_path / "runs"
    for name in ("falcon-one", "eagle-two", "FALCON-one"):
        with RunFolder(base / name) as folder:
            _run(folder, tmp_path / "rubric.json")
            folder.state("done", FACTS)

    def ids() -> set[str]:
        return set(Shelf([base], redact=["(?i)falcon"]).found.runs)

    assert ids() == ids()
    hidden = sorted(each for each in ids() if re.fullmatch(r"\*\*\*-one~[0-9a-f]{12}", each))
    assert len(hidden) == 2
    assert ids() == {*hidden, "eagle-two"}


async def _events(shelf: Shelf, name: str) -> list[str]:
    return [event async for event in events(shelf, name, Ending())]


def test_no_event_holds_what_is_named(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "runs" / "2026-05-01-falcon-aaaaaa") as folder:
        folder.state("running", {"task": "falcon", "submission": "falcon-team"})
        _run(folder, tmp_path / "rubric.json")
        folder.state("done", {"task": "falcon", "submission": "falcon-team"})
    shelf = Shelf([tmp_path / "runs"], redact=["(?i)falcon"])
    [name] = shelf.found.runs
    told = asyncio.run(_events(shelf, name))
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
            said = browser.ask(f"/api/runs/{quote(told['id'])}").json["error"]
    assert "***" in told["why"]
    assert "***" in said
    assert "falcon" not in told["why"] + said
