"""The table of codes in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import rubric_engine

ROOT = Path(__file__).parents[2]


def listed() -> list[str]:
    """The codes of the table, in its order."""
    text = (ROOT / "docs" / "judgeeval.md").read_text(encoding="utf-8")
    return re.findall(r"^\| (E\d{3}) \|", text, re.MULTILINE)


def raised() -> set[str]:
    """Every code that stands in the package."""
    package = Path(rubric_engine.__file__).parent
    return {
        code
        for path in package.rglob("*.py")
        for code in re.findall(r"\"(E\d{3})\"", path.read_text(encoding="utf-8"))
    }


def test_every_code_of_labels_cases_labellings_and_audits_is_in_the_table() -> None:
    assert {code for code in raised() if "E500" <= code <= "E569"} - set(listed()) == set()


def test_the_table_lists_each_code_once_and_none_that_is_gone() -> None:
    assert listed() == sorted(set(listed()))
    assert set(listed()) <= raised()
