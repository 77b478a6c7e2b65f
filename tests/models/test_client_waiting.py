"""How the client waits: whom a wait is asked of, how long it goes on, and what is told of it."""

from __future__ import annotations

import asyncio

import pytest

from rubric_engine.errors import ProviderError
from rubric_engine.models import FreeMeter, OpenAIChat
from rubric_engine.testing import Fault, ScriptedServer
from tests.models.answers import PROMPT, Asked, config_for


def test_a_wait_beyond_the_patience_stops_the_run_at_once() -> None:
    async def run() -> None:
        asked = Asked()
        async with ScriptedServer(fault_at={1: Fault("429", retry_after="3600")}) as server:
            with pytest.raises(ProviderError, match="3600 s") as caught:
                await asked.ask(config_for(server))
        assert asked.errors == ["rate_limit"]
        assert "resume" in caught.value.fix[0]

    asyncio.run(run())


def test_a_wait_that_ends_a_call_is_not_sat_out_by_the_others() -> None:
    async def run() -> None:
        async with (
            ScriptedServer(fault_at={1: Fault("429", retry_after="3600")}) as server,
            OpenAIChat(config_for(server), meter=FreeMeter()) as chat,
        ):
            with pytest.raises(ProviderError):
                await chat.complete(PROMPT, schema=None)
            assert (await asyncio.wait_for(chat.complete(PROMPT, schema=None), 30)).text

    asyncio.run(run())


def test_the_others_sit_out_the_wait_that_one_was_asked_for() -> None:
    async def run() -> None:
        async with (
            ScriptedServer(fault_at={1: Fault("429", retry_after="30")}) as server,
            OpenAIChat(config_for(server, max_wait=40.0), meter=FreeMeter()) as chat,
        ):
            calls = [asyncio.create_task(chat.complete(PROMPT, schema=None))]
            while not chat.waiting:
                await asyncio.sleep(0)
            calls.append(asyncio.create_task(chat.complete(PROMPT, schema=None)))
            for _ in range(5):
                await asyncio.sleep(0)
            assert chat.limiter.in_flight == 0
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
            assert server.stats().requests == 1

    asyncio.run(run())


def test_answers_bring_back_the_width_that_a_crowded_server_took() -> None:
    async def run() -> None:
        async with (
            ScriptedServer(fault_at={1: Fault("429", retry_after="0")}) as server,
            OpenAIChat(config_for(server, max_connections=4), meter=FreeMeter()) as chat,
        ):
            await chat.complete(PROMPT, schema=None)
            assert chat.limiter.limit == 2
            for _ in range(8):
                await chat.complete(PROMPT, schema=None)
            assert chat.limiter.limit == 4

    asyncio.run(run())


def test_those_who_were_told_the_same_wait_come_back_one_by_one() -> None:
    async def run() -> None:
        async with (
            ScriptedServer(answer=lambda _: Fault("429", retry_after="30")) as server,
            OpenAIChat(config_for(server, max_wait=40.0), meter=FreeMeter()) as chat,
        ):
            calls = [asyncio.create_task(chat.complete(PROMPT, schema=None)) for _ in range(4)]
            while len(chat.waiting) < 4:
                await asyncio.sleep(0)
            waits = [wait.seconds for wait in chat.waiting]
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
        assert len(set(waits)) == 4
        assert all(30 <= wait <= 33 for wait in waits)

    asyncio.run(run())


def test_a_call_that_waits_says_for_what_and_how_long() -> None:
    async def run() -> None:
        failed = asyncio.Event()
        async with (
            ScriptedServer(fault_at={1: Fault("429", retry_after="30")}) as server,
            OpenAIChat(
                config_for(server, max_wait=40.0),
                meter=FreeMeter(),
                on_attempt=lambda _: failed.set(),
            ) as chat,
        ):
            assert chat.waiting == []
            call = asyncio.create_task(chat.complete(PROMPT, schema=None))
            await failed.wait()
            while not chat.waiting:
                await asyncio.sleep(0)
            (waiting,) = chat.waiting
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            assert chat.waiting == []
        assert (waiting.endpoint, waiting.why) == (server.base_url, "HTTP 429")
        assert waiting.attempt == 2
        assert 30 <= waiting.seconds <= 33

    asyncio.run(run())
