"""The labelling page in a real browser: leaves that are called what every object has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubric_engine.case import Case, Task
from rubric_engine.labels import load_labels
from rubric_engine.result import Report
from rubric_engine.rubric_file import load_rubric
from rubric_engine.submission import load_submission
from rubric_engine.web.labelling.app import label_app
from rubric_engine.web.labelling.opening import correcting_desk
from tests.web.serving import served
from tests.web.window import Window

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


def test_keys_that_every_object_has_are_labelled_like_any_other(
    chromium: Browser, tmp_path: Path
) -> None:
    names = ("constructor", "__proto__", "toString", "hasOwnProperty", "valueOf")
    leaves = [
        {"id": name, "requirements": f"Is {name} there", "weight": 1,
         "task_category": "Code Development"}
        for name in names
    ]  # fmt: skip
    root = {"id": "root", "requirements": "all", "weight": 1, "sub_tasks": leaves}
    (tmp_path / "rubric.yaml").write_text(json.dumps({"rubric": 1, "root": root}))
    (tmp_path / "sub").mkdir()
    for name in names:
        (tmp_path / "sub" / name).write_text("text\n")
    rubric = load_rubric(tmp_path / "rubric.yaml")
    case = Case(Task("odd", rubric, paper="# p\n"), load_submission(tmp_path / "sub"), None)
    report = Report(rubric, {})
    desk = correcting_desk(report, case, "a1", tmp_path / "labels" / "a1.jsonl")
    with desk.book.held(), served(label_app(desk)) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        assert window.page.inner_text("#progress") == "0 of 5"
        for done, name in enumerate(names, 1):
            window.page.wait_for_selector(f"#requirement:has-text('Is {name} there')")
            window.label("2", f"not {name}", f"{done} of 5")
        window.page.keyboard.press("u")
        window.wait("4 of 5")
        window.page.reload()
        window.page.wait_for_selector("body[data-ready=yes]")
        window.wait("4 of 5")
        window.close()
    said = load_labels(tmp_path / "labels" / "a1.jsonl").labels
    assert {key: label.reason for key, label in said.items()} == {
        name: f"not {name}" for name in names[:-1]
    }
