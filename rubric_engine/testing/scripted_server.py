"""A real HTTP server that speaks the OpenAI protocol and does what its script says."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from types import TracebackType
from typing import Any, Self

from rubric_engine.errors import UsageError
from rubric_engine.testing.background import Background
from rubric_engine.testing.decisions import PATHS, chat_of, questions_of
from rubric_engine.testing.error_forms import Problem
from rubric_engine.testing.instances import toss
from rubric_engine.testing.records import Arrival, Record, Recorder, Stats
from rubric_engine.testing.refusals import INVALID
from rubric_engine.testing.script import Script, Served
from rubric_engine.testing.wire import BUFFER_BYTES, HttpRequest, HttpResponse, read_request, send

BACKLOG = 1024


@dataclass(kw_only=True)
class ScriptedServer(Script):
    """Serves a `Script`: chat completions and decisions with usage, and the list of models.

    As an asynchronous context manager it runs in the loop at hand, as a plain one in a thread of
    its own. `python -m rubric_engine.testing.server` runs one in its own process. Beside the
    protocol, `GET /stats` gives `stats()` as JSON.

    Attributes:
        latency: Seconds from the end of a request to its answer.
        jitter: Share of the latency by which it varies, either way.
        keep_bodies: Whether each record keeps its request's body.
        host: Address to listen on.
        port: Port to listen on; 0 takes a free one, which `port` then says.

    Example:
        >>> import urllib.request
        >>> with ScriptedServer(models=("small",)) as server:
        ...     with urllib.request.urlopen(server.base_url + "/models") as response:
        ...         print(response.status)
        200
    """

    latency: float = 0.0
    jitter: float = 0.0
    keep_bodies: bool = False
    host: str = "127.0.0.1"
    port: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._recorder = Recorder(keep_bodies=self.keep_bodies)
        self._questions: Counter[str] = Counter()
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._background: Background | None = None

    @property
    def base_url(self) -> str:
        """What a client takes as its base URL."""
        return f"http://{self.host}:{self.port}/v1"

    @property
    def requests(self) -> deque[Record]:
        """The requests for answers, in order of arrival."""
        return self._recorder.requests

    def stats(self) -> Stats:
        """Totals over all chat requests."""
        return self._recorder.stats()

    @property
    def questions(self) -> Counter[str]:
        """How often each question to a decision model came, by its text."""
        return self._questions

    @property
    def asked(self) -> Counter[str]:
        """How often each prompt came, by the hash that stands in its records."""
        return self._recorder.per_prompt

    async def __aenter__(self) -> Self:
        try:
            self._server = await asyncio.start_server(
                self._serve, self.host, self.port, limit=BUFFER_BYTES, backlog=BACKLOG
            )
        except OSError as error:
            raise UsageError(f"cannot listen on {self.host}:{self.port}: {error}") from error
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop; an error of the script's own `answer` is raised here."""
        if self._server is not None:
            self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        if self._failure is not None and error is None:
            raise self._failure

    def __enter__(self) -> Self:
        self._background = Background(self)
        self._background.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._background is not None:
            self._background.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it ends."""
        task = asyncio.current_task()
        if task is not None:
            self._open.add(task)
            task.add_done_callback(self._open.discard)
        try:
            while request := await read_request(reader):
                if not await self._handle(request, reader, writer):
                    break
        except asyncio.CancelledError:  # the server stops; who waits for an answer gets none
            writer.transport.abort()
        except Exception as error:  # noqa: BLE001  # of the script; raised where the server stops
            self._failure = error
        finally:
            writer.close()

    async def _handle(
        self, request: HttpRequest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer one request; whether the connection can go on."""
        response = self.unauthorized(request.headers.get("authorization", ""))
        if (request.method, request.path) == ("GET", "/stats"):
            response = HttpResponse(200, json.dumps(asdict(self.stats())).encode())
        elif response is None and (request.method, request.path) == ("GET", "/v1/models"):
            response = self.listed_models()
        elif response is None and (request.method, request.path) == (
            "POST",
            "/v1/chat/completions",
        ):
            body = _chat_body(request.body)
            if body is not None:
                return await self._answered(body, self.serve, reader, writer)
            problem = Problem(400, "The body is no chat request that is served here.", INVALID)
            response = self.refuse(problem).response
        elif response is None and request.method == "POST" and request.path in PATHS:
            protocol = PATHS[request.path]
            body = chat_of(protocol, request.body)
            if body is not None:
                self._questions.update(each.text for each in questions_of(protocol, body))
                serve = partial(self.serve_decisions, protocol)
                return await self._answered(body, serve, reader, writer)
            problem = Problem(400, "The body holds no questions that are read here.", INVALID)
            response = self.refuse(problem).response
        elif response is None:
            problem = Problem(404, f"Nothing at {request.method} {request.path}", INVALID)
            response = self.refuse(problem).response
        return await send(writer, response)

    async def _answered(
        self,
        body: dict[str, Any],
        serve: Callable[[Arrival], Served],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        loop = asyncio.get_running_loop()
        came = loop.time()
        arrival = self._recorder.arrive(body)
        try:
            served = serve(arrival)
            due = came + self._latency(arrival) + served.delay
            await asyncio.sleep(due - loop.time())
            arrival.record.fault = served.fault.kind if served.fault else None
            arrival.record.status = served.response.status
            if reader.at_eof() or writer.is_closing():
                return False
            if served.tally is not None:  # noted first: whoever reads the answer may count at once
                self._recorder.answer(arrival, served.tally)
            return await send(writer, served.response)
        finally:
            self._recorder.depart()

    def _latency(self, arrival: Arrival) -> float:
        turn = 2 * toss("jitter", self.seed, arrival.request.number) - 1
        return self.latency * (1 + self.jitter * turn)


def _chat_body(raw: bytes) -> dict[str, Any] | None:
    """The body of a chat request, or None for what is none: no messages, or a stream."""
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    messages = body.get("messages") if isinstance(body, dict) else None
    if not isinstance(messages, list) or not messages or body.get("stream"):
        return None
    parts = [*messages, body.get("response_format") or {}]
    return body if all(isinstance(part, dict) for part in parts) else None
