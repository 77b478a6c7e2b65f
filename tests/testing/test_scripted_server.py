"""The server as a server: the protocol, what it counts, and how it is run."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import math
import os
import random
import signal
import socket
import subprocess
import sys
import urllib.request
from importlib.util import find_spec

import pytest
from openai import AsyncOpenAI, DefaultAioHttpClient, DefaultAsyncHttpxClient
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam

from rubric_engine.errors import UsageError
from rubric_engine.testing import ScriptedServer
from rubric_engine.testing.values import FAULT_KINDS
from tests.testing.client import SCHEMA, ask, chat_body, send

NEEDS_AIOHTTP = pytest.mark.skipif(not find_spec("aiohttp"), reason="aiohttp is optional")
CLIENTS = [pytest.param(DefaultAioHttpClient, marks=NEEDS_AIOHTTP), DefaultAsyncHttpxClient]


def sdk(server: ScriptedServer, transport: type = DefaultAsyncHttpxClient) -> AsyncOpenAI:
    return AsyncOpenAI(
        base_url=server.base_url, api_key="k", max_retries=0, http_client=transport()
    )


@pytest.mark.parametrize("transport", CLIENTS)
def test_the_sdk_understands_it(transport: type) -> None:
    async def run() -> ChatCompletion:
        server = ScriptedServer(verdicts={"met?": True})
        async with server, sdk(server, transport) as client:
            assert [model.id async for model in client.models.list()] == ["scripted"]
            return await client.chat.completions.create(
                model="m",
                messages=[{"role": "user", "content": [{"type": "text", "text": "met?"}]}],
                response_format={
                    "type": "json_schema",
                    "json_schema": {"name": "answer", "schema": SCHEMA},
                },
            )

    completion = asyncio.run(run())
    assert json.loads(completion.choices[0].message.content or "")["met"] is True
    assert completion.usage is not None
    assert completion.usage.total_tokens > 0


def test_cached_tokens_are_those_of_the_true_prefix() -> None:
    random.seed(0)
    shared = [str(random.random()) * 300 for _ in range(3)]
    prompts = [[*shared[:many], f"leaf {many} {turn}"] for turn in range(3) for many in range(4)]
    earlier: list[str] = []
    with ScriptedServer() as server:
        for prompt in prompts:
            usage = ask(server, *prompt).body["usage"]
            *system, last = prompt
            text = "".join(f"<|system|>{part}" for part in system) + f"<|user|>{last}"
            common = max((len(os.path.commonprefix([text, old])) for old in earlier), default=0)  # noqa: RUF071
            expected = common // 4 // 128 * 128
            assert usage["prompt_tokens"] == math.ceil(len(text) / 4)
            assert usage["prompt_tokens_details"]["cached_tokens"] == (
                expected if expected >= 1024 else 0
            )
            assert server.requests[-1].shared_answered == common
            earlier.append(text)
        stats = server.stats()
    assert stats.prompt_chars == sum(map(len, earlier))
    assert stats.cached_tokens > 5000


@pytest.mark.parametrize(("any_earlier", "cached"), [(False, 0), (True, 1152)])
def test_only_answered_requests_fill_the_cache_unless_told(any_earlier: bool, cached: int) -> None:
    with ScriptedServer(fault_at={1: "500"}, any_earlier=any_earlier) as server:
        ask(server, "x" * 5000, "a")
        usage = ask(server, "x" * 5000, "b").body["usage"]
        first, second = server.requests
    assert usage["prompt_tokens_details"]["cached_tokens"] == cached
    assert (first.answered, second.answered) == (False, True)
    assert (second.shared > 5000, second.shared_answered) == (True, 0)


def test_another_model_or_schema_has_another_cache() -> None:
    with ScriptedServer() as server:
        ask(server, "x" * 5000, "a")
        ask(server, "x" * 5000, "a", model="other")
        ask(server, "x" * 5000, "a", schema=None)
        assert server.stats().shared_chars == 0


def test_it_remembers_what_was_asked() -> None:
    with ScriptedServer(keep_bodies=True) as server:
        for text in ("a", "b", "a"):
            ask(server, text)
        assert server.stats().prompts == 2
        first, second, third = server.requests
        assert server.asked == {first.prompt: 2, second.prompt: 1}
        assert third.prompt == first.prompt
        assert [record.number for record in server.requests] == [1, 2, 3]
        assert server.requests[1].body == chat_body("b")


def test_in_flight_counts_what_waits_together() -> None:
    async def run() -> int:
        server = ScriptedServer(latency=3600.0)
        async with server, sdk(server) as client:
            ask_one = client.chat.completions.create
            messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": "met?"}]
            calls = [asyncio.create_task(ask_one(model="m", messages=messages)) for _ in range(20)]
            while server.stats().requests < 20:
                await asyncio.sleep(0)
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
            return server.stats().max_in_flight

    assert asyncio.run(run()) == 20


def test_keys_models_and_paths() -> None:
    with ScriptedServer(api_key="right", models=("m",)) as server:
        assert send(server, "GET", "/v1/models").status == 401
        listed = send(server, "GET", "/v1/models", key="right").body
        assert [row["id"] for row in listed["data"]] == ["m"]
        assert ask(server, "met?").status == 401
        path = "/v1/chat/completions"
        assert send(server, "POST", path, chat_body("met?"), "right").status == 200
        other = send(server, "POST", path, chat_body("met?", model="n"), "right")
        assert (other.status, other.body["error"]["code"]) == (404, "model_not_found")
        assert send(server, "GET", "/v1/nothing", key="right").status == 404
        assert send(server, "GET", path, key="right").status == 404


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"{}",
        b"\xff\xff",
        b"[" * 100_000,
        {"messages": []},
        {"messages": ["met?"]},
        chat_body("met?", stream=True),
        chat_body("met?", response_format="json_object"),
    ],
)
def test_what_is_no_chat_request(body: object) -> None:
    with ScriptedServer() as server:
        assert send(server, "POST", "/v1/chat/completions", body).status == 400
        assert server.stats().requests == 0


def test_bodies_in_chunks() -> None:
    raw = json.dumps(chat_body("met?")).encode()
    with ScriptedServer(verdicts={"met?": True}) as server:
        connection = http.client.HTTPConnection(server.host, server.port)
        with contextlib.closing(connection):
            for _ in range(2):  # the second tells whether the first was read to its end
                pieces = iter([raw[:50], raw[50:]])
                connection.request("POST", "/v1/chat/completions", pieces, encode_chunked=True)
                response = connection.getresponse()
                assert response.status == 200
                assert b'\\"met\\": true' in response.read()


@pytest.mark.parametrize(
    "raw",
    [
        b"nonsense\r\n\r\n",
        b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 9\r\n\r\n{",
        b"POST /v1/chat/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    ],
)
def test_what_is_no_http_ends_the_connection(raw: bytes) -> None:
    with ScriptedServer() as server:
        with socket.create_connection((server.host, server.port), timeout=30) as connection:
            connection.sendall(raw)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1000) == b""
        assert ask(server, "met?").status == 200


def test_a_client_that_left_was_not_answered() -> None:
    async def run() -> tuple[int, int]:
        async with ScriptedServer(latency=0.1) as server:
            reader, writer = await asyncio.open_connection(server.host, server.port)
            body = json.dumps(chat_body("met?")).encode()
            head = f"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            writer.write_eof()
            assert await reader.read() == b""
            writer.close()
            await writer.wait_closed()
            return server.stats().requests, server.stats().answered

    assert asyncio.run(run()) == (1, 0)


def test_a_port_that_is_taken() -> None:
    with ScriptedServer() as server:
        second = ScriptedServer(port=server.port)
        with pytest.raises(UsageError, match="cannot listen"), second:
            pass


def test_in_its_own_process() -> None:
    options = ["--latency", "0.01", "--verdict", "met?=false", "--fault", "500=0"]
    command = [sys.executable, "-W", "error", "-m", "rubric_engine.testing.server", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        server = ScriptedServer(port=int(process.stdout.readline()))  # names the place only
        assert ask(server, "met?").data["met"] is False
        with urllib.request.urlopen(f"http://{server.host}:{server.port}/stats") as response:
            assert json.load(response)["answered"] == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0


def command_line(*options: str) -> subprocess.CompletedProcess[str]:
    """The server as a command that ends at once."""
    command = [sys.executable, "-m", "rubric_engine.testing.server", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (["--fault", "trunkated=1"], "fix: did you mean 'truncated'?"),
        (["--fault", "foo=1"], ", ".join(FAULT_KINDS)),
        (["--fault", "500"], "'500' is not of the form 500=0.3"),
        (["--fault", "500=often"], "'500=often' is not of the form"),
        (["--fault", "500=2"], "a share up to 1"),
        (["--verdict", "met?=maybe"], "TEXT=true or TEXT=false"),
    ],
)
def test_a_command_line_that_is_wrong(option: list[str], said: str) -> None:
    ended = command_line(*option)
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    assert said in ended.stderr


def test_the_help_lists_every_kind_of_fault() -> None:
    words = command_line("--help").stdout.split()
    assert {f"{kind}," for kind in FAULT_KINDS[:-1]} <= set(words)


@pytest.mark.slow
def test_two_thousand_requests() -> None:
    shared = "the paper and the files " * 500

    async def run() -> None:
        async with ScriptedServer() as server, sdk(server) as client:
            numbers = iter(range(2000))

            async def work() -> None:
                for number in numbers:
                    await client.chat.completions.create(
                        model="m",
                        messages=[
                            {"role": "system", "content": shared},
                            {"role": "user", "content": f"leaf {number}"},
                        ],
                    )

            await asyncio.gather(*(work() for _ in range(50)))
            stats = server.stats()
        assert (stats.requests, stats.answered, stats.prompts) == (2000, 2000, 2000)
        assert stats.max_in_flight <= 50
        assert stats.shared_chars > 1999 * len(shared)

    asyncio.run(run())
