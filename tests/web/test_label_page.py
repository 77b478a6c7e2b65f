"""The labelling page in a real browser: what is in sight, what keys do, and what is told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubric_engine.case import Case, Task
from rubric_engine.isolation import Execution, Log
from rubric_engine.judgeeval.labelling.book import Book
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.labels import Label, load_labels
from rubric_engine.result import Report
from rubric_engine.rubric_file import load_rubric
from rubric_engine.submission import load_submission
from rubric_engine.web.labelling.app import label_app
from rubric_engine.web.labelling.opening import blind_desk, correcting_desk, deciding_desk
from tests.web.serving import served
from tests.web.window import Window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


def _focus(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.tagName"))


def _told(page: Page, text: str) -> None:
    page.wait_for_function("t => document.querySelector('.told').innerText.includes(t)", arg=text)


def test_a_text_is_open_at_first_and_the_one_that_the_rubric_names_for_its_leaf(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with served(label_app(blind_desk(folder, "a1", case))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        page.wait_for_selector("[aria-label='Lines of a.py']")
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.wait_for_selector("[aria-label='Lines of reproduce.log']")
        assert page.inner_text("button.file .chip") == "the rubric names it"
        page.keyboard.press("j")
        page.wait_for_function("() => !document.querySelector('button.file .chip')")
        assert page.is_visible("[aria-label='Lines of reproduce.log']")  # what is read stays
        assert page.inner_text(".lacking").strip() == "No results: the run left none."
        window.close()


def test_keys_do_alike_and_say_what_they_cannot(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    bare = replace(case, execution=None)
    with served(label_app(blind_desk(folder, "a1", bare))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        assert "No results and no log" in page.inner_text(".lacking")
        assert page.inner_text(".lacking code >> nth=0") == "--executed --log FILE"
        for key in "123":
            page.keyboard.press(key)
            assert _focus(page) == "BODY"
        page.keyboard.press("u")
        _told(page, "nothing to undo: your record has no earlier change")
        page.keyboard.press("Enter")
        _told(page, '"cannot judge" wants a reason')
        assert _focus(page) == "reason"
        page.keyboard.press("Escape")
        page.keyboard.press("g")
        page.wait_for_selector("dialog textarea:focus")
        page.keyboard.type("nothing of it")
        page.click("dialog .chief")
        window.wait("10 of 40")
        page.keyboard.press("u")
        _told(page, "taken back: 10 leaves")
        window.close()


def test_undo_goes_on_where_an_earlier_server_ended(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    book = blind_desk(folder, "a1", case).book
    book.put({"leaf-2-5": Label(verdict="met", reason="yesterday", seconds=2.0)})
    with served(label_app(blind_desk(folder, "a1", case))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        window.wait("1 of 40")
        window.page.keyboard.press("u")
        window.wait("0 of 40")
        _told(window.page, "taken back: no label now")
        assert window.page.inner_text("#requirement") == "The method of part 2 has step 5"
        window.close()


def _dispute(one: Book, other: Book, key: str) -> None:
    one.put({key: Label(verdict="met", reason="I see it")})
    other.put({key: Label(verdict="not_met", reason="I do not")})


def test_disputes_come_while_the_page_is_open(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    one, other = (blind_desk(folder, name, case).book for name in ("a1", "a2"))
    with served(label_app(deciding_desk(folder, "a3", case))) as server:
        address = f"{server.origin}/?token={server.token}"
        window = Window(chromium, address, ready="text=No leaf waits")
        page = window.page
        _dispute(one, other, "leaf-1-1")
        page.wait_for_selector("text=The method of part 1 has step 1", timeout=15_000)
        page.keyboard.press("r")
        page.keyboard.type("half a thought")
        page.keyboard.press("Escape")
        _dispute(one, other, "leaf-0-0")
        window.wait("0 of 2")
        _told(page, "1 more leaf to decide")
        assert page.input_value("#reason") == "half a thought"  # nobody is moved away
        assert page.inner_text("#requirement") == "The method of part 1 has step 1"
        other.put({"leaf-1-1": Label(verdict="met", reason="now I see it")})
        window.wait("0 of 1")
        assert page.inner_text("#requirement") == "The method of part 0 has step 0"
        window.close()


def test_a_record_that_went_is_told_and_what_was_written_stays(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    desk = blind_desk(folder, "a1", case)
    with desk.book.held(), served(label_app(desk)) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        window.label("2", "none", "1 of 40")
        (folder.path / "a1.jsonl").unlink()
        page = window.page
        page.keyboard.press("2")
        page.keyboard.press("r")
        page.keyboard.type("nor here")
        page.keyboard.press("Enter")
        _told(page, "was moved, deleted or replaced")
        _told(page, "end this `label serve` with Ctrl-C")
        assert page.input_value("#reason") == "nor here"
        assert all("409" in text for text in window.trouble)
    saved = load_labels(folder.path / "a1.jsonl.saved").labels
    assert [label.reason for label in saved.values()] == ["none", "nor here"]


def test_lines_of_what_a_citation_does_not_mean_are_not_cited(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    place = folder.path.parent / "left"
    place.mkdir()
    (place / "a.py").write_text("changed = 1\nby = 'the run'\n")
    execution = Execution(
        status="ok", modified=("a.py",), log=Log(head="x\n"), submission=load_submission(place)
    )
    ran = Case(case.task, case.submission, execution)
    with served(label_app(blind_desk(folder, "a1", ran))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        page.click("button.file >> text=as the run left it: a.py")
        page.wait_for_function("() => document.body.innerText.includes('changed = 1')")
        page.click("#line-2")
        page.keyboard.press("x")
        _told(page, "not cited: a citation of this path means the file as it was handed in")
        assert page.query_selector(".places li") is None
        window.close()


def test_a_server_that_ended_is_told_and_what_was_written_stays(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with served(label_app(blind_desk(folder, "a1", case))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
    page = window.page
    page.keyboard.press("1")
    page.keyboard.press("r")
    page.keyboard.type("here")
    page.keyboard.press("Enter")
    _told(page, "the server does not answer")
    assert page.input_value("#reason") == "here"


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
