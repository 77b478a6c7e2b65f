"""`view` in a real browser: runs come and go, and so does the server."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rubric_engine.grading import Grade
from rubric_engine.rubric import Rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.app import view_app
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.serving import Browser as Client
from tests.web.serving import served
from tests.web.test_view import rubric
from tests.web.window import PHONE, WIDE, Window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["rubric"]

pytestmark = pytest.mark.slow

MET = Grade.graded(1.0, "it is there")
SCORE = {"value": 0.5, "low": 0.25, "high": 0.75, "coverage": 0.5}


def _facts(**more: Any) -> dict[str, Any]:
    return {"task": "small", "submission": "submission", "submission_called": "team-a", **more}


def _done(place: Path, rubric: Rubric, **more: Any) -> Path:
    with RunFolder(place) as run:
        run.write_rubric(rubric)
        run.append("first", MET)
        run.state("done", _facts(score=SCORE, **more))
    return place


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder for runs, which is empty."""
    made = tmp_path / "runs"
    made.mkdir()
    return made


@pytest.fixture
def client(base: Path) -> Iterator[Client]:
    """A server that nobody has entered yet."""
    ending = Ending()
    with served(view_app(Shelf([base]), ending), ending) as inside:
        yield inside


def _window(chromium: Browser, client: Client, *, dark: bool = False) -> Window:
    return Window(chromium, f"{client.origin}/?token={client.token}", dark=dark)


def _says(page: Page, text: str) -> None:
    page.wait_for_function(
        "text => document.querySelector('#app').innerText.includes(text)", arg=text, timeout=20_000
    )


def _offers(page: Page, text: str) -> None:
    """Wait until an option of the chooser says so."""
    page.wait_for_function(
        "text => [...document.querySelectorAll('.chooser option')].some("
        "(each) => each.textContent.replace(/\\s+/g, ' ').includes(text))",
        arg=text,
        timeout=20_000,
    )


def test_runs_appear_follow_end_and_vanish_by_themselves(
    chromium: Browser, client: Client, base: Path, rubric: Rubric
) -> None:
    window = _window(chromium, client)
    page = window.page
    _says(page, "There is no run yet.")
    _says(page, f"looked in {base}")
    first = _done(base / "one", rubric)
    _says(page, "team-a")
    with RunFolder(base / "two") as run:
        run.write_rubric(rubric)
        run.state("running", _facts())
        _offers(page, "0.0-100.0% running team-a two")
        assert page.input_value(".chooser select") == "one"
        run.append("first", MET)
        _offers(page, "25.0-100.0% running team-a two")
        page.select_option(".chooser select", "two")
        _says(page, "between 25.0% and 100.0%")
        for key in ("second", "third"):
            run.append(key, MET)
        _says(page, "between 75.0% and 100.0%")
        _offers(page, "75.0-100.0% running team-a two")
        run.append("fourth", MET)
        run.state("done", _facts(score={**SCORE, "value": 1, "low": 1, "high": 1, "coverage": 1}))
    _offers(page, "100.0% team-a two")
    _says(page, "every leaf that applies is graded")
    shutil.rmtree(first)
    page.wait_for_selector(".chooser", state="detached", timeout=20_000)
    shutil.rmtree(base / "two")
    _says(page, "The run was removed: two")
    _says(page, "There is no run yet.")
    window.close()


def test_a_run_that_is_over_and_changes_is_shown_as_it_is(
    chromium: Browser, client: Client, base: Path, rubric: Rubric
) -> None:
    run = _done(base / "one", rubric)
    window = _window(chromium, client)
    _says(window.page, "between 25.0% and 100.0%")
    with RunFolder.open_again(run, "then") as again:
        again.append("second", MET)
        facts = json.loads((run / "run.json").read_text())
        again.write("run.json", facts | {"again": True})
    _says(window.page, "between 50.0% and 100.0%")
    window.close()


