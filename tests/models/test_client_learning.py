"""What the client learns of an endpoint: the vendors' ways, and what a server does not take."""

from __future__ import annotations

import asyncio
import json

import pytest

from rubric_engine.errors import ProviderError
from rubric_engine.model import ContextOverflow, CutOff, ModelConfig, Refused, Unparseable
from rubric_engine.models import Capabilities, FreeMeter, OpenAIChat
from rubric_engine.testing import VENDORS, Request, ScriptedServer
from rubric_engine.testing.wire import HttpRequest, HttpResponse, read_request, send
from tests.models.answers import PROMPT, Asked, Verdict, config_for, saying


@pytest.mark.parametrize("vendor", sorted(VENDORS))
def test_every_vendor_is_understood_and_its_ways_are_learnt_once(vendor: str) -> None:
    async def run() -> None:
        asked = Asked()
        async with ScriptedServer(vendor=vendor) as server:
            config = config_for(server, temperature=0.0, seed=1, reasoning_effort="low")
            await asked.ask(config)
            tried = len(asked.attempts)
            asked.capabilities = Capabilities(json.loads(json.dumps(asked.capabilities.learnt())))
            completion = await asked.ask(config, calls=2)
        assert completion.data
        assert len(asked.attempts) == tried + 2
        assert set(asked.errors) <= {None, "parameter"}
        known = asked.capabilities.of(config)
        assert bool(list(asked.capabilities.notes(config))) == bool(
            known.form != "json_schema" or known.dropped
        )
        assert asked.capabilities.learnt() == {}

    asyncio.run(run())


ENDS: list[tuple[str, type[Exception]]] = [
    ("context_overflow", ContextOverflow),
    ("content_filter", Refused),
    ("prompt_filter", Refused),
    ("cut_400", CutOff),
    ("daily", ProviderError),
]


# Ollama cuts a prompt that is too long without a word.
TOLD = [
    (vendor, kind, error)
    for vendor in sorted(VENDORS)
    for kind, error in ENDS
    if (vendor, kind) != ("ollama", "context_overflow")
]


@pytest.mark.parametrize(("vendor", "kind", "error"), TOLD)
def test_every_vendor_says_it_in_its_way(vendor: str, kind: str, error: type[Exception]) -> None:
    async def run() -> None:
        asked = Asked()
        async with ScriptedServer(vendor=vendor, fault_where={"shared": kind}) as server:
            with pytest.raises(error):
                await asked.ask(config_for(server))
        assert set(asked.errors[:-1]) <= {"parameter"}
        assert asked.meter.open == 0

    asyncio.run(run())


@pytest.mark.parametrize("vendor", sorted(VENDORS))
def test_every_vendors_quota_of_a_minute_passes(vendor: str) -> None:
    async def run() -> None:
        asked = Asked()
        async with ScriptedServer(vendor=vendor, fault_at={1: "429_bare"}) as server:
            assert (await asked.ask(config_for(server))).data
        assert asked.errors[0] == "rate_limit"

    asyncio.run(run())


@pytest.mark.parametrize("place", ["usage", "content"])
def test_a_number_longer_than_python_reads_is_no_fault_of_the_way(place: str) -> None:
    said: dict[str, object] = {"content": '{"expectation": "e", "met": true}'}
    whole = {"choices": [{"message": said}], "usage": {"prompt_tokens": 9, "completion_tokens": 1}}
    if place == "content":
        said["content"] = 12345
    else:
        whole["usage"] = {"prompt_tokens": 12345, "completion_tokens": 1}
    body = json.dumps(whole).replace("12345", "9" * 5000).encode()

    async def run() -> None:
        asked = Asked()
        async with saying(lambda _: HttpResponse(200, body)) as config:
            patient = config.model_copy(update={"max_wait": 60.0})
            if place == "content":
                with pytest.raises(Unparseable):
                    await asked.ask(patient)
            else:
                assert (await asked.ask(patient)).usage is None
        assert asked.errors == [None] * (2 if place == "content" else 1)  # with one repair

    asyncio.run(run())


