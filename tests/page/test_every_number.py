"""Every number that a page shows is that of `report.json`, of runs that were really graded."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubric_engine.cli.app import run as command
from rubric_engine.figures import span_of
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.app import view_app
from rubric_engine.web.viewing.shelf import Shelf
from tests.page.checking import check, shown_of
from tests.page.expected import Shown, points
from tests.page.graded import graded_by_a_model, graded_by_rules
from tests.web.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TALL = {"width": 1400, "height": 4000}
"""So high that all rows are drawn."""


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a shipped submission, by rules."""
    return graded_by_rules(tmp_path_factory.mktemp("shipped"))


@pytest.fixture(scope="module")
def paid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of another, by a model that costs, fails and wavers."""
    return graded_by_a_model(tmp_path_factory.mktemp("paid"))


@pytest.fixture(scope="module")
def runs(shipped: Path, paid: Path) -> tuple[Path, Path]:
    """Both."""
    return shipped, paid


Show = Callable[[str], "Page"]


@pytest.fixture(scope="module")
def show(browser: Browser) -> Iterator[Show]:
    """Open an address."""
    context = browser.new_context(viewport=TALL)  # type: ignore[arg-type]
    page = context.new_page()

    def show_(address: str) -> Page:
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        return page

    yield show_
    context.close()


def test_the_page_of_a_run_by_a_model(paid: Path, show: Show) -> None:
    chips = {"failed", "split votes", "unverified citation", "unsure", "◐ part"}
    assert chips <= set(shown_of(paid)[0].chips())
    check(show((paid / "report.html").as_uri()), paid)


@pytest.mark.slow
def test_the_page_of_a_shipped_submission(shipped: Path, show: Show) -> None:
    assert {"human differs", "✗ not met", "○ no grade"} <= set(shown_of(shipped)[0].chips())
    check(show((shipped / "report.html").as_uri()), shipped)


@pytest.mark.slow
def test_the_page_of_several_runs(runs: tuple[Path, Path], show: Show, tmp_path: Path) -> None:
    both = tmp_path / "both.html"
    assert command(["report", *map(str, runs), "-o", str(both)]) == 0
    scores = [shown_of(run)[0].report["score"] for run in runs]
    for run in runs:
        page = show(f"{both.as_uri()}#run={run.name}")
        check(page, run)
        options = page.locator(".chooser option").all_inner_texts()
        assert [text.split()[0] for text in options] == [span_of(score) for score in scores]


@pytest.mark.slow
def test_the_page_that_view_serves(runs: tuple[Path, Path], show: Show) -> None:
    ending = Ending()
    with served(view_app(Shelf([], list(runs)), ending), ending) as inside:
        show(f"{inside.origin}/?token={inside.token}")
        for run in runs:
            check(show(f"{inside.origin}/#run={run.name}"), run)


def test_the_table_without_scripts_and_the_one_for_paper(paid: Path, show: Show) -> None:
    shown, _ = shown_of(paid)
    text = (paid / "report.html").read_text()
    plain = text[text.index("<noscript>") : text.index("</noscript>")]
    rows = [re.findall("<td[^>]*>([^<]*)</td>", row) for row in plain.split("<tr>")[2:]]
    high = [row for row in shown.rows if _level(shown, row["key"]) < 3]
    assert [[html.unescape(cell) for cell in cells[2:]] for cells in rows] == [
        [points(row[name]) for name in ("worth", "lost", "open")] for row in high
    ]
    page = show((paid / "report.html").as_uri())
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    paper = page.locator(".paper [aria-label='To the third level'] tbody tr").all()
    cells = [row.locator(".number").all_inner_texts() for row in paper]
    assert [row[1:] for row in cells] == [
        [points(row[name]) for name in ("worth", "lost", "open")] for row in high
    ]


def _level(shown: Shown, key: str) -> int:
    parents = {row["key"]: row["parent"] for row in shown.rows}
    level = 0
    while (above := parents[key]) is not None:
        level, key = level + 1, above
    return level
