"""What is open lies beside its list, and over it on a telephone."""

from __future__ import annotations

from urllib.parse import quote

from rubric_engine.page import assemble
from tests.page.conftest import PHONE, WIDE, Open
from tests.page.made import made_page, made_run

RUN, CHUNKS = made_run(30)
PAGE = assemble(made_page(RUN), [CHUNKS], title="Report")
OPEN = f"q=verdict%3Anot&n={quote(RUN['nodes']['key'][1])}"


def test_on_a_phone_escape_closes_the_panel_and_keeps_the_query(open_page: Open) -> None:
    page = open_page(PAGE, OPEN, size=PHONE).page
    page.wait_for_selector("#panel:focus")
    page.keyboard.press("Escape")
    assert not page.locator("#panel").is_visible()
    assert page.input_value("#query") == "verdict:not"


def test_in_a_wide_window_escape_clears_the_query_first(open_page: Open) -> None:
    page = open_page(PAGE, OPEN, size=WIDE).page
    assert page.locator("#panel:focus").count() == 0
    page.keyboard.press("Escape")
    page.wait_for_url(lambda address: "q=" not in address)
    assert page.input_value("#query") == ""
    assert page.locator("#panel").is_visible()
    assert page.evaluate("location.hash").startswith("#n=")
