"""How quickly a large report opens, filters and unfolds in Chromium, where there is one."""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.row import Row
from rubric_engine.page import assemble
from tests.page.made import made_page, made_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LEAVES, CHARS = 9_000, 1_750  # about 12,000 criteria and 15 MB of what judges said
FILE_MB, FIRST_SECONDS, FILTER_SECONDS, UNFOLD_SECONDS = 4.0, 1.5, 0.2, 0.5
ROUNDS = 5

# Until the next frame after the one that shows the change has been drawn.
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
FILTER = f"""async query => {{
  const box = document.getElementById("query"), began = performance.now()
  box.value = query
  box.dispatchEvent(new Event("input", {{bubbles: true}}))
  await {DRAWN}
  return performance.now() - began
}}"""
UNFOLD = f"""async () => {{
  const began = performance.now()
  document.querySelector("button[title='Key *']").click()
  await {DRAWN}
  return performance.now() - began
}}"""
FOLD = "document.querySelector(\"button[title='Key 2']\").click()"
QUERIES = ("table 3", "verdict:not worth:>0.01", "unverified", "")


def page_rows() -> Iterator[Row]:
    """Make a large report and time it; one line where it cannot be done."""
    run, chunks = made_run(LEAVES, chars=CHARS)
    began = time.perf_counter()
    text = assemble(made_page(run), [chunks], title="Large")
    made = time.perf_counter() - began
    size = len(text) / 1e6
    figure = f"{size:.1f} MB, put together in {made:.2f} s"
    yield Row("a report of 12,000 criteria, 15 MB of text", figure, size < FILE_MB, f"{FILE_MB} MB")
    chromium = shutil.which("chromium")
    if chromium is None:
        yield Row("a report in a browser", "left out: no chromium on PATH")
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "large.html"
        file.write_text(text, encoding="utf-8")
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = driver.chromium.launch(executable_path=chromium, args=flags)
        yield from _shown(browser, file.as_uri())
        browser.close()


def _shown(browser: Browser, address: str) -> Iterator[Row]:
    firsts = []
    for _ in range(ROUNDS):
        page = browser.new_context(offline=True).new_page()
        firsts.append(_opened(page, address))
        page.context.close()
    yield _row("  first rows", firsts, FIRST_SECONDS)
    page = browser.new_context(offline=True).new_page()
    _opened(page, address)
    page.evaluate(UNFOLD)
    filters = [page.evaluate(FILTER, query) / 1e3 for _ in range(ROUNDS) for query in QUERIES]
    yield _row("  a filter", filters, FILTER_SECONDS)
    unfolds = []
    for _ in range(ROUNDS):
        page.evaluate(FOLD)
        unfolds.append(page.evaluate(UNFOLD) / 1e3)
    yield _row("  all unfolded", unfolds, UNFOLD_SECONDS)
    page.context.close()


def _opened(page: Page, address: str) -> float:
    began = time.perf_counter()
    page.goto(address)
    page.wait_for_selector(".rows [role=row]")
    return time.perf_counter() - began


def _row(name: str, seconds: list[float], limit: float) -> Row:
    figure = f"{statistics.median(seconds):.3f} s, at most {max(seconds):.3f} s"
    return Row(name, figure, max(seconds) < limit, f"{limit} s")
