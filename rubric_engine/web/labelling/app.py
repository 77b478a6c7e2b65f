"""The server of one person's labels: its addresses, and how errors are answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rubric_engine.errors import LabelsError, RubricEngineError, StorageError, UsageError
from rubric_engine.judgeeval.labelling.record import GoneError
from rubric_engine.rubric_file.models import in_words, validation_problems
from rubric_engine.web.answers import json_answer, page_answer, problem
from rubric_engine.web.labelling.change import unreachable
from rubric_engine.web.labelling.desk import Desk, StaleError
from rubric_engine.web.labelling.sent import Sent, SentLabel, SentMarks, SentUndo

Form = TypeVar("Form", bound=Sent)


def label_app(desk: Desk) -> Starlette:
    """The application: a page, what there is to read, and three ways to write.

    Args:
        desk: What is labelled.
    """
    page = page_answer("label", f"{desk.name}: {desk.submission}")
    return Starlette(
        routes=[
            Route("/", lambda request: page),
            Route("/api/desk", lambda request: _answered(lambda: desk.state)),
            Route("/api/news", lambda request: _answered(desk.look)),
            Route("/api/next", lambda request: _answered(desk.what_next)),
            *_reading(desk),
            _post("/api/labels", SentLabel, desk.put),
            _post("/api/marks", SentMarks, desk.mark),
            _post("/api/undo", SentUndo, desk.undo),
        ],
        exception_handlers={OSError: lambda request, error: _unreached(error)},
    )


def _reading(desk: Desk) -> list[Route]:
    def file(request: Request) -> Response:
        start = request.query_params.get("start", "1")
        number = request.path_params["number"]
        part = desk.reader.part(number, int(start) if start.isdecimal() else 1)
        return problem("no such text", 404) if part is None else json_answer(part)

    def search(request: Request) -> Response:
        return json_answer(desk.reader.search(request.query_params.get("q", "")))

    def section(request: Request) -> Response:
        number = request.path_params["number"]
        if number >= len(desk.paper.sections):
            return problem("no such section", 404)
        found = desk.paper.sections[number]
        return json_answer(
            {"title": found.title, "blocks": [asdict(each) for each in found.blocks]}
        )

    def sections(request: Request) -> Response:
        return json_answer({"sections": desk.paper.search(request.query_params.get("q", ""))})

    def near(request: Request) -> Response:
        leaf = request.query_params.get("key", "")
        if not desk.has(leaf):
            return problem("no such leaf", 404)
        files = desk.beginning.hinted(desk.rubric[leaf].evidence)
        return json_answer({"sections": desk.paper.near(desk.rubric, leaf), "files": files})

    return [
        Route("/api/files/{number:int}", file),
        Route("/api/search", search),
        Route("/api/paper", sections),
        Route("/api/paper/{number:int}", section),
        Route("/api/near", near),
    ]


def _post(path: str, form: type[Form], change: Callable[[Form], dict[str, Any]]) -> Route:
    """A way to write: what is sent is checked, written, and only then answered."""

    async def answer(request: Request) -> Response:
        body = await request.body()
        return await run_in_threadpool(_answered, lambda: change(form.model_validate_json(body)))

    return Route(path, answer, methods=["POST"])


def _answered(ask: Callable[[], dict[str, Any]]) -> Response:
    try:
        return json_answer(ask())
    except ValidationError as error:
        found = (in_words(*each[:3]) for each in validation_problems(error))
        return problem(next(found, "no label"), 422)
    except RubricEngineError as error:
        return problem(_words(error), _status(error))
    except OSError as error:
        return _unreached(error)


def _unreached(error: Exception) -> Response:
    """What a system error says; anything else stays a bug."""
    if not isinstance(error, OSError):
        raise error
    return problem(_words(unreachable(error)), 507)


def _words(error: RubricEngineError) -> str:
    """What is wrong; where the disk is, also what mends it, as the page cannot."""
    if not isinstance(error, StorageError):
        return error.message
    return "\n".join([error.message, *error.looked, *error.fix])


def _status(error: RubricEngineError) -> int:
    if isinstance(error, StaleError | GoneError):
        return 409
    if isinstance(error, StorageError):
        return 507
    return 422 if isinstance(error, UsageError | LabelsError) else 500
