"""The tables of codes in the documentation: what a family of codes means, all of it, once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rubric_engine

ROOT = Path(__file__).parents[1]

FAMILIES = [
    ("judgeeval.md", "E500", "E569"),  # labels, cases, labellings and audits
    ("monitor.md", "E580", "E589"),
    ("expbench.md", "E605", "E619"),
    ("expbench.md", "W241", "W249"),
    ("tasksets.md", "E620", "E639"),
    ("tasksets.md", "W251", "W259"),
]


def listed(page: str) -> list[str]:
    """The codes of a page's tables, in their order; a row may hold several."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([EW]\d{3}(?:, [EW]\d{3})*) \|", text, re.MULTILINE)
    return [code for row in rows for code in row.split(", ")]


def raised() -> set[str]:
    """Every code that stands in the package."""
    package = Path(rubric_engine.__file__).parent
    return {
        code
        for path in package.rglob("*.py")
        for code in re.findall(r"\"([EW]\d{3})\"", path.read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize(("page", "first", "last"), FAMILIES)
def test_every_code_of_a_family_is_in_the_table_of_its_page(
    page: str, first: str, last: str
) -> None:
    own = {code for code in raised() if first <= code <= last}
    assert own - set(listed(page)) == set()


@pytest.mark.parametrize("page", sorted({page for page, _, _ in FAMILIES}))
def test_a_page_lists_each_code_once_and_none_that_is_gone(page: str) -> None:
    found = listed(page)
    assert len(found) == len(set(found))
    assert set(found) <= raised()


def test_the_codes_of_labels_are_in_order() -> None:
    assert listed("judgeeval.md") == sorted(listed("judgeeval.md"))
