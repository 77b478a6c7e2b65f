"""What is open lies beside its list, and over it on a telephone."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from rubric_engine.cli.compare_page import comparison_page
from rubric_engine.comparing import compare
from rubric_engine.page import assemble
from tests.comparing.test_page import met, not_met
from tests.comparing.test_page import run as ran
from tests.page.conftest import PHONE, WIDE, Open
from tests.page.made import made_page, made_run
from tests.page.test_evaluation import PAGE as JUDGED
from tests.strategies import flat, leaf

RUN, CHUNKS = made_run(30)
PAGE = assemble(made_page(RUN), [CHUNKS], title="Report")
TREE = flat(*(leaf(f"k{at}") for at in range(9)))
COMPARED = compare(
    *(
        ran(TREE, {key: of(key) for key in TREE.leaves()}, "ab"[of is not_met])
        for of in (met, not_met)
    )
)
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


PAGES = {
    "report": (PAGE, "q=verdict%3Anot", "#row-1"),
    "comparison": (comparison_page(COMPARED), "kind=down", "#change-1"),
    "evaluation": (JUDGED, "judge=good&cell=all", "#leaf-3"),
}


@pytest.mark.slow
@pytest.mark.parametrize("how", ["Back", "the cross"])
@pytest.mark.parametrize(("html", "address", "row"), PAGES.values(), ids=PAGES)
def test_on_a_phone_back_closes_what_lies_over_the_list(
    open_page: Open, html: str, address: str, row: str, how: str
) -> None:
    page = open_page(html, address, size=PHONE).page
    before, stood = page.url, page.evaluate("history.length")
    for _ in range(2):
        page.click(row)
        page.wait_for_selector("#panel:focus")
        page.wait_for_url("**n=*")
        if how == "Back":
            page.go_back()
        else:
            page.get_by_role("button", name="Close").click()
        page.wait_for_selector("#panel", state="hidden")
        page.wait_for_url(before)
    assert page.evaluate("history.length") == stood + 1
    assert page.is_visible(row)


@pytest.mark.slow
def test_back_within_a_moment_closes_as_well_and_a_wide_window_keeps_no_steps(
    open_page: Open,
) -> None:
    page = open_page(PAGE, "q=verdict%3Anot", size=PHONE).page
    page.click("#row-1")
    page.evaluate("history.back()")
    page.wait_for_selector("#panel", state="hidden")
    page.click("#row-2")
    page.keyboard.press("Escape")
    page.wait_for_selector("#panel", state="hidden")
    wide = open_page(PAGE, size=WIDE).page
    stood = wide.evaluate("history.length")
    wide.click("#row-1")
    wide.wait_for_url("**n=*")
    assert wide.evaluate("history.length") == stood
