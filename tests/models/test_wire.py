"""Servers that send without end, or send prompts elsewhere, over each transport."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from rubric_engine.errors import ProviderError
from rubric_engine.model import ModelConfig, ModelFault, Unavailable
from rubric_engine.models.wire import MOST_BYTES
from rubric_engine.testing import ScriptedServer
from rubric_engine.testing.wire import HttpRequest, HttpResponse, read_request
from tests.models.answers import Asked, saying

pytestmark = pytest.mark.usefixtures("transport")

COMPLETION = json.dumps(
    {
        "choices": [{"message": {"content": "words"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 1},
    }
).encode()


@asynccontextmanager
async def endless(status: int) -> AsyncIterator[tuple[ModelConfig, list[int]]]:
    """A server whose body ends when its reader leaves, and the bytes that it got rid of."""
    sent, serving = [0], set[asyncio.Task[None]]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(asyncio.current_task())  # type: ignore[arg-type]  # it runs in one
        await read_request(reader)
        head = "Content-Type: application/json\r\nTransfer-Encoding: chunked"
        writer.write(f"HTTP/1.1 {status} X\r\n{head}\r\n\r\n".encode())
        try:
            while not writer.is_closing():
                writer.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
                await writer.drain()
                sent[0] += 65536
        except ConnectionError:
            pass
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        yield ModelConfig(name="m", base_url=url, key_env="NO_SUCH_KEY", max_wait=0), sent
        await asyncio.gather(*serving)


@pytest.mark.parametrize("status", [200, 500])
def test_a_body_without_end_is_cut_off_and_billed_at_its_bound(status: int) -> None:
    async def run() -> None:
        asked = Asked()
        async with endless(status) as (config, sent):
            with pytest.raises(Unavailable, match="larger than 16 MiB"):
                await asked.ask(config, schema=None)
        (attempt,) = asked.attempts
        assert (attempt.error, attempt.usage) == ("garbled", None)
        assert sent[0] < 4 * MOST_BYTES

    asyncio.run(run())


@pytest.mark.parametrize(
    ("packing", "body", "told"),
    [
        ("gzip", gzip.compress(b" " * (MOST_BYTES + 1), mtime=0), "larger than 16 MiB"),
        ("br", b"\x0b\x02\x80hello\x03", "not asked for"),
        ("gzip", b"no gzip", "not asked for"),
    ],
)
def test_a_body_that_unpacks_to_too_much_or_not_at_all_is_no_answer(
    packing: str, body: bytes, told: str
) -> None:
    def respond(_: HttpRequest) -> HttpResponse:
        return HttpResponse(200, body, (("Content-Encoding", packing),))

    async def run() -> None:
        async with saying(respond) as config:
            with pytest.raises(ModelFault, match=told):
                await Asked().ask(config, schema=None)

    asyncio.run(run())


@pytest.mark.parametrize("packing", ["gzip", "identity"])
def test_a_packed_body_is_read(packing: str) -> None:
    def respond(_: HttpRequest) -> HttpResponse:
        body = gzip.compress(COMPLETION) if packing == "gzip" else COMPLETION
        return HttpResponse(200, body, (("Content-Encoding", packing),))

    async def run() -> str:
        async with saying(respond) as config:
            return (await Asked().ask(config, schema=None)).text

    assert asyncio.run(run()) == "words"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_prompt_is_not_sent_to_another_server_than_the_one_named(status: int) -> None:
    async def run() -> None:
        async with ScriptedServer() as other:
            there = (("Location", f"{other.base_url}/chat/completions?k=v"),)
            asked = Asked()
            async with saying(lambda _: HttpResponse(status, b"", there)) as config:
                with pytest.raises(ProviderError, match=f"redirects to {other.base_url}, and"):
                    await asked.ask(config, schema=None)
            assert len(other.requests) == 0
            assert len(asked.attempts) == 1

    asyncio.run(run())


def test_a_redirect_within_a_server_is_followed() -> None:
    def respond(request: HttpRequest) -> HttpResponse:
        if request.path == "/v2/chat":
            return HttpResponse(200, COMPLETION)
        return HttpResponse(307, b"", (("Location", "/v2/chat"),))

    async def run() -> str:
        async with saying(respond) as config:
            return (await Asked().ask(config, schema=None)).text

    assert asyncio.run(run()) == "words"


def test_redirects_in_a_circle_end() -> None:
    async def run() -> None:
        around = (("Location", "/v1/chat/completions"),)
        async with saying(lambda _: HttpResponse(307, b"", around)) as config:
            with pytest.raises((ProviderError, ModelFault)):
                await Asked().ask(config, schema=None)

    asyncio.run(run())
