"""The labelling page in a real browser: what stays in reach, and what is counted once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rubric_engine.case import Case
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.submission import load_submission
from rubric_engine.web.labelling.app import label_app
from rubric_engine.web.labelling.opening import blind_desk
from tests.web.serving import served
from tests.web.window import Window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


def _focus(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.tagName"))


def _told(page: Page, text: str) -> None:
    page.wait_for_function("t => document.querySelector('.told').innerText.includes(t)", arg=text)


def test_the_line_that_keys_move_stays_in_the_page_when_it_is_scrolled_away(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    place = folder.path.parent / "long"
    place.mkdir()
    (place / "long.csv").write_text("".join(f"{at},{at * at}\n" for at in range(3_000)))
    long = replace(case, submission=load_submission(place))
    with served(label_app(blind_desk(folder, "a1", long))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        page.wait_for_selector("#line-3")
        row = "document.querySelector('#line-3')"
        assert page.evaluate(f"{row}.ariaSetSize + {row}.ariaPosInSet") == "30003"
        page.click("#line-3")
        page.evaluate("document.querySelector('.lines').scrollTop = 40_000")
        page.wait_for_selector("#line-2230 >> text=2229,")
        active = page.get_attribute(".lines", "aria-activedescendant")
        assert active == "line-3"
        assert page.get_attribute(f"#{active}", "aria-selected") == "true"
        page.focus(".lines")
        page.keyboard.press("ArrowDown")
        page.wait_for_selector("#line-4[aria-selected=true]")
        assert page.query_selector("#line-3[aria-selected=true]") is None
        window.close()


COUNTING = """() => {
  const count = RE.desk.openBelow;
  RE.desk.counted = 0;
  RE.desk.openBelow = (desk) => {
    RE.desk.counted += 1;
    return count(desk);
  };
}"""


def test_leaves_are_counted_once_for_all_groups_and_not_with_each_key(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with served(label_app(blind_desk(folder, "a1", case))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        window.label("1", "seen", "1 of 40")
        page.evaluate(COUNTING)
        page.keyboard.press("g")
        page.wait_for_selector("dialog textarea:focus")
        options = page.locator("dialog option").all_inner_texts()
        assert options == ["Part 0 is reproduced (9 open)", "All 方法 holds (39 open)"]
        assert page.inner_text("dialog .chief").strip() == "mark all 9 below as not met"
        page.keyboard.type("nothing of it is there")
        assert page.input_value("dialog textarea") == "nothing of it is there"
        assert page.evaluate("RE.desk.counted") == 1
        window.close()
