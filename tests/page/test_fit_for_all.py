"""A report for those who hear it, and on a phone."""

from __future__ import annotations

import pytest

from tests.page.conftest import PHONE, WIDE, Open
from tests.page.shown import LEAVES, NODES, PAGE


@pytest.mark.parametrize(
    ("theme", "size"),
    [
        ("light", WIDE),
        pytest.param("dark", WIDE, marks=pytest.mark.slow),
        pytest.param("dark", PHONE, marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_serious(open_page: Open, theme: str, size: tuple[int, int]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    leaf = next(at for at in LEAVES if NODES["verdict"][at] == "not met")
    page = open_page(PAGE, f"n={NODES['key'][leaf]}", theme=theme, size=size).page
    page.wait_for_selector("#evidence")
    found = axe.Axe().run(page).response["violations"]
    bad = [(each["id"], [node["html"][:200] for node in each["nodes"][:3]])
           for each in found if each["impact"] in ("serious", "critical")]  # fmt: skip
    assert bad == []


def test_nothing_is_wider_than_a_phone(open_page: Open) -> None:
    page = open_page(PAGE, size=PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.click("#row-0 bdi")
    assert page.locator("#panel").is_visible()
    page.click("#panel .close")
    assert not page.locator("#panel").is_visible()
