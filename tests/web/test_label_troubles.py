"""What the labelling page says where the server cannot answer, and how somebody goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from rubric_engine.case import Case
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.labels import Label
from rubric_engine.web.labelling.app import label_app
from rubric_engine.web.labelling.desk import Desk
from rubric_engine.web.labelling.opening import blind_desk, deciding_desk
from tests.web.serving import served
from tests.web.window import Window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

SEARCH = "[aria-label='Search all files']"
SECTION = "[aria-label='Section of the paper']"


@contextmanager
def _window(chromium: Browser, desk: Desk, ready: str = "body[data-ready=yes]") -> Iterator[Page]:
    with served(label_app(desk)) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}", ready=ready)
        yield window.page
        assert window.strange == []
        assert all("500" in text or "422" in text for text in window.trouble)
        window.page.context.close()


@contextmanager
def _failing(page: Page, address: str) -> Iterator[None]:
    """Let the server answer 500 below an address, with words of its own."""
    page.route(address, lambda route: route.fulfill(status=500, json={"error": "the disk is gone"}))
    yield
    page.unroute(address)


def _again(page: Page, what: str) -> None:
    """The page says what could not be done and why; ask again, and it is said no longer."""
    place = f".message.bad:has-text('{what}')"
    page.wait_for_selector(place)
    assert "the disk is gone" in page.inner_text(place)
    page.unroute_all()
    page.click(f"{place} >> text=try again")
    page.wait_for_selector(place, state="detached")


def test_a_search_that_failed_does_not_look_like_nothing_found(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with _window(chromium, blind_desk(folder, "a1", case)) as page:
        with _failing(page, "**/api/search*"):
            page.fill(SEARCH, "momentum")
            page.wait_for_selector(".message.bad")
            assert page.query_selector(".hits") is None
            _again(page, "The files were not searched")
        page.wait_for_selector(".hits >> text=2 places")


def test_lines_that_did_not_come_are_told_and_asked_for_again(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with _window(chromium, blind_desk(folder, "a1", case)) as page:
        with _failing(page, "**/api/files/*"):
            page.click("button.file >> text=reproduce.log")
            _again(page, "Lines are missing here")
        page.wait_for_selector("#line-2 >> text=Momentum 0.9")


def test_the_paper_says_what_it_could_not_show_or_search(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with _window(chromium, blind_desk(folder, "a1", case)) as page:
        page.wait_for_selector(".paper-text >> text=keeps momentum")
        with _failing(page, "**/api/paper/*"):
            page.select_option(SECTION, "2")
            _again(page, "The section is not shown")
        page.wait_for_selector(".paper-text >> text=holds the numbers")
        with _failing(page, "**/api/paper?q=*"):
            page.fill("[aria-label='Search the paper']", "momentum")
            _again(page, "The paper was not searched")
        page.wait_for_selector(".paper-text >> text=keeps momentum")
        assert page.eval_on_selector_all(f"{SECTION} option", "found => found.length") == 1


def test_help_with_a_leaf_that_did_not_come_is_told(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with _window(chromium, blind_desk(folder, "a1", case)) as page:
        with _failing(page, "**/api/near*"):
            page.keyboard.press("j")
            page.keyboard.press("j")
            _again(page, "Nothing says which sections and files help")
        page.wait_for_selector("button.file .chip")


def test_a_single_letter_is_not_searched_and_a_chinese_character_is(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with _window(chromium, blind_desk(folder, "a1", case)) as page:
        page.fill(SEARCH, "m")
        page.wait_for_selector(".hits >> text=not searched: a single letter or digit")
        page.fill(SEARCH, "法")
        page.wait_for_selector(".hits >> text=0 places")
        page.fill(SEARCH, "=")
        page.wait_for_selector(".hits >> text=0 places")
        page.fill(SEARCH, "")
        page.wait_for_selector(".hits", state="detached")


@pytest.mark.parametrize("waits", [False, True], ids=["none", "one"])
def test_a_record_of_somebody_else_that_is_damaged_is_told_an_adjudicator(
    chromium: Browser, folder: LabelFolder, case: Case, waits: bool
) -> None:
    one, other = (blind_desk(folder, name, case).book for name in ("a1", "a2"))
    other.put({"leaf-1-1": Label(verdict="not_met", reason="I do not")})
    if waits:
        one.put({"leaf-1-1": Label(verdict="met", reason="I see it")})
    ready = "body[data-ready=yes]" if waits else "text=No leaf waits"
    with _window(chromium, deciding_desk(folder, "a3", case), ready) as page:
        record = folder.path / "a2.jsonl"
        before = record.read_text()
        record.write_text('{"key": "leaf-1-1", "verdict": "perhaps"}\n')
        place = ".told.bad" if waits else ".message.bad"
        page.wait_for_selector(f"{place} >> text=what others say is not known now", timeout=15_000)
        record.write_text(before)
        page.wait_for_selector(place, state="detached", timeout=15_000)
        if waits:
            assert "what others say is known again" in page.inner_text(".told")
