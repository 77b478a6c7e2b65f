"""The page of an evaluation in a real browser: its figures, and the leaves behind its cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from rubric_engine.cli.output import percent
from rubric_engine.page import assemble
from rubric_engine.page.escaping import escaped
from tests.page.conftest import PHONE, WIDE, Open
from tests.page.evaluated import NAME, data

if TYPE_CHECKING:
    from playwright.sync_api import Page

DATA = data()
FOUND = DATA["evaluation"]
ROWS = FOUND["table"]["leaf_sets"][0]["rows"]
GOOD = next(row for row in ROWS if row["name"] == "good")
PAGE = assemble(DATA, entry="evaluation", title="JudgeEval")


def share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def span(found: dict[str, Any]) -> str:
    return "-" if found["low"] is None else f"{found['low']:.2f}-{found['high']:.2f}"


def test_figures_are_those_of_the_table(open_page: Open) -> None:
    page = open_page(PAGE).page
    shown = page.locator(".set table >> nth=0 >> tbody tr").all()
    assert len(shown) == len(ROWS)
    for line, row in zip(shown, ROWS, strict=True):
        cells = line.locator("td").all_inner_texts()
        pooled, f1 = row["agreement"]["pooled"], (row["intervals"] or {}).get("f1")
        assert cells[0].rstrip("!*") == percent(pooled["coverage"]["leaves"])
        assert ("!" in cells[0]) == (pooled["coverage"]["graded"] < pooled["coverage"]["labelled"])
        assert cells[1] == share(pooled["headline"]["f1"])
        assert cells[3].partition(" ")[0] == share(row["agreement"]["means"]["f1"]["value"])
        if f1 is not None:
            wanted = [span(f1["pooled"]["here"]), span(f1["mean"]["anew"])]
            assert [cells[2].partition(" ")[0], cells[4].partition(" ")[0]] == wanted


def test_every_count_opens_as_many_leaves(open_page: Open) -> None:
    page = open_page(PAGE, f"judge={quote(NAME)}").page
    agreement = next(row["agreement"] for row in ROWS if row["name"] == NAME)
    groups = (agreement["categories"], agreement["submissions"])
    parts = [agreement["pooled"], *(part for group in groups for part in group.values())]
    rows = page.locator(".explorer tbody tr").all()
    assert len(rows) == len(parts)
    for row, part in zip(rows, parts, strict=True):
        cells, cover = part["graded"]["cells"], part["coverage"]
        wanted = [part["headline"]["n"], *(cells[name] for name in ("tp", "fp", "fn", "tn"))]
        wanted += [cover["labelled"] - cover["graded"], cover["unlabelled"]]
        assert row.locator("td").all_inner_texts()[:7] == [f"{count:.0f}" for count in wanted]
        assert wanted[0] == sum(wanted[1:6])
        for place, count in enumerate(wanted):
            if count and part in (parts[0], parts[-1]):
                row.locator("td").nth(place).locator("button").click()
                assert page.inner_text("#shown") == f"{count:.0f} of 30 leaves"


def test_a_cell_of_the_tables_opens_its_leaves(open_page: Open) -> None:
    page = open_page(PAGE).page
    f1 = GOOD["agreement"]["submissions"]["b"]["headline"]["f1"]
    name = f"{share(f1)}: F1 on b of good, show its leaves"
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_url("**#judge=good&submission=b")
    assert page.evaluate("document.activeElement.id") == "leaves-head"
    assert page.inner_text("#shown") == "10 of 30 leaves"
    (leaves,) = (judge["leaves"] for judge in FOUND["judges"] if judge["name"] == "good")
    assert leaves["key"][leaves["submission"].index("b")] in page.inner_text("#panel .pairs")


def in_view(page: Page) -> bool:
    """Whether the list of leaves and its heading stand in the window, all of them."""
    box, head = (page.locator(part).bounding_box() for part in ("#list", "#leaves-head"))
    assert box is not None
    assert head is not None
    size = page.viewport_size
    assert size is not None
    return head["y"] >= 0 and box["y"] > head["y"] and box["y"] + box["height"] <= size["height"]


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_a_press_brings_the_leaves_into_view_and_back_leads_to_the_cell(
    open_page: Open, size: tuple[int, int]
) -> None:
    page = open_page(PAGE, size=size).page
    assert not in_view(page)
    cell = page.locator(".set table >> nth=0 >> tr.chosen .cell").first
    cell.click()
    page.wait_for_selector("#leaves-head:focus")
    assert in_view(page)
    assert page.inner_text("#leaves-head") == "Leaves of good: all with a label"
    page.get_by_role("button", name="back to the figures").click()
    page.wait_for_selector(".set .cell:focus")
    assert cell.evaluate("cell => cell === document.activeElement")
    box = cell.bounding_box()
    assert box is not None
    assert 0 < box["y"] < size[1]


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_a_link_to_a_cell_opens_at_its_leaves(open_page: Open, size: tuple[int, int]) -> None:
    window = open_page(PAGE, "judge=good&submission=b&cell=wrong", size=size)
    page = window.page
    page.wait_for_selector("#leaves-head:focus")
    assert in_view(page)
    assert page.inner_text("#leaves-head") == "Leaves of good: b, counted as wrong"
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    window.to("judge=good&cell=tp")
    page.wait_for_selector("#leaves-head:focus")
    assert in_view(page)
    assert page.inner_text("#leaves-head") == "Leaves of good: met, both say"


def test_on_a_phone_a_leaf_lies_over_the_list(open_page: Open) -> None:
    page = open_page(PAGE, "judge=good&cell=all", size=PHONE).page
    page.wait_for_selector("#leaves-head:focus")
    assert not page.is_visible("#panel")
    page.click("#leaf-3")
    box = page.locator("#panel").bounding_box()
    assert box == {"x": 0, "y": 0, "width": PHONE[0], "height": PHONE[1]}
    page.keyboard.press("Escape")
    assert not page.is_visible("#panel")
    assert in_view(page)
    assert page.is_visible("#leaf-3[aria-selected=true]")


def test_leaf_filter_order_chart_and_theme_survive_in_the_address(open_page: Open) -> None:
    page = open_page(PAGE, "judge=good&cell=wrong&of=b&n=b-1&sort=apart&chart=submissions").page
    assert page.inner_text("#shown") == "3 of 30 leaves"
    page.keyboard.press("j")
    page.keyboard.press("t")
    page.get_by_role("button", name="Its numbers").click()
    page.fill("[type=search]", "nowhere")
    page.wait_for_url("**q=nowhere")
    assert page.inner_text("#shown") == "0 of 30 leaves"
    page.press("[type=search]", "Escape")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.input_value("[type=search]") == "nowhere"
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.locator(".choices [aria-pressed=true]").inner_text() == "Macro F1 by submission"
    assert "Nothing matches the search." in page.inner_text("#list")
    page.get_by_role("button", name="Show all again").click()
    assert page.inner_text("#shown") == "29 of 30 leaves"


SHADES = """each => {
  const style = getComputedStyle(each);
  return each.scrollWidth > each.clientWidth && style.backgroundAttachment.includes("local")
    && style.overflowX === "auto";
}"""


@pytest.mark.slow
def test_on_a_phone_what_scrolls_shows_that_it_does(open_page: Open) -> None:
    page = open_page(PAGE, size=PHONE).page
    assert page.locator(".wide >> nth=0").evaluate(SHADES)
    assert page.locator(".charts .wide").evaluate(SHADES)
    width = page.locator(".chart").evaluate("each => each.getBoundingClientRect().width")
    assert PHONE[0] < width < FOUND["charts"][0]["figure"]["width"]
    ground = page.locator(".chart > rect.fill-paper").first
    assert ground.evaluate("each => getComputedStyle(each).fill") == "none"


def test_keys_walk_the_leaves(open_page: Open) -> None:
    page = open_page(PAGE, "judge=good&cell=all").page
    page.wait_for_selector("#leaves-head:focus")
    for key in ("j", "ArrowDown", "k"):
        page.keyboard.press(key)
    assert page.get_attribute("[role=listbox]", "aria-activedescendant") == "leaf-1"
    page.keyboard.press("End")
    page.wait_for_selector("#leaf-29[aria-selected=true]")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("judge=nobody", "No such judge: nobody"),
        ("judge=good&n=%3Cb%3E", "No such leaf: this judge has none with the key <b>"),
    ],
)
def test_what_is_not_there_is_said(open_page: Open, address: str, said: str) -> None:
    assert said in open_page(PAGE, address).page.inner_text("[role=alert]")


def test_every_chart_is_drawn_mark_by_mark(open_page: Open) -> None:
    page = open_page(PAGE).page
    for chart in FOUND["charts"]:
        page.get_by_role("button", name=chart["title"], exact=True).click()
        if chart["figure"] is None:
            assert chart["why"] in page.inner_text(".charts")
            continue
        drawn = page.locator(".chart > *").count()
        assert drawn == len(chart["figure"]["marks"])
    assert page.locator("[role=group][aria-label='Which chart'] button").count() == 6


def test_hostile_text_is_text_and_fits_a_phone(open_page: Open) -> None:
    page = open_page(PAGE, f"judge={quote(NAME)}", size=PHONE, theme="dark").page
    shown = page.inner_text("#panel")
    assert (
        r"</script><script>x</script><img src=x onerror=alert(1)>\u{202e}evil\u{0}\u{d800}" in shown
    )
    assert page.locator("#app script, #app img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


@pytest.mark.parametrize(
    ("theme", "size"), [("dark", PHONE), pytest.param("light", WIDE, marks=pytest.mark.slow)]
)
def test_axe_finds_nothing(open_page: Open, theme: str, size: tuple[int, int]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = open_page(PAGE, "judge=good&cell=wrong", theme=theme, size=size).page
    page.get_by_role("button", name="Its numbers").click()
    found = axe.Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_without_scripts_the_tables_are_there() -> None:
    plain_text = PAGE[PAGE.index("<noscript>") : PAGE.index("</noscript>")]
    assert f"<td>{escaped(NAME)}</td>" in plain_text
    for part in (GOOD["agreement"]["pooled"], *GOOD["agreement"]["submissions"].values()):
        assert f"<td>{share(part['headline']['f1'])}</td>" in plain_text
    assert "F1 by submission" in plain_text
