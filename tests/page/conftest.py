"""A real browser without a network, and pages in it that complain about nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.chromium import running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

WIDE = (1400, 900)
PHONE = (390, 844)


@dataclass
class Window:
    """A page that is open, and what it did.

    Attributes:
        page: The page, of Playwright.
        requests: Addresses that it asked for, its own among them.
        trouble: What it complained about.
        file: The file that it shows.
        ears: What listens to it, by what it listens for.
    """

    page: Page
    file: Path
    requests: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    ears: dict[Any, Callable[..., None]] = field(default_factory=dict)

    def to(self, address: str) -> None:
        """Change what stands behind `#`."""
        self.page.evaluate("text => { location.hash = text }", address)

    def elements(self) -> int:
        """How many elements there are."""
        return int(self.page.evaluate("document.querySelectorAll('*').length"))

    def status(self) -> str:
        """What the live region beside the filters says."""
        return self.page.inner_text("#shown")


Open = Callable[..., Window]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium; one for a file of tests."""
    with running() as chromium:
        yield chromium


Contexts = Callable[[tuple[int, int], str, bool], "BrowserContext"]


@pytest.fixture(scope="module")
def contexts(browser: Browser) -> Contexts:
    """Windows of a size and theme, without a network; to make one takes a while."""

    @cache
    def context(size: tuple[int, int], theme: str, scripts: bool) -> BrowserContext:
        return browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if theme == "dark" else "light",
            offline=True,
            java_script_enabled=scripts,
        )

    return context


def _free(context: BrowserContext, taken: list[Window]) -> Page:
    """A page that no window of this test shows; a new one costs half a second of computing."""
    shown = [window.page for window in taken]
    return next((page for page in context.pages if page not in shown), None) or context.new_page()


def _listen(window: Window) -> None:
    window.ears = {
        "request": lambda request: window.requests.append(request.url),
        "pageerror": lambda error: window.trouble.append(str(error)),
        "console": lambda said: window.trouble.append(said.text),
    }
    for said, heard in window.ears.items():
        window.page.on(said, heard)


@pytest.fixture
def open_page(contexts: Contexts, tmp_path: Path) -> Iterator[Open]:
    """Write a page to a file and open it; at the end nobody may have complained."""
    windows: list[Window] = []

    def open_(
        text: str, address: str = "", *, size: tuple[int, int] = WIDE, theme: str = "light",
        scripts: bool = True,
    ) -> Window:  # fmt: skip
        file = tmp_path / f"{len(windows)}.html"
        file.write_text(text, encoding="utf-8")
        window = Window(_free(contexts(size, theme, scripts), windows), file)
        windows.append(window)
        _listen(window)
        window.page.goto(file.as_uri() + (f"#{address}" if address else ""))
        if scripts:
            window.page.wait_for_selector("body[data-ready]")
        return window

    yield open_
    for window in windows:
        window.page.evaluate("localStorage.clear()")
        for said, heard in window.ears.items():
            window.page.remove_listener(said, heard)
        assert window.trouble == []
        assert set(window.requests) == {window.requests[0]}, "a page asks for nothing but itself"
