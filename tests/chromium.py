"""Chromium for tests of pages, where it and playwright are installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@contextmanager
def running() -> Iterator[Browser]:
    """Debian's Chromium without a screen; skips where it or playwright is missing."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("no chromium on PATH")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()
