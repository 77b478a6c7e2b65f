"""What ends a call, what ends the whole run, and that neither shows a key."""

from __future__ import annotations

import asyncio
import logging
import socket
import traceback

import pytest
from openai import OpenAIError

from rubric_engine.errors import CredentialsError, ProviderError
from rubric_engine.model import ModelConfig, ModelFault, Unavailable
from rubric_engine.models import FreeMeter, OpenAIChat
from rubric_engine.testing import Fault, ScriptedServer
from tests.models.answers import PROMPT, Asked, Verdict, config_for


@pytest.mark.parametrize("kind", ["403", "404", "unknown_parameter", "500"])
def test_what_ends_one_call_of_an_endpoint_that_answers_others_ends_no_more(kind: str) -> None:
    fault = Fault(kind)  # type: ignore[arg-type]

    async def run() -> None:
        asked = Asked()
        async with ScriptedServer(fault_at=dict.fromkeys(range(2, 9), fault)) as server:
            with pytest.raises(Unavailable, match="gave no answer"):
                await asked.ask(config_for(server, max_wait=0.0), calls=2)

    asyncio.run(run())


def test_a_provider_that_never_answered_stops_the_run() -> None:
    async def run() -> None:
        async with ScriptedServer(answer=lambda _: Fault("500")) as server:
            chat = OpenAIChat(config_for(server, max_wait=0.0), meter=FreeMeter())
            async with chat:
                for _ in range(2):
                    with pytest.raises(Unavailable):
                        await chat.complete(PROMPT, schema=None)
                with pytest.raises(ProviderError) as caught:
                    await chat.complete(PROMPT, schema=None)
        assert caught.value.code == "E704"
        assert "The server had an error" in caught.value.message
        assert [fix.split()[1] for fix in caught.value.fix] == ["doctor", "resume"]

    asyncio.run(run())


def test_a_key_that_is_rejected_later_stops_the_run() -> None:
    async def run() -> None:
        async with ScriptedServer(fault_at={2: "401"}) as server:
            with pytest.raises(CredentialsError):
                await Asked().ask(config_for(server), calls=2)

    asyncio.run(run())


@pytest.mark.usefixtures("transport")
def test_a_server_that_is_not_there_is_told_at_once() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    asked = Asked()
    config = ModelConfig(name="m", base_url=url, key_env="RUBRIC_TEST_KEY")
    with pytest.raises(ProviderError, match="cannot reach") as caught:
        asyncio.run(asked.ask(config))
    assert caught.value.code == "E702"
    assert asked.errors == ["connection"]


def test_a_server_that_speaks_no_http_is_told_apart() -> None:
    async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")
        await writer.drain()
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(speak, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            url = f"http://127.0.0.1:{port}/v1"
            config = ModelConfig(name="m", base_url=url, key_env="RUBRIC_TEST_KEY", max_wait=0)
            with pytest.raises((Unavailable, ProviderError)):
                await Asked().ask(config)

    asyncio.run(run())


@pytest.mark.parametrize("kind", ["401", "500"])
def test_no_error_and_no_log_shows_the_key(
    kind: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    key = "sk-very-secret-0123456789"
    monkeypatch.setenv("RUBRIC_TEST_KEY", key)
    caplog.set_level(logging.DEBUG)

    async def run() -> str:
        async with ScriptedServer(fault_where={"shared": Fault(kind)}) as server:  # type: ignore[arg-type]
            chat = OpenAIChat(config_for(server, max_wait=0.0), meter=FreeMeter())
            async with chat:
                with pytest.raises((CredentialsError, Unavailable)) as caught:
                    await chat.complete(PROMPT, schema=Verdict)
                assert not _has_sdk_error(caught.value)
                told = "".join(traceback.format_exception(caught.value))
                return told + repr(chat) + str(vars(chat))

    shown = asyncio.run(run())
    assert key not in shown + caplog.text


def _has_sdk_error(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, OpenAIError):
            return True
        error = error.__cause__ or error.__context__
    return False


def test_what_breaks_below_stays_with_its_call_and_its_words_repeat_no_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from rubric_engine.models.transport import Transport

    def broken(_: Transport) -> object:
        raise KeyError("Authorization: Bearer sk-secret1234")

    monkeypatch.setattr(Transport, "_opened", broken)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret1234")
    config = ModelConfig(name="m", base_url="http://localhost:1/v1", max_wait=0)
    with pytest.raises(ModelFault) as raised:
        asyncio.run(Asked().ask(config))
    assert "KeyError" in str(raised.value)
    assert "secret" not in str(raised.value)
