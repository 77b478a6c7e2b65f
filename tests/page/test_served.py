"""The same page from a server: a run that goes on, a prompt on demand, and a server that ends."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from rubric_engine.page import assemble
from tests.page.made import made_page, made_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


class Served:
    """A run, as a server of the page's data has it, and events to send."""

    def __init__(self) -> None:
        self.run, self.chunks = made_run(20)
        self.run["status"], self.run["complete"] = "running", False
        self.events: queue.Queue[tuple[str, dict[str, Any]] | None] = queue.Queue()
        self.streams = True
        self.text = assemble(None, api="/api", title="Live")

    def answer(self, path: str) -> Any:
        """The JSON value below a path; None where there is none."""
        below = f"/api/runs/{self.run['id']}"
        if path == "/api/page":
            return made_page({key: self.run[key] for key in self.run if key != "nodes"})
        if path.startswith(f"{below}/chunks/"):
            return self.chunks[int(path.rpartition("/")[2])]
        if path.startswith(f"{below}/prompt/"):
            return {"prompt": "Is it so?", "answer": "It is </script>."}
        return self.run if path == below else None


def handler(served: Served) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/":
                self._send(served.text.encode(), "text/html; charset=utf-8")
            elif self.path.endswith("/events") and served.streams:
                self._stream()
            else:
                value = served.answer(self.path)
                self._send(json.dumps(value).encode(), "application/json", 404 * (value is None))

        def _send(self, body: bytes, kind: str, status: int = 0) -> None:
            self.send_response(status or 200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body)

        def _stream(self) -> None:
            self._send(b": here\n\n", "text/event-stream")
            while (event := served.events.get()) is not None:
                self.wfile.write(f"event: {event[0]}\ndata: {json.dumps(event[1])}\n\n".encode())

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler


@pytest.fixture
def served() -> Iterator[tuple[Served, str]]:
    one = Served()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(one))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield one, f"http://127.0.0.1:{server.server_port}/"
    one.events.put(None)
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    one = context.new_page()
    yield one
    context.close()


def a_leaf(run: dict[str, Any], verdict: str) -> int:
    return int(run["nodes"]["verdict"].index(verdict))


@pytest.mark.parametrize(
    "streams", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["events", "polling"]
)
def test_a_leaf_that_is_open_is_graded_while_one_looks(
    served: tuple[Served, str], page: Page, streams: bool
) -> None:
    one, address = served
    one.streams = streams
    leaf = a_leaf(one.run, "not met")
    page.goto(f"{address}#n={one.run['nodes']['key'][leaf]}")
    page.wait_for_selector("#evidence")
    assert "running" in page.inner_text(".facts")
    one.chunks[0][str(leaf)]["grade"]["explanation"] = "Now it is there."
    one.run["nodes"]["verdict"][leaf] = "met"
    change = {
        "node": leaf,
        "verdict": "met",
        "value": 1.0,
        "score": {**one.run["score"], "low": 0.5},
    }
    one.events.put(("grade", change))
    page.wait_for_selector("#panel >> text=Now it is there.")
    page.wait_for_selector(f"#row-{leaf} >> text=met")
    one.run["status"], one.run["complete"] = "done", True
    one.events.put(("done", {}))
    page.wait_for_selector(".facts >> text=complete")


def test_a_prompt_is_shown_when_it_is_asked_for(served: tuple[Served, str], page: Page) -> None:
    one, address = served
    leaf = a_leaf(one.run, "met")
    one.chunks[0][str(leaf)]["prompt"] = True
    page.goto(f"{address}#n={one.run['nodes']['key'][leaf]}")
    page.click("text=Show what was asked and answered")
    page.wait_for_selector("#panel >> text=It is </script>.")


def test_what_a_server_does_not_have_is_said(served: tuple[Served, str], page: Page) -> None:
    one, address = served
    one.chunks = []
    leaf = a_leaf(one.run, "met")
    one.answer = lambda path: None if "chunks" in path else Served.answer(one, path)  # type: ignore[method-assign]
    page.goto(f"{address}#n={one.run['nodes']['key'][leaf]}")
    page.wait_for_selector("#panel >> text=No judge has said anything of this leaf.")
