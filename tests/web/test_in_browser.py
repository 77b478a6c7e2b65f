"""Two annotators label through the page in a real browser; a run is watched while it goes on."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubric_engine.case import Case
from rubric_engine.grading import Grade
from rubric_engine.judgeeval.labelling.concord import concords
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.gold import gold_of
from rubric_engine.rubric_file import load_rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.submission import load_submission
from rubric_engine.web.labelling.app import label_app
from rubric_engine.web.labelling.desk import Desk
from rubric_engine.web.labelling.opening import blind_desk, deciding_desk
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.app import view_app
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.conftest import sent
from tests.web.serving import Browser as Guest
from tests.web.serving import served
from tests.web.window import PHONE, WIDE, Window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = pytest.mark.slow


def _labelled(chromium: Browser, desk: Desk, verdicts: str, reason: str) -> None:
    with served(label_app(desk)) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        for done, verdict in enumerate(verdicts, 1):
            window.label(verdict, reason, f"{done} of {len(verdicts)}")
        window.close()


def test_two_annotators_and_an_adjudicator_label_through_the_page(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    first = "".join("2" if at % 7 == 0 else "1" for at in range(40))
    second = "".join("3" if at == 3 else "2" if at % 5 == 0 else "1" for at in range(40))
    _labelled(chromium, blind_desk(folder, "a1", case), first, "I saw it")
    _labelled(chromium, blind_desk(folder, "a2", case), second, "so did I")
    labels = folder.all_labels()
    assert all(len(each.labels) == 40 for each in labels.values())
    agree = sum(one == other for one, other in zip(first, second, strict=True)) / 39
    assert concords(folder.plan, labels, replicates=10)[-1].agree == pytest.approx(agree)
    disputed = gold_of(folder.plan, labels, []).disputed
    assert len(disputed) == sum(one != other for one, other in zip(first, second, strict=True))
    _labelled(chromium, deciding_desk(folder, "a3", case), "1" * len(disputed), "decided")
    gold = folder.renew_gold()
    assert (len(gold.labels.labels), len(gold.disputed)) == (40, 0)


def test_lines_are_cited_groups_are_marked_and_all_can_be_undone(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with served(label_app(blind_desk(folder, "a1", case))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        page.click("button.file >> text=a.py")
        page.click("#line-4")
        page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("x")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        window.wait("1 of 40")
        assert str(folder.labels_of("a1").labels["leaf-0-0"].citations[0]) == "a.py:4-5"
        page.keyboard.press("Enter")
        assert "choose a verdict" in page.inner_text(".told")
        page.keyboard.press("g")
        page.fill("dialog textarea", "nothing of it")
        page.click("dialog .chief")
        window.wait("10 of 40")
        page.keyboard.press("u")
        window.wait("1 of 40")
        page.fill("input[aria-label='Search all files']", "momentum")
        page.click(".hit >> nth=1")
        page.wait_for_selector("[role=listbox][aria-label='Lines of reproduce.log']")
        window.close()


def test_what_was_begun_and_not_saved_is_there_again(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with served(label_app(blind_desk(folder, "a1", case))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        page.keyboard.press("2")
        page.keyboard.press("r")
        page.keyboard.type("half a thought")
        page.keyboard.press("Escape")
        for key in ("j", "k"):
            page.keyboard.press(key)
        assert page.input_value("#reason") == "half a thought"
        assert page.get_attribute("button.verdict.not_met", "aria-pressed") == "true"
        page.keyboard.press("s")
        page.wait_for_function("() => document.querySelector('#reason').value === ''")
        window.label("1", "another leaf", "1 of 40")
        page.keyboard.press("u")
        window.wait("0 of 40")
        assert page.input_value("#reason") == ""
        page.keyboard.press("k")
        assert page.input_value("#reason") == "half a thought"
        assert folder.labels_of("a1").labels == {}
        window.close()


DRAWN = "new Promise((done) => setTimeout(() => requestAnimationFrame(done)))"
"""Ends once the page has done what an answer that has come makes it do, and drawn it."""


def test_a_section_that_comes_late_is_not_shown_under_another_title(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with served(label_app(blind_desk(folder, "a1", case))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        held: list[Route] = []
        page.wait_for_selector(".paper-text")
        page.route("**/api/paper/2", lambda route: held.append(route))
        page.select_option("[aria-label='Section of the paper']", "2")
        page.select_option("[aria-label='Section of the paper']", "1")
        page.wait_for_function(
            "() => document.querySelector('.paper-text').innerText.includes('keeps momentum')"
        )
        assert held
        for route in held:
            with page.expect_response(route.request.url) as answer:
                route.continue_()
            answer.value.finished()
        page.evaluate(DRAWN)
        assert "keeps momentum" in page.inner_text(".paper-text")
        window.close()


def test_hostile_text_shows_as_text(chromium: Browser, folder: LabelFolder, case: Case) -> None:
    hostile = "</script><img src=x onerror=alert(1)>\n\u202eesrever\n" + "a" * 1_000_000 + "\nend\n"
    place = folder.path.parent / "team-a" / "submission"
    (place / "c.txt").write_text(hostile, encoding="utf-8")
    (place / "\u202e\\x.py").write_text("x = 1\n", encoding="utf-8")
    wide = Case(case.task, load_submission(place), case.execution)
    with served(label_app(blind_desk(folder, "a1", wide))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        page = window.page
        page.click("button.file >> text=c.txt")
        page.wait_for_selector("#line-4")
        assert page.inner_text("#line-1 .line-text") == "</script><img src=x onerror=alert(1)>"
        assert page.inner_text("#line-2 .line-text") == "\\u{202e}esrever"
        assert len(page.inner_text("#line-3 .line-text")) < 2000
        assert page.evaluate("document.querySelectorAll('img').length") == 0
        page.click("button.file >> nth=-2")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        window.close()


def test_a_second_window_that_is_behind_is_told(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    with served(label_app(blind_desk(folder, "a1", case))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        other = window.page.context.new_page()
        other.goto(f"{server.origin}/")
        other.wait_for_selector("body[data-ready=yes]")
        window.label("2", "none", "1 of 40")
        other.keyboard.press("2")
        other.keyboard.press("r")
        other.keyboard.type("none")
        other.keyboard.press("Enter")
        other.wait_for_selector(".told.bad")
        assert "another window" in other.inner_text(".told")
        assert len(folder.labels_of("a1").labels) == 1
        assert all("409" in text for text in window.trouble)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nobody_is_kept_out_of_the_labelling_page(
    chromium: Browser, folder: LabelFolder, case: Case, dark: bool
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    with served(label_app(blind_desk(folder, "a1", case))) as server:
        window = Window(chromium, f"{server.origin}/?token={server.token}", dark=dark)
        page = window.page
        page.click("button.file >> text=a.py")
        page.click("#line-2")
        page.keyboard.press("1")
        page.keyboard.press("f")
        for size in (WIDE, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.wait_for_selector(".line-row")
            # The page's own policy lets no script in, so axe is put in by the driver.
            found = axe.Axe().run(page).response["violations"]
            bad = [each for each in found if each["impact"] in ("serious", "critical")]
            assert bad == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.context.close()


def test_a_leaf_that_is_graded_while_it_is_open_is_seen(
    chromium: Browser, case: Case, tmp_path: Path
) -> None:
    rubric = load_rubric(tmp_path / "rubric.json")
    with RunFolder(tmp_path / "runs" / "2026-05-01-small-aaaaaa") as run:
        run.write_rubric(rubric)
        run.state("running", {"task": "small", "submission": "team-a"})
        run.append("leaf-0-1", Grade.graded(1.0, "it is there"))
        ending = Ending()
        with served(view_app(Shelf([run.path.parent]), ending), ending) as server:
            window = Window(chromium, f"{server.origin}/?token={server.token}")
            page = window.page
            page.goto(f"{server.origin}/#n=leaf-0-0")
            page.reload()
            page.wait_for_selector("body[data-ready=yes]")
            page.wait_for_function("() => document.body.innerText.includes('step 0')")
            assert "seen while it is open" not in page.inner_text("body")
            run.append("leaf-0-0", Grade.graded(0.0, "seen while it is open"))
            page.wait_for_function(
                "() => document.body.innerText.includes('seen while it is open')", timeout=20_000
            )
            window.close()


def test_a_server_on_another_port_is_sent_the_cookie_and_can_do_nothing_with_it(
    chromium: Browser, folder: LabelFolder, case: Case
) -> None:
    taken: list[str] = []

    class Thief(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            taken.append(self.headers.get("Cookie", ""))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *said: object) -> None:
            """Nothing."""

    desk = blind_desk(folder, "a1", case)
    with served(label_app(desk)) as server, HTTPServer(("127.0.0.1", 0), Thief) as thief:
        threading.Thread(target=thief.serve_forever, daemon=True).start()
        window = Window(chromium, f"{server.origin}/?token={server.token}")
        other = window.page.context.new_page()
        other.goto(f"http://127.0.0.1:{thief.server_port}/")
        thief.shutdown()
        cookie = next(each for each in taken[0].split("; ") if each.startswith("rubric-engine-"))
        robber = Guest(server.port, server.token, cookie)
        assert robber.enter().status == 200
        assert robber.ask("/api/desk").status == 403
        assert robber.post("/api/labels", sent("leaf-0-0")).status == 403
        assert folder.labels_of("a1").labels == {}
        other.goto(f"{server.origin}/")  # a tab of one's own goes on
        other.wait_for_selector("body[data-ready=yes]")
        window.label("2", "absent", "1 of 40")
        window.page.reload()
        window.page.wait_for_selector("body[data-ready=yes]")
        window.wait("1 of 40")
        assert window.page.evaluate("location.href") == f"{server.origin}/"
        window.page.context.close()
