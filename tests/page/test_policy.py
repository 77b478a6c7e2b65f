"""What a page forbids: scripts and requests of whoever gets markup into it all the same."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from rubric_engine.page import assemble
from tests.page.made import made_page, made_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RUN, CHUNKS = made_run(20)
ELSEWHERE = "http://elsewhere.example/"
"""Stands for the address of a server that counts who comes."""

MARKUP = {
    "script": "<script>window.evil = 1</script>",
    "a script from elsewhere": f"<script src='{ELSEWHERE}x.js'></script>",
    "a handler": f"<img src='{ELSEWHERE}x.png' onerror='window.evil = 1'>",
    "a handler of an image in the page": "<img src='data:,x' onerror='window.evil = 1'>",
    "svg": "<svg onload='window.evil = 1'><use href='data:image/svg+xml,x#y'/></svg>",
    "a frame": f"<iframe src='{ELSEWHERE}'></iframe><iframe srcdoc='<script>x</script>'></iframe>",
    "style": f"<style>@import '{ELSEWHERE}x.css'; body {{ background: url({ELSEWHERE}) }}</style>",
    "a style by attribute": f"<p style='background: url({ELSEWHERE}x.png)'>x</p>",
    "a sheet": f"<link rel='stylesheet' href='{ELSEWHERE}x.css'>",
    "a prefetch": f"<link rel='prefetch' href='{ELSEWHERE}x'>",
    "a preload": f"<link rel='preload' as='image' href='{ELSEWHERE}y'>",
    "media": f"<video src='{ELSEWHERE}v' autoplay></video><object data='{ELSEWHERE}o'></object>",
    "a base": f"<base href='{ELSEWHERE}'><img src='x.png'>",
    "a form": f"<form id='sent' action='{ELSEWHERE}' method='post'></form>",
    "an address that is a script": "<a id='pressed' href='javascript:window.evil = 1'>x</a>",
}  # fmt: skip

BY_SCRIPT = {
    "a script that is made": "() => { const s = document.createElement('script');"
    " s.text = 'window.evil = 1'; document.body.append(s) }",
    "a request": "url => fetch(url).then(() => { window.evil = 1 }, () => 'refused')",
    "an older request": "url => new Promise(done => { const x = new XMLHttpRequest();"
    " x.onerror = () => done('refused'); x.onload = () => { window.evil = 1; done() };"
    " try { x.open('GET', url); x.send() } catch { done('refused') } })",
    "a beacon": "url => { navigator.sendBeacon(url, 'x') }",
    "a socket": "url => { try { new WebSocket(url.replace('http', 'ws')) } catch { return 1 } }",
    "a worker": "() => { try { new Worker('data:text/javascript,1') } catch { return 1 } }",
}


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[tuple[str, list[str]]]:
    """A server, and what it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", asked
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page of a run, with a network."""
    file = tmp_path_factory.mktemp("page") / "x.html"
    file.write_text(assemble(made_page(RUN), [CHUNKS], title="x"))
    context = browser.new_context()
    opened = context.new_page()
    opened.goto(file.as_uri())
    opened.wait_for_selector("body[data-ready]")
    yield opened
    context.close()


WAIT = "() => new Promise(done => setTimeout(done, 20))"


def test_that_server_counts(browser: Browser, elsewhere: tuple[str, list[str]]) -> None:
    page = browser.new_page()
    page.set_content(f"<img src='{elsewhere[0]}seen.png'>", wait_until="networkidle")
    page.close()
    assert elsewhere[1] == ["/seen.png"]
    elsewhere[1].clear()


@pytest.mark.parametrize("markup", MARKUP.values(), ids=MARKUP)
def test_markup_that_got_in_runs_nothing_and_asks_nobody(
    page: Page, elsewhere: tuple[str, list[str]], markup: str
) -> None:
    text = markup.replace(ELSEWHERE, elsewhere[0])
    page.evaluate("text => { document.body.innerHTML = text }", text)
    page.evaluate(
        "text => document.body.append(document.createRange().createContextualFragment(text))",
        text,
    )
    page.evaluate("() => document.getElementById('pressed')?.click()")
    page.evaluate("() => document.getElementById('sent')?.submit()")
    page.evaluate(WAIT)
    assert elsewhere[1] == []
    assert page.evaluate("window.evil") is None
    assert page.url.startswith("file:")


@pytest.mark.parametrize("script", BY_SCRIPT.values(), ids=BY_SCRIPT)
def test_not_even_a_script_that_runs_reaches_anybody(
    page: Page, elsewhere: tuple[str, list[str]], script: str
) -> None:
    page.evaluate(script, elsewhere[0])
    page.evaluate(WAIT)
    assert elsewhere[1] == []
    assert page.evaluate("window.evil") is None
