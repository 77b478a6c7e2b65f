"""The server of `view`: the page, and below /api what it shows. Nothing here writes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from rubric_engine.errors import RubricEngineError
from rubric_engine.web.answers import json_answer, page_answer, problem
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.events import events
from rubric_engine.web.viewing.shelf import Shelf


def view_app(shelf: Shelf, ending: Ending, command: str = "rubric-engine view") -> Starlette:
    """The application.

    Args:
        shelf: The runs.
        ending: Whether the server was told to end, so that streams leave off.
        command: What starts it again, but for patterns that hide something; the page says it once
            the server is gone.
    """
    page = page_answer("report", "rubric-engine")
    again = shelf.hiding.text(command)

    def runs(request: Request) -> Any:
        return _news({**shelf.page(), "command": again}, request.query_params.get("known"))

    return Starlette(
        routes=[
            Route("/", lambda request: page),
            Route("/api/page", _get(shelf, runs)),
            *_of_a_run("/api/runs/{id}", shelf, ending),
        ]
    )


def _of_a_run(below: str, shelf: Shelf, ending: Ending) -> list[Route]:
    def run(request: Request) -> Any:
        found = shelf.run(_id(request))
        return None if found is None else found.run

    def chunk(request: Request) -> Any:
        return shelf.chunk(_id(request), request.path_params["number"])

    def prompt(request: Request) -> Any:
        return shelf.asked(_id(request), request.path_params["node"])

    def stream(request: Request) -> Response:
        if not shelf.has(_id(request)):
            return problem("no such run", 404)
        told = events(shelf, _id(request), ending)
        return StreamingResponse(told, media_type="text/event-stream")

    return [
        Route(below, _get(shelf, run)),
        Route(f"{below}/chunks/{{number:int}}", _get(shelf, chunk)),
        Route(f"{below}/prompt/{{node:int}}", _get(shelf, prompt)),
        Route(f"{below}/events", stream),
    ]


def _news(page: dict[str, Any], known: str | None) -> dict[str, Any]:
    """A page and its stamp; the stamp alone for who knows it already."""
    stamp = hashlib.sha256(json.dumps(page).encode()).hexdigest()[:16]
    return {"stamp": stamp} if known == stamp else {**page, "stamp": stamp}


def _id(request: Request) -> str:
    return str(request.path_params["id"])


def _get(shelf: Shelf, read: Callable[[Request], Any]) -> Callable[[Request], Response]:
    """Answer with what is read; what is not there, or cannot be read, is said."""

    def answer(request: Request) -> Response:
        try:
            value = read(request)
        except RubricEngineError as error:
            return problem(shelf.hiding.text(str(error)), 422)
        except OSError as error:
            return problem(f"a file cannot be reached: {error.strerror}", 507)
        return problem("there is no such thing", 404) if value is None else json_answer(value)

    return answer
