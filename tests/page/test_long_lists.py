"""Lists that are longer than what is shown: how much more there is is said, and can be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_engine.page import assemble
from tests.page.conftest import Open
from tests.page.made import made_page
from tests.page.shown import CHUNKS, LEAVES, NODES, RUN

if TYPE_CHECKING:
    from playwright.sync_api import Locator

LEAF = LEAVES[0]


def seen(place: Locator, rows: str, first: int, all_: int) -> None:
    """So many rows stand in a place at first; a button names the rest and shows them."""
    assert place.locator(rows).count() == first
    more = place.get_by_role("button", name=f"and {all_ - first:,} more", exact=True)
    more.first.click()
    assert place.locator(rows).count() == all_
    assert more.count() == 0


def test_categories_and_their_chips(open_page: Open) -> None:
    names = [f"Kind {at}" for at in range(15)]
    rows = [RUN["categories"][0] | {"category": name} for name in names]
    cycle = [names[at % 15] if at in LEAVES else None for at in range(len(NODES["key"]))]
    run = RUN | {"categories": rows, "nodes": NODES | {"category": cycle}}
    page = open_page(assemble(made_page(run), [CHUNKS], title="Kinds")).page
    seen(page.locator("section[aria-label='Categories']"), "tbody tr", 8, 15)
    chips = page.locator(".chips").last
    seen(chips, "button.toggle", 12, 15)
    told = [text.split("\n")[0].strip() for text in chips.locator("button").all_inner_texts()]
    assert len(set(told)) == 15, "no two chips look alike"


def test_warnings_findings_canaries_and_provenance(open_page: Open) -> None:
    finding = RUN["injections"]["findings"][0]
    canary = {"task": "t", "requirements": "r", "met": False, "grade": {"reason": "budget"}}
    many = {
        "warnings": [{"code": "W205", "message": f"the {at}th"} for at in range(60)],
        "injections": {"count": 70, "findings": [finding] * 60},
        "canaries": {"asked": 50, "met": 0, "failed": 50, "leaves": [canary] * 50},
        "provenance": {f"name {at}": at for at in range(500)},
    }
    page = open_page(assemble(made_page(RUN | many), [CHUNKS], title="Many")).page
    page.evaluate("document.querySelectorAll('.notes details').forEach(one => one.open = true)")
    warnings, findings, canaries, origin = page.locator(".notes details").all()
    seen(warnings, "li", 40, 60)
    seen(findings, "li", 40, 60)
    assert "and 10 more, of which the run keeps the number only" in findings.inner_text()
    seen(canaries, "li", 40, 50)
    seen(origin, "dt", 400, 501)


def grade(levels: int) -> dict[str, Any]:
    """A grade with many of everything, of judges in judges."""
    check = {"check": "contains", "score": 1.0, "looked_for": "x", "found": "y"}
    members: list[dict[str, Any]] = [{"judge": f"judge {at}", "score": 1.0} for at in range(45)]
    deep: dict[str, Any] = {"judge": "deepest", "score": 0.0}
    for level in range(levels):
        deep = {"judge": f"level {level}", "score": 1.0, "members": [deep]}
    return {
        "status": "graded", "score": 1.0, "explanation": "as the checks say",
        "checks": [check] * 60, "samples": [1.0] * 43, "members": [deep, *members],
    }  # fmt: skip


def test_checks_samples_judges_and_files_of_a_leaf(open_page: Open) -> None:
    part = {"path": "a.py", "why": "no room"}
    receipt = {
        "whole": [], "cut": [], "left_out": [part] * 100, "union": ["u" * 500],
        "counts": {"whole": 0, "cut": 0, "left_out": 120}, "unranked": "",
    }  # fmt: skip
    detail = {"grade": grade(9), "receipt": receipt, "note": "a note", "cost": None}
    text = assemble(made_page(RUN), [[{str(LEAF): detail}]], title="Leaf")
    page = open_page(text, f"n={NODES['key'][LEAF]}").page
    page.wait_for_selector("#checks")
    seen(page.locator("#checks"), "li.check", 40, 60)
    votes = page.locator(".part:has(> h3:text-is('votes'))")
    assert "and 3 more" in votes.locator("p").first.inner_text()
    seen(votes.locator("> ul"), "> li > .place", 40, 46)
    assert "deepest" not in votes.inner_text()
    assert "and 1 judge within: show RUN LEAF --json has all" in votes.inner_text()
    page.evaluate("document.querySelectorAll('#panel details').forEach(one => one.open = true)")
    shown = page.locator(".part:has(> h3:text-is('what the judge was shown'))")
    seen(shown, ".files li", 50, 100)
    assert "and 20 more: show RUN LEAF --json has all" in shown.inner_text()
    assert "show all 500 characters" in shown.inner_text()


def test_what_stands_above_a_deep_leaf(open_page: Open) -> None:
    deep = 30
    nodes = {name: (column * deep)[:deep] for name, column in NODES.items()}
    nodes |= {"parent": list(range(-1, deep - 1)), "key": [f"n{at}" for at in range(deep)]}
    nodes["verdict"] = [None] * (deep - 1) + ["met"]
    page = open_page(
        assemble(made_page(RUN | {"nodes": nodes}), [[{}]], title="Deep"), "n=n29"
    ).page
    above = page.locator("nav.above")
    assert above.locator("li").count() == 10
    above.get_by_role("button", name="and 20 more").click()
    assert above.locator("li").count() == 29