def test_what_a_server_will_not_hand_on_as_an_answer_is_mended() -> None:
    failure = {
        "error": {
            "message": "Failed to generate JSON. Please adjust your prompt.",
            "type": "invalid_request_error",
            "code": "json_validate_failed",
            "failed_generation": '{"expectation": "e", "met": "maybe"}',
        }
    }
    mended = {"choices": [{"message": {"content": '{"expectation": "e", "met": true}'}}]}
    bodies: list[str] = []

    def respond(request: HttpRequest) -> HttpResponse:
        bodies.append(request.body.decode())
        status, said = (400, failure) if len(bodies) == 1 else (200, mended)
        return HttpResponse(status, json.dumps(said).encode())

    async def run() -> None:
        asked = Asked()
        async with saying(respond) as config:
            completion = await asked.ask(config)
        assert completion.data == {"expectation": "e", "citations": [], "met": True}
        assert "maybe" in bodies[1]
        assert len(asked.meter.unknown) == 2  # the model has written, and nobody counted

    asyncio.run(run())


def test_calls_that_run_side_by_side_learn_together() -> None:
    async def run() -> None:
        async with ScriptedServer(vendor="bare", latency=0.01) as server:
            config = config_for(server)
            async with OpenAIChat(config, meter=FreeMeter()) as chat:
                answers = await asyncio.gather(
                    *(chat.complete(PROMPT, schema=Verdict) for _ in range(20))
                )
            known = chat.capabilities.of(config)
        assert all(answer.data for answer in answers)
        assert (known.form, known.limit) == ("text", "max_tokens")

    asyncio.run(run())


PROSE = "I think that it is met."


@pytest.mark.parametrize(
    ("said", "attempts"),
    [
        # Prose, until it is asked for JSON in words: twice to mend, and then asked at once.
        ([PROSE] * 9, 2 + 2 + 1 + 1),
        # A slip now and then is mended, and changes nothing.
        ([PROSE, None, PROSE, None], 2 + 1 + 2 + 1),
        ([PROSE, '{"met": "no"}', PROSE, None], 2 + 2 + 2 + 1),
    ],
)
def test_a_server_that_ignores_the_schema_is_told_in_words_from_then_on(
    said: list[str | None], attempts: int
) -> None:
    answers = iter(said)

    def answer(request: Request) -> str | None:
        return None if "JSON schema" in request.prompt else next(answers)

    async def run() -> None:
        asked = Asked()
        async with ScriptedServer(answer=answer) as server:
            completion = await asked.ask(config_for(server), calls=4)
        assert completion.data
        assert len(asked.attempts) == attempts
        assert bool(asked.capabilities.learnt()) == (said == [PROSE] * 9)

    asyncio.run(run())


def test_a_wrong_value_is_an_error_of_the_card_which_names_it() -> None:
    said = {
        "error": {
            "message": "Invalid value: 'hgih'. Supported values are: 'low' and 'high'.",
            "type": "invalid_request_error",
            "param": "reasoning_effort",
            "code": "invalid_value",
        }
    }

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await read_request(reader):
            await send(writer, HttpResponse(400, json.dumps(said).encode()))
        writer.close()

    async def run() -> None:
        asked = Asked()
        async with await asyncio.start_server(speak, "127.0.0.1", 0) as server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
            config = ModelConfig(
                name="m", base_url=url, key_env="RUBRIC_TEST_KEY", reasoning_effort="hgih"
            )
            with pytest.raises(ProviderError, match="does not take reasoning_effort") as caught:
                await asked.ask(config)
        assert caught.value.code == "E703"
        assert "'reasoning_effort'" in caught.value.fix[0]
        assert asked.capabilities.learnt() == {}

    asyncio.run(run())
