"""Keys, the mouse and the address of a report."""

from __future__ import annotations

import pytest

from rubric_engine.page import assemble
from tests.page.conftest import Open
from tests.page.made import made_page
from tests.page.shown import CHUNKS, LEAVES, NODES, PAGE, RUN, active, lone


def test_the_keyboard_walks_the_tree(open_page: Open) -> None:
    window = open_page(PAGE)
    page = window.page
    for key in ("ArrowDown", "j", "ArrowDown", "k"):
        page.keyboard.press(key)
    assert active(page) == 2
    page.keyboard.press("h")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert page.get_attribute("#row-0", "aria-expanded") == "false"
    page.keyboard.press("*")
    page.keyboard.press("End")
    assert active(page) == len(NODES["key"]) - 1
    assert window.elements() < 800
    page.keyboard.press("Home")
    page.keyboard.press("n")
    unmet = [at for at in LEAVES if NODES["verdict"][at] == "not met"]
    assert active(page) == unmet[0]
    page.keyboard.press("i")
    assert NODES["verdict"][active(page)] == "open"
    page.keyboard.press("p")
    page.keyboard.press("o")
    page.wait_for_selector(".toast:has-text('file:///')")
    page.keyboard.press("c")
    place = CHUNKS[0][str(active(page))]["grade"]["citations"][0]
    page.wait_for_selector(f".toast:has-text('{place['path']}:{place['start_line']}-')")
    page.keyboard.press("/")
    page.keyboard.type("nnn")
    assert page.input_value("#query") == "nnn"
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert page.input_value("#query") == ""


@pytest.mark.slow
def test_shortcuts_can_be_switched_off(open_page: Open) -> None:
    page = open_page(PAGE).page
    page.keyboard.press("?")
    page.uncheck("#keys-on")
    page.keyboard.press("Escape")
    page.focus("#tree")
    page.keyboard.press("n")
    assert active(page) == 0
    page.keyboard.press("ArrowDown")
    assert active(page) == 1


def test_the_active_row_stays_when_the_mouse_scrolls_away(open_page: Open) -> None:
    window = open_page(PAGE)
    page = window.page
    page.keyboard.press("*")
    page.keyboard.press("ArrowDown")
    box = page.locator("#tree").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 50, box["y"] + 100)
    page.mouse.wheel(0, 100_000)
    page.wait_for_selector(f"#row-{len(NODES['key']) - 1}")
    assert active(page) == 1
    assert window.elements() < 800


def test_leaf_filter_sort_and_theme_survive_in_the_address(open_page: Open) -> None:
    leaf = next(at for at in LEAVES if NODES["verdict"][at] == "met")
    window = open_page(PAGE)
    page = window.page
    page.fill("#query", "verdict:met")
    page.select_option(".sorts select", "lost")
    page.keyboard.press("Escape")
    window.to(f"run={RUN['id']}&n={NODES['key'][leaf]}&q=verdict%3Amet&sort=lost")
    page.wait_for_selector(f".panel-title:has-text('{NODES['key'][leaf]}')")
    page.focus("#tree")
    page.keyboard.press("t")
    address = page.url
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.url == address
    assert page.input_value("#query") == "verdict:met"
    assert page.input_value(".sorts select") == "lost"
    assert active(page) == leaf
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.wait_for_selector("text=citation")
    said = CHUNKS[0][str(leaf)]["grade"]["explanation"]
    assert said[:80] in page.inner_text("#panel")


@pytest.mark.parametrize(
    ("address", "said"),
    [("n=nobody", "none with the key nobody"), ("run=gone", "No such run: gone")],
)
def test_an_unknown_name_is_said(open_page: Open, address: str, said: str) -> None:
    page = open_page(PAGE, address).page
    assert said in " ".join(page.inner_text("main").split())


UNMARKED = lone("met", 1.0)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("n", "no leaf is not met"),
        ("D", "no human says another verdict than the judge"),
        ("i", "no leaf is without a grade"),
    ],
)
def test_a_key_that_finds_nothing_says_what_there_is_not(
    open_page: Open, key: str, said: str
) -> None:
    page = open_page(assemble(made_page(UNMARKED), [[{}]], title="One")).page
    page.keyboard.press(key)
    page.wait_for_selector(f".toast:text-is('{said}')")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".toast:empty", state="attached")
    page.fill("#query", "verdict:met")
    page.focus("#tree")
    page.keyboard.press(key)
    page.wait_for_selector(f".toast:text-is('{said} among those that the query leaves')")


def test_a_query_that_leaves_nothing_says_so_and_can_be_cleared(open_page: Open) -> None:
    page = open_page(PAGE, "q=nowhere").page
    assert page.inner_text("#tree [role=gridcell]").startswith("Nothing matches the query.")
    page.get_by_role("button", name="Show all again").click()
    assert page.input_value("#query") == ""
    assert page.evaluate("document.activeElement.id") == "tree"
    assert page.locator("#row-0").count() == 1