def test_runs_of_judgeeval_and_what_cannot_be_shown_stand_apart(
    chromium: Browser, client: Client, base: Path, rubric: Rubric
) -> None:
    hostile = "</script><img src=x onerror=alert(1)>\u202e"
    _done(base / "one", rubric)
    _done(base / "two", rubric, case=hostile, judge={"name": "rules"})
    shutil.copytree(base / "one", base / "copied")
    (_done(base / "<b>bad", rubric) / "run.json").write_text("{")
    window = _window(chromium, client)
    page = window.page
    _offers(page, "</script><img src=x onerror=alert(1)>\\u{202e} rules two")
    assert page.input_value(".chooser select") == "one"
    assert page.get_attribute(".chooser optgroup >> nth=0", "label") == "JudgeEval"
    _offers(page, "<b>bad: ")
    _offers(page, "1 run that you did not make")
    assert page.evaluate("document.querySelectorAll('img, b').length") == 0
    page.select_option(".chooser select", "two")
    _says(page, "two · JudgeEval, case </script><img")
    page.goto(f"{client.origin}/#run=none")
    _says(page, "No such run: none")
    page.goto(f"{client.origin}/#run=%3Cb%3Ebad")
    _says(page, "The run cannot be shown: <b>bad")
    window.close()


def test_a_server_that_is_gone_is_said_and_the_page_goes_on_with_the_next(
    chromium: Browser, base: Path, rubric: Rubric
) -> None:
    with RunFolder(base / "one") as run:
        run.write_rubric(rubric)
        run.state("running", _facts())
        shelf, ending = Shelf([base], redact=["falcon"]), Ending()
        with served(view_app(shelf, ending, "rubric-engine view --runs x"), ending) as client:
            window = _window(chromium, client)
            page, port = window.page, client.port
            _says(page, "between 0.0% and 100.0%")
        _says(page, "The server is gone.")
        _says(page, f"rubric-engine view --runs x --port {port}, with the same --redact, and open")
        _says(page, "between 0.0% and 100.0%")
        run.append("first", MET)
        ending = Ending()
        with served(view_app(shelf, ending), ending, port) as client:
            _says(page, "The server does not know this page.")
            other = page.context.new_page()
            other.goto(f"{client.origin}/?token={client.token}")
            other.wait_for_selector("#score")
            page.wait_for_selector(".message.bad", state="detached", timeout=20_000)
            _says(page, "between 25.0% and 100.0%")
            run.append("second", MET)
            _says(page, "between 50.0% and 100.0%")
            window.page.context.close()
    assert all("ERR_" in said or "403" in said for said in window.trouble)
    assert window.strange == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nobody_is_kept_out_of_what_is_said(
    chromium: Browser, base: Path, rubric: Rubric, dark: bool
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    ending = Ending()
    with served(view_app(Shelf([base]), ending), ending) as client:
        window = _window(chromium, client, dark=dark)
        page = window.page
        _says(page, "There is no run yet.")
        _nothing_serious(axe, page)
        _done(base / "one", rubric)
        _done(base / "two", rubric, case="heavy-ball-partial")
        _offers(page, "heavy-ball-partial two")
        _nothing_serious(axe, page)
    _says(page, "The server is gone.")
    _nothing_serious(axe, page)
    page.context.close()


def _nothing_serious(axe: Any, page: Page) -> None:
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        found = axe.Axe().run(page).response["violations"]
        assert [each for each in found if each["impact"] in ("serious", "critical")] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_categories_and_the_judge_follow_a_run_that_goes_on(
    chromium: Browser, client: Client, base: Path, rubric: Rubric
) -> None:
    with RunFolder(base / "one") as run:
        run.write_rubric(rubric)
        run.state("running", _facts())
        window = _window(chromium, client)
        page = window.page
        row = ".categories tbody tr"
        page.wait_for_selector(f"{row}:has-text('0.0-100.0%')")
        run.append("first", MET)
        page.wait_for_selector(f"{row}:has-text('25.0-100.0%')", timeout=20_000)
        run.append("second", Grade.graded(0.0, "it is not"))
        page.wait_for_selector(f"{row}:has-text('25.0-75.0%')", timeout=20_000)
        assert page.locator(f"{row} td").last.inner_text() == "50.00"
    window.close()
