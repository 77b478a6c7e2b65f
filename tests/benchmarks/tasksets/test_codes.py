"""The codes of sets of tasks, in the documentation and in the package."""

from __future__ import annotations

import re

from tests.benchmarks.tasksets.example import ROOT


def found(pattern: str) -> set[str]:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "rubric_engine").rglob("*.py")]
    return {code for text in texts for code in re.findall(rf'"({pattern})"', text)}


def test_every_code_is_in_the_table_and_none_that_is_gone() -> None:
    text = (ROOT / "docs" / "tasksets.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| ([EW]\d{3}) \|", text, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == found(r"E6[23]\d") | found(r"W25\d")
