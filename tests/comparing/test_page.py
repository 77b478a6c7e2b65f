"""The page of a comparison in a real browser, without a network."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rubric_engine.cli.compare_page import comparison_page, page_values
from rubric_engine.comparing import Comparison, compare
from rubric_engine.grading import Grade
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from tests.strategies import flat, leaf

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]

HOSTILE = "</script><script>x</script><img src=x onerror=alert(1)>\u202eevil\x00\ud800 \x1b[31m"
LONG = "a line without end " * 60_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, one for all tests of this file."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium on PATH")
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with driver.sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Open the page of a comparison; it asks for nothing but itself and complains of nothing."""
    pages: list[Page] = []
    files: list[str] = []
    asked: list[str] = []
    trouble: list[str] = []

    def open_(found: Comparison, address: str = "", *, scripts: bool = True, **more: Any) -> Page:
        file = tmp_path / f"{len(pages)}.html"
        file.write_text(comparison_page(found), encoding="utf-8")
        context = browser.new_context(offline=True, java_script_enabled=scripts, **more)
        page = context.new_page()
        pages.append(page)
        files.append(file.as_uri())
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("console", lambda said: trouble.append(said.text))
        page.goto(f"{file.as_uri()}{address}")
        if scripts:
            page.wait_for_selector("body[data-ready]")
        return page

    yield open_
    for page in pages:
        page.context.close()
    assert trouble == []
    assert {address.partition("#")[0] for address in asked} == set(files)


def run(rubric: Rubric, grades: Mapping[str, Grade], name: str) -> Report:
    """A run with a name."""
    judge = {"name": "j", "fingerprint": name * 64}
    return Report(rubric, grades, provenance={"task": "t", "judge": judge}, run=f"runs/{name}")


def met(key: str) -> Grade:
    """A leaf that is met."""
    return Grade.graded(1, f"The file {key}.py holds what {key} asks for, as line 3 shows.")


def not_met(key: str) -> Grade:
    """A leaf that is not."""
    return Grade.graded(0, f"The file {key}.py lacks what {key} asks for, as line 3 shows.")


@pytest.fixture(scope="module")
def small() -> Comparison:
    """Eight leaves of which five changed, each in another way."""
    old = flat(*(leaf(f"k{at}") for at in range(8)), leaf("gone"))
    new = flat(*(leaf(f"k{at}") for at in range(7)), leaf("k7", requirements="another thing"))
    first = {key: met(key) for key in old.leaves()} | {"k1": not_met("k1")}
    second = {key: met(key) for key in new.leaves()}
    second |= {"k0": not_met("k0"), "k2": Grade.ungradeable("refused", "no"), "k3": met("k3x")}
    return compare(run(old, first, "a"), run(new, second, "b"))


@pytest.fixture(scope="module")
def large() -> Comparison:
    """Three thousand leaves that all changed."""
    tree = flat(*(leaf(f"k{at}") for at in range(3000)))
    first = {key: met(key) for key in tree.leaves()}
    second = {key: not_met(key) for key in tree.leaves()}
    return compare(run(tree, first, "a"), run(tree, second, "b"))


def test_the_page_shows_the_numbers_of_the_comparison(open_page: Open, small: Comparison) -> None:
    page = open_page(small)
    rows = page.locator(".kinds tbody tr").all()
    shown = [row.locator("th, td").all_inner_texts() for row in rows]
    values = page_values(small)["comparison"]
    words = {kind: text.replace("->", "→") for kind, text in values["words"].items()}
    assert [[name, leaves] for name, leaves, *_ in shown] == [
        [words[row["kind"]], str(row["leaves"])] for row in values["kinds"]
    ]
    points = [float(cell.replace("\u2212", "-")) for _, _, cell, *_ in shown]
    assert points == pytest.approx([row["points"] for row in values["kinds"]], abs=0.005)
    assert page.inner_text("[role=status]") == f"{len(small.changes)} of 5 changes"
    said = page.inner_text(".said").splitlines()
    assert said == values["said"]


