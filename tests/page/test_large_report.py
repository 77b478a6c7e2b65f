"""A report of the size of all public rubrics together."""

from __future__ import annotations

import pytest

from rubric_engine.page import assemble
from tests.page.conftest import Open
from tests.page.made import made_page, made_run


@pytest.mark.slow
def test_12_000_criteria_and_15_mb_of_text_stay_small_and_quick_to_walk(open_page: Open) -> None:
    run, chunks = made_run(9_000, chars=1_750)
    texts = [detail["grade"]["explanation"] for chunk in chunks for detail in chunk.values()]
    assert len(run["nodes"]["key"]) >= 12_000
    assert sum(map(len, texts)) >= 15_000_000
    text = assemble(made_page(run), [chunks], title="Large")
    assert len(text) < 4_000_000
    window = open_page(text)
    page = window.page
    most = window.elements()
    page.keyboard.press("*")
    assert int(page.get_attribute("#tree", "aria-rowcount") or 0) == len(run["nodes"]["key"]) + 1
    for query in ("verdict:not", "Table 3", "unverified unsure", ""):
        page.fill("#query", query)
        most = max(most, window.elements())
    for key in ("End", "Home", "n", "n", "PageDown"):
        page.keyboard.press(key)
        page.wait_for_selector("#evidence, .children")
        most = max(most, window.elements())
    assert most < 800
