"""The labelling page in a real browser: what is in sight, what keys do, and what is told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rubric_engine.case import Case
from rubric_engine.isolation import Execution, Log
from rubric_engine.judgeeval.labelling.book import Book
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.labels import Label, load_labels
from rubric_engine.submission import load_submission
from rubric_engine.web.labelling.app import label_app
from rubric_engine.web.labelling.opening import blind_desk, deciding_desk
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


def test_selected_lines_are_cited_once_and_not_for_the_next_leaf(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with served(label_app(blind_desk(folder, "a1", case))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        page.click("#line-4")
        page.keyboard.press("x")
        _told(page, "cited a.py:4")
        page.wait_for_function("() => !document.querySelector('[aria-selected=true]')")
        page.click("#line-2")
        page.wait_for_selector("#line-2[aria-selected=true]")
        window.label("1", "here", "1 of 40")
        assert page.query_selector("[aria-selected=true]") is None
        page.keyboard.press("x")
        assert page.query_selector(".places li") is None
        page.click("#line-2")
        page.keyboard.press("j")
        page.wait_for_function("() => !document.querySelector('[aria-selected=true]')")
        window.close()
    assert list(map(str, folder.labels_of("a1").labels["leaf-0-0"].citations)) == ["a.py:4"]


def test_the_last_label_names_what_comes_next(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    desk = blind_desk(folder, "a1", case)
    desk.book.put({key: Label(verdict="met", reason="seen") for key in desk.leaves[1:]})
    with served(label_app(blind_desk(folder, "a1", case))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        assert page.query_selector(".next") is None
        window.label("2", "none", "40 of 40")
        page.wait_for_selector(".next code")
        told = page.inner_text(".left .message")
        assert f"rubric-engine label agreement {folder.path}" in told
        assert "Ctrl-C" in told
        page.keyboard.press("u")
        window.wait("39 of 40")
        page.wait_for_selector(".next", state="detached")
        window.close()


def test_the_paper_keeps_lines_where_they_mean_something(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    table = "| a | b |\n|---|---|\n" + "| 1 | " + "wide " * 80 + "|"
    formula = "$a + b = c$"
    paper = f"# <b>One</b>\n\nwrapped\nprose with {formula}\n\n{table}\n\n$$x\n= y$$\n"
    told = replace(case, task=replace(case.task, paper=paper))
    with served(label_app(blind_desk(folder, "a1", told))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        page.wait_for_selector(".paper-text .heading")
        assert page.inner_text(".paper-text .heading") == "<b>One</b>"
        assert page.inner_text(".paper-text .prose") == f"wrapped prose with {formula}"
        assert page.inner_text(".paper-text .formula") == formula
        kept = page.query_selector_all(".paper-text .verbatim")
        assert [each.get_attribute("aria-label") for each in kept] == ["table", "math"]
        assert kept[0].inner_text() == table
        assert kept[0].evaluate("box => box.scrollWidth > box.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert "mono" in kept[0].evaluate("box => getComputedStyle(box).fontFamily").lower()
        window.close()


def test_places_that_are_out_of_sight_cast_a_shadow(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    place = folder.path.parent / "team-a" / "submission"
    (place / "many.txt").write_text("needle\n" * 40, encoding="utf-8")
    more = replace(case, submission=load_submission(place))
    with served(label_app(blind_desk(folder, "a1", more))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        page.fill("input[aria-label='Search all files']", "needle")
        page.wait_for_selector("text=40 places")
        below = page.query_selector(".hits")
        assert below is not None
        assert below.evaluate("box => box.scrollHeight > box.clientHeight")
        assert "scroll" in below.evaluate("box => getComputedStyle(box).backgroundAttachment")
        window.close()