def test_reasons_are_marked_word_by_word(open_page: Open, small: Comparison) -> None:
    page = open_page(small, "#n=k0")
    assert page.locator("del").all_inner_texts() == ["holds"]
    assert page.locator("ins").all_inner_texts() == ["lacks"]
    page.keyboard.press("w")
    assert page.locator("del, ins").count() == 0
    assert "The file k0.py holds what k0 asks for" in page.inner_text(".side >> nth=0")


def test_links_filters_and_the_theme_come_back(open_page: Open, small: Comparison) -> None:
    page = open_page(small, "#kind=down&n=k0", color_scheme="light")
    assert page.inner_text("[role=status]") == "1 of 5 changes"
    assert "k0" in page.inner_text(".panel")
    page.click(".kinds button:has-text('removed')")
    assert page.inner_text("[role=status]") == "1 of 5 changes"
    assert "what gone asks" in page.inner_text(".panel")
    assert "This rubric has no such criterion." in page.inner_text(".panel")
    page.fill("[type=search]", "nowhere")
    assert page.inner_text("[role=status]") == "0 of 5 changes"
    page.wait_for_url("**#kind=removed&q=nowhere")
    page.press("[type=search]", "Escape")
    page.keyboard.press("t")
    page.reload()
    page.wait_for_selector("body[data-ready][data-entry=comparison]")
    assert page.get_attribute("html", "data-theme") == "dark"


def test_an_unknown_key_is_said_so(open_page: Open, small: Comparison) -> None:
    page = open_page(small, "#n=%3Cb%3Enowhere&kind=nonsense")
    assert "Nothing changed at <b>nowhere" in page.inner_text("[role=alert]")


def test_a_long_list_draws_what_is_seen_and_what_is_open(
    open_page: Open, large: Comparison
) -> None:
    page = open_page(large)
    for key in ("j", "ArrowDown", "j", "k"):
        page.keyboard.press(key)
    assert page.get_attribute("[role=listbox]", "aria-activedescendant") == "change-2"
    page.evaluate("document.querySelector('.pane').scrollTop = 40000")
    page.wait_for_selector("#change-1430")
    assert page.locator("#change-2[aria-selected=true]").count() == 1
    page.keyboard.press("End")
    page.wait_for_selector("#change-2999[aria-selected=true]")
    assert page.get_attribute("#change-2999", "aria-posinset") == "3000"
    assert page.evaluate("document.querySelectorAll('*').length") < 800
    page.keyboard.press("/")
    page.keyboard.type("k77")
    assert page.inner_text("[role=status]") == "11 of 3,000 changes"


def test_hostile_text_is_text(open_page: Open) -> None:
    tree = flat(leaf("a", requirements=HOSTILE), leaf("b", requirements=LONG))
    first = run(tree, {"a": Grade.graded(1, HOSTILE), "b": Grade.graded(1, LONG)}, "a")
    second = run(tree, {"a": Grade.graded(0, f"{HOSTILE}!"), "b": Grade.graded(0, LONG)}, "b")
    page = open_page(compare(first, second), "#n=a", viewport={"width": 390, "height": 844})
    shown = page.inner_text(".panel")
    assert "</script><script>x</script><img src=x onerror=alert(1)>\\u{202e}evil\\u{0}" in shown
    assert page.locator("#app script, #app img").count() == 0
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".panel:has-text('show all')")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_page: Open, small: Comparison, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = open_page(small, "#n=k0", color_scheme=scheme)
    page.click("summary")
    found = axe.Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    found = axe.Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_without_scripts_the_tables_are_there(open_page: Open, small: Comparison) -> None:
    page = open_page(small, scripts=False)
    text = page.inner_text("main")
    assert "met -> not met" in text
    assert "what k0 asks" in text


def test_secrets_are_masked(small: Comparison) -> None:
    tree = flat(leaf("a"))
    key = "sk-proj-" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9bC1dE3fG5hJ7k"
    grades = {"a": Grade.graded(1, f"it prints {key}")}, {"a": Grade.graded(0)}
    found = compare(run(tree, grades[0], "a"), run(tree, grades[1], "b"))
    (change,) = page_values(found)["comparison"]["changes"]
    assert key not in change["a"]["explanation"]
    assert change["a"]["explanation"].startswith("it prints ")
