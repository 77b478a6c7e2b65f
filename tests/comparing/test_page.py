"""The page of a comparison in a real browser, without a network."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from rubric_engine.cli.compare_page import comparison_page, page_values
from rubric_engine.comparing import Comparison, compare
from rubric_engine.criterion import Criterion
from rubric_engine.grading import Grade
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from tests.page.conftest import PHONE, WIDE, Open, browser, contexts, open_page
from tests.strategies import flat, group, leaf

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["browser", "contexts", "open_page"]

Show = Callable[..., "Page"]

HOSTILE = "</script><script>x</script><img src=x onerror=alert(1)>\u202eevil\x00\ud800 \x1b[31m"
LONG = "a line without end " * 60_000


@pytest.fixture
def show(open_page: Open) -> Show:
    """Open the page of a comparison; it asks for nothing but itself and complains of nothing."""

    def show_(found: Comparison, address: str = "", **more: Any) -> Page:
        return open_page(comparison_page(found), address, **more).page

    return show_


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


def test_the_page_shows_the_numbers_of_the_comparison(show: Show, small: Comparison) -> None:
    page = show(small)
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


def test_commands_are_quoted_for_a_shell(show: Show) -> None:
    tree = flat(leaf("#it's $& a; b"), leaf("other"))
    first = {key: met(key) for key in tree.leaves()}
    second = {key: not_met(key) for key in tree.leaves()}
    page = show(compare(run(tree, first, "a run"), run(tree, second, "-b")))
    commands = page.locator("code.command").all_inner_texts()
    assert [shlex.split(each)[2:] for each in commands] == [
        ["a run", "#it's $& a; b"],
        ["-b", "#it's $& a; b"],
    ]


def test_reasons_are_marked_word_by_word(show: Show, small: Comparison) -> None:
    page = show(small, "n=k0")
    assert page.locator("del").all_inner_texts() == ["holds"]
    assert page.locator("ins").all_inner_texts() == ["lacks"]
    page.keyboard.press("w")
    assert page.locator("del, ins").count() == 0
    assert "The file k0.py holds what k0 asks for" in page.inner_text(".side >> nth=0")


def test_links_filters_and_the_theme_come_back(show: Show, small: Comparison) -> None:
    page = show(small, "kind=down&n=k0", theme="light")
    assert page.inner_text("[role=status]") == "1 of 5 changes"
    assert "k0" in page.inner_text(".panel")
    page.click(".kinds button:has-text('removed')")
    assert page.inner_text("[role=status]") == "1 of 5 changes"
    assert "what gone asks" in page.inner_text(".panel")
    assert "This rubric has no such criterion." in page.inner_text(".panel")
    page.fill("[type=search]", "nowhere")
    assert page.inner_text("[role=status]") == "0 of 5 changes"
    page.wait_for_url("**#kind=removed&q=nowhere")
    assert "Nothing matches the search." in page.inner_text("#list")
    page.get_by_role("button", name="Show all again").click()
    assert page.inner_text("[role=status]") == "5 of 5 changes"
    assert page.evaluate("document.activeElement.id") == "list"
    page.keyboard.press("t")
    page.reload()
    page.wait_for_selector("body[data-ready][data-entry=comparison]")
    assert page.get_attribute("html", "data-theme") == "dark"


def test_the_list_ends_where_the_window_does(show: Show, large: Comparison) -> None:
    page = show(large)
    for part in (".pane", ".panel"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= WIDE[1]
        assert box["height"] > WIDE[1] / 4


def test_on_a_phone_a_change_lies_over_the_list(show: Show, large: Comparison) -> None:
    page = show(large, size=PHONE)
    assert not page.is_visible("#panel")
    page.evaluate("document.querySelector('.pane').scrollTop = 40000")
    page.click("#change-1430")
    box = page.locator("#panel").bounding_box()
    assert box == {"x": 0, "y": 0, "width": PHONE[0], "height": PHONE[1]}
    assert page.evaluate("document.activeElement.id") == "panel"
    page.get_by_role("button", name="Close").click()
    assert not page.is_visible("#panel")
    assert page.is_visible("#change-1430[aria-selected=true]")
    page.click("#change-1431")
    page.keyboard.press("Escape")
    assert not page.is_visible("#panel")
    assert page.evaluate("document.activeElement.id") == "list"


def test_an_unknown_key_is_said_so(show: Show, small: Comparison) -> None:
    page = show(small, "n=%3Cb%3Enowhere&kind=nonsense")
    assert "Nothing changed at <b>nowhere" in page.inner_text("[role=alert]")


def test_a_long_list_draws_what_is_seen_and_what_is_open(show: Show, large: Comparison) -> None:
    page = show(large)
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


def test_hostile_text_is_text(show: Show) -> None:
    tree = flat(leaf("a", requirements=HOSTILE), leaf("b", requirements=LONG))
    first = run(tree, {"a": Grade.graded(1, HOSTILE), "b": Grade.graded(1, LONG)}, "a")
    second = run(tree, {"a": Grade.graded(0, f"{HOSTILE}!"), "b": Grade.graded(0, LONG)}, "b")
    page = show(compare(first, second), "n=a", size=PHONE)
    shown = page.inner_text(".panel")
    assert "</script><script>x</script><img src=x onerror=alert(1)>\\u{202e}evil\\u{0}" in shown
    assert page.locator("#app script, #app img").count() == 0
    page.keyboard.press("j")
    page.wait_for_selector(".panel:has-text('show all')")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.slow
def test_twelve_thousand_criteria_on_either_side_fit_a_page(show: Show) -> None:
    pairs: list[tuple[str | None, Criterion]] = [(None, group("root"))]
    for at in range(400):
        pairs.append(("root", group(f"g{at}")))
        pairs.extend((f"g{at}", leaf(f"g{at}.{one}")) for one in range(29))
    tree = Rubric.build(pairs)
    sides = [{key: of(key) for key in tree.leaves()} for of in (met, not_met)]
    found = compare(run(tree, sides[0], "a"), run(tree, sides[1], "b"))
    assert sum(row.points or 0.0 for row in found.kinds) == pytest.approx(-100)
    assert len(comparison_page(found)) < 4_000_000
    page = show(found)
    assert page.inner_text("[role=status]") == "11,600 of 11,600 changes"
    page.keyboard.press("End")
    page.wait_for_selector("#change-11599[aria-selected=true]")
    assert page.evaluate("document.querySelectorAll('*').length") < 800


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.slow)])
def test_axe_finds_nothing(show: Show, small: Comparison, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = show(small, "n=k0", theme=scheme)
    page.click("summary")
    found = axe.Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    found = axe.Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_without_scripts_the_tables_are_there(small: Comparison) -> None:
    page = comparison_page(small)
    text = page[page.index("<noscript>") : page.index("</noscript>")]
    assert "met → not met" in text
    assert "what k0 asks" in text


def test_secrets_are_masked(small: Comparison) -> None:
    tree = flat(leaf("a"))
    key = "sk-proj-" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9bC1dE3fG5hJ7k"
    grades = {"a": Grade.graded(1, f"it prints {key}")}, {"a": Grade.graded(0)}
    found = compare(run(tree, grades[0], "a"), run(tree, grades[1], "b"))
    (change,) = page_values(found)["comparison"]["changes"]
    assert key not in change["a"]["explanation"]
    assert change["a"]["explanation"].startswith("it prints ")


@pytest.mark.slow
@pytest.mark.parametrize("address", ["", "kind=down&q=nowhere"])
def test_paper_has_every_change_with_both_reasons(
    show: Show, small: Comparison, address: str
) -> None:
    page = show(small, address)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    rows = page.locator(".paper section").first.locator("tbody tr").all()
    texts = [row.inner_text() for row in rows]
    changes = page_values(small)["comparison"]["changes"]
    assert len(texts) == len(changes)
    for text, change in zip(texts, changes, strict=True):
        for side in filter(None, (change["a"], change["b"])):
            assert side["verdict"] in text
            assert side["explanation"] in text
            assert side["key"] in text
        assert (change["a"] and change["b"]) or "no such criterion" in text
    assert not page.is_visible(".work")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert page.locator(".paper").count() == 0


NUMBER = re.compile(r"([-\u2212+])?(\d+(?:\.(\d+))?)(?= points|, [+\u2212]|\])")


@pytest.mark.parametrize("scripts", [True, False])
def test_the_figures_of_a_card_are_written_alike(show: Show, *, scripts: bool) -> None:
    tree = Rubric.build(
        [(None, group("root"))]
        + [("root", group(f"g{at}")) for at in range(8)]
        + [(f"g{at}", leaf(f"k{at}.{one}")) for at in range(8) for one in range(3)]
    )
    first = {key: met(key) for key in tree.leaves()}
    fell = {"k7.1", *(f"k{at}.0" for at in range(1, 8))}
    second = {key: (not_met if key in fell else met)(key) for key in tree.leaves()}
    found = compare(run(tree, first, "a"), run(tree, second, "b"))
    values = page_values(found)["comparison"]
    assert f"\u2212{-values['test']['points']:.2f} points on" in values["said"][0]
    page = show(found, scripts=scripts)
    text = page.inner_text("body") if scripts else page.locator("noscript").inner_text()
    signs = NUMBER.findall(text)
    assert len(signs) >= 4
    assert {sign for sign, _, _ in signs} <= {"\u2212", "+", ""}
    assert {len(decimals) for _, _, decimals in signs} == {2}
    assert "met → not met" in text
    assert "->" not in text
