"""A page in a real browser, and what it complained about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDE, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}


class Window:
    """A page that was let in, and what it complained about."""

    def __init__(
        self,
        chromium: Browser,
        address: str,
        *,
        dark: bool = False,
        ready: str = "body[data-ready=yes]",
    ) -> None:
        self.trouble: list[str] = []
        self.strange: list[str] = []
        scheme = "dark" if dark else "light"
        context = chromium.new_context(viewport=WIDE, color_scheme=scheme)  # type: ignore[arg-type]
        self.page: Page = context.new_page()
        self.page.on("console", lambda said: self.trouble.append(said.text))
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        origin = address.partition("/?")[0]
        self.page.on(
            "request",
            lambda sent: None if sent.url.startswith(origin) else self.strange.append(sent.url),
        )
        self.page.goto(address)
        self.page.wait_for_selector(ready)

    def label(self, verdict: str, reason: str, done: str) -> None:
        """Label the leaf that is shown by keys alone, and wait until it is kept."""
        self.page.keyboard.press(verdict)
        self.page.keyboard.press("r")
        self.page.keyboard.type(reason)
        self.page.keyboard.press("Enter")
        self.wait(done)

    def wait(self, progress: str) -> None:
        """Wait until so much is done."""
        self.page.wait_for_function(
            "done => document.querySelector('#progress').textContent === done", arg=progress
        )

    def close(self) -> None:
        """Close it; nothing was wrong and nobody else was asked."""
        self.page.context.close()
        assert self.trouble == []
        assert self.strange == []
