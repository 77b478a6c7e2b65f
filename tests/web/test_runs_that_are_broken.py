"""What is wrong with a run is said; it hides no other run and is no error of the server."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.rubric import Rubric
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.runs import base, browser, done
from tests.web.serving import Browser
from tests.web.test_view import rubric

__all__ = ["base", "browser", "rubric"]


def _no_run_json(run: Path) -> None:
    (run / "run.json").unlink()


def _no_file(run: Path) -> None:
    (run / "run.json").unlink()
    (run / "run.json").mkdir()


def _pipe(run: Path) -> None:
    (run / "run.json").unlink()
    os.mkfifo(run / "run.json")


def _no_way_in(run: Path) -> None:
    (run / "run.json").unlink()
    (run / "run.json").symlink_to("run.json")


def _cut(run: Path) -> None:
    (run / "run.json").write_text((run / "run.json").read_text()[:40])


def _died_early(run: Path) -> None:
    facts = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(facts | {"status": "running"}))
    (run / "rubric.json").unlink()


BROKEN: list[tuple[Callable[[Path], None], str]] = [
    (_no_run_json, "it ended before anything of it was kept"),
    (_no_file, "its run.json is no file"),
    (_pipe, "its run.json is no file"),
    (_no_way_in, "it cannot be read: Too many levels of symbolic links"),
    (_cut, "is not valid JSON"),
    (_died_early, "it ended before its rubric was kept, so nothing was graded"),
]


@pytest.mark.parametrize(("broken", "why"), BROKEN, ids=lambda each: getattr(each, "__name__", ""))
def test_what_is_wrong_with_a_folder_is_said_and_hides_no_other(
    browser: Browser, base: Path, rubric: Rubric, broken: Callable[[Path], None], why: str
) -> None:
    done(base / "one", rubric)
    broken(done(base / "two", rubric))
    page = browser.ask("/api/page").json
    assert [head["id"] for head in page["runs"]] == ["one"]
    [told] = page["broken"]
    assert told["id"] == "two"
    assert why in told["why"]
    assert browser.ask("/api/runs/two").status in (404, 422)


def test_a_folder_of_runs_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    page = Shelf([loop, tmp_path / "absent"]).page()
    assert page["broken"] == [
        {"id": str(loop), "why": "it cannot be read: Too many levels of symbolic links"}
    ]


DAMAGE = (
    "",
    "[]",
    "{}",
    "[" * 100_000,
    '{"report": 1}',
    '{"report": 2}',
    "\0",
    '{"key": "first"}\n',
)


@pytest.mark.parametrize("name", ["report.json", "rubric.json", "grades.jsonl", "labels.jsonl"])
def test_no_damage_of_a_run_is_an_error_of_the_server(
    browser: Browser, base: Path, rubric: Rubric, name: str
) -> None:
    run = done(base / "one", rubric)
    for text in DAMAGE:
        (run / name).write_text(text)
        for below in ("", "/chunks/0", "/prompt/1"):
            answer = browser.ask(f"/api/runs/one{below}")
            assert answer.status in (200, 404, 422)
            assert answer.status == 200 or answer.json["error"]
        assert browser.ask("/api/page").status == 200


def test_a_run_of_another_version_that_cannot_be_read_says_so(
    browser: Browser, base: Path, rubric: Rubric
) -> None:
    run = done(base / "one", rubric, versions={"rubric-engine": "0.0.3"})
    (run / "report.json").write_text('{"report": 0}')
    said = browser.ask("/api/runs/one").json["error"]
    assert "report.json is no report" in said
    assert "made by rubric-engine 0.0.3, and this is" in said
