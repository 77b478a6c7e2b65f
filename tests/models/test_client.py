"""The client against a real server: what it sends, what it returns, and what it bills."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import traceback

import pytest
from openai import OpenAIError

from rubric_engine.errors import BudgetError, CredentialsError, ProviderError, RubricEngineError
from rubric_engine.model import (
    ChatModel,
    ContextOverflow,
    CutOff,
    Message,
    ModelConfig,
    ModelFault,
    OverBudget,
    Refused,
    Unavailable,
    Unparseable,
    Usage,
)
from rubric_engine.models import Attempt, Capabilities, FreeMeter, OpenAIChat
from rubric_engine.recall import Recall
from rubric_engine.reserved import Reservation
from rubric_engine.testing import VENDORS, Fault, Reply, Request, ScriptedServer
from rubric_engine.testing.wire import HttpRequest, HttpResponse, read_request, send
from tests.models.answers import PROMPT, Asked, Scored, Verdict, config_for, saying


def test_it_is_a_chat_model() -> None:
    config = ModelConfig(name="m", base_url="http://localhost:1/v1", key_env="RUBRIC_TEST_KEY")
    assert isinstance(OpenAIChat(config, meter=FreeMeter()), ChatModel)


def test_an_answer_comes_back_read_and_billed() -> None:
    async def run() -> None:
        asked = Asked()
        async with ScriptedServer(
            answer=lambda _: Reply({"expectation": "e", "met": True}, model="scripted-2026")
        ) as server:
            completion = await asked.ask(config_for(server))
        assert completion.data == {"expectation": "e", "citations": [], "met": True}
        assert completion.requested_model == "scripted"
        assert completion.answered_model == "scripted-2026"
        (attempt,) = asked.attempts
        assert attempt.usage == completion.usage == asked.meter.used
        assert attempt.status == 200
        assert attempt.parameters["form"] == "json_schema"
        assert attempt.usage is not None
        assert attempt.usage.input_tokens <= attempt.input_bound
        assert asked.meter.open == 0

    asyncio.run(run())


def test_without_a_schema_any_text_is_an_answer() -> None:
    async def run() -> None:
        async with ScriptedServer(answer=lambda _: "just words") as server:
            completion = await Asked().ask(config_for(server), schema=None)
        assert (completion.text, completion.data) == ("just words", None)

    asyncio.run(run())


def test_the_request_says_what_the_config_says_and_nothing_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RUBRIC_TEST_KEY", "abc-the-key")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:9/v1")
    monkeypatch.setenv("OPENAI_ORG_ID", "org")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "admin")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer other")
    bodies: list[dict[str, object]] = []

    def answer(request: Request) -> None:
        bodies.append(dict(request.body))

    async def run() -> None:
        async with ScriptedServer(answer=answer, api_key="abc-the-key") as server:
            config = config_for(server, seed=7, temperature=0.5, extra_body={"top_k": 3})
            await Asked().ask(config, sample=2)

    asyncio.run(run())
    (body,) = bodies
    response_format = body.pop("response_format")
    assert isinstance(response_format, dict)
    assert response_format["json_schema"]["schema"]["additionalProperties"] is False
    assert body.pop("messages") == [message.model_dump() for message in PROMPT]
    assert body == {
        "model": "scripted",
        "temperature": 0.5,
        "seed": 9,
        "top_k": 3,
        "max_completion_tokens": 4096,
    }


def test_a_lone_surrogate_in_a_prompt_is_sent() -> None:
    async def run() -> None:
        prompt = (Message(role="user", content="a file named \udcff"),)
        async with ScriptedServer() as server:
            assert (await Asked().ask(config_for(server), prompt)).data

    asyncio.run(run())


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


ONCE = [
    ("429", ["rate_limit", None]),
    ("429_bare", ["rate_limit", None]),
    ("500", ["server", None]),
    ("503", ["overload", None]),
    ("529", ["overload", None]),
    ("error_in_200", ["server", None]),
    ("slow", ["timeout", None]),
    ("reset", ["connection", None]),
    ("truncated_body", ["garbled", None]),
    ("truncated", [None, None]),
    ("wrong_schema", [None, None]),
    ("empty", [None, None]),
    ("broken_off", ["server", None]),
    ("duplicate_keys", [None, None]),
    ("wrong_types", [None, None]),
    ("huge", [None, None]),
    ("overbilled", [None]),
    ("unknown_parameter", ["parameter", None]),
]


@pytest.mark.parametrize(("kind", "errors"), ONCE)
def test_a_fault_that_passes_costs_an_attempt_and_no_answer(
    kind: str, errors: list[str | None]
) -> None:
    async def run() -> None:
        asked = Asked()
        fault = Fault(kind, retry_after="0", delay=3.0 if kind == "slow" else 0.0)  # type: ignore[arg-type]
        async with ScriptedServer(fault_at={1: fault}) as server:
            timeout = 0.5 if kind == "slow" else 30.0
            completion = await asked.ask(config_for(server, temperature=0.0, timeout=timeout))
        assert completion.data
        assert asked.errors == errors
        known = [attempt.usage for attempt in asked.attempts if attempt.usage is not None]
        assert asked.meter.used == sum(known, Usage())
        assert asked.meter.attempts == len(errors)
        assert asked.meter.open == 0

    asyncio.run(run())


LASTING: list[tuple[str, type[Exception], str | None, int]] = [
    ("401", CredentialsError, "E101", 1),
    ("403", CredentialsError, "E101", 1),
    ("404", ProviderError, "E703", 1),
    ("quota", ProviderError, "E701", 1),
    ("daily", ProviderError, "E701", 1),
    ("context_overflow", ContextOverflow, None, 1),
    ("unknown_parameter", ProviderError, "E703", 2),
    ("refusal", Refused, None, 1),
    ("content_filter", Refused, None, 1),
    ("prompt_filter", Refused, None, 1),
    ("cut_400", CutOff, None, 1),
    ("broken_off", Unavailable, None, 1),
    ("length", CutOff, None, 1),
    ("empty", Unparseable, None, 2),
    ("truncated", Unparseable, None, 2),
    ("wrong_schema", Unparseable, None, 2),
    ("duplicate_keys", Unparseable, None, 2),
    ("wrong_types", Unparseable, None, 2),
    ("huge", Unparseable, None, 2),
    ("429", Unavailable, None, 1),
    ("500", Unavailable, None, 1),
    ("529", Unavailable, None, 1),
    ("slow", Unavailable, None, 1),
    ("reset", Unavailable, None, 1),
    ("truncated_body", Unavailable, None, 1),
]


@pytest.mark.parametrize(("kind", "error", "code", "attempts"), LASTING)
def test_a_fault_that_lasts_ends_the_call_with_its_reason(
    kind: str, error: type[Exception], code: str | None, attempts: int
) -> None:
    async def run() -> None:
        asked = Asked()
        fault = Fault(kind, retry_after="0.01", delay=3.0 if kind == "slow" else 0.0)  # type: ignore[arg-type]
        async with ScriptedServer(fault_where={"shared": fault}) as server:
            timeout = 0.3 if kind == "slow" else 30.0
            config = config_for(server, temperature=0.0, timeout=timeout, max_wait=0.012)
            with pytest.raises(error) as caught:
                await asked.ask(config)
        if isinstance(caught.value, RubricEngineError):
            assert caught.value.code == code
        if isinstance(caught.value, ModelFault) and asked.meter.used != Usage():
            assert caught.value.usage == asked.meter.used
        assert len(asked.attempts) >= attempts
        assert asked.meter.open == 0

    asyncio.run(run())


def test_what_cannot_be_read_is_kept() -> None:
    async def run() -> None:
        async with ScriptedServer(answer=lambda _: '{"met": "false"}') as server:
            with pytest.raises(Unparseable) as caught:
                await Asked().ask(config_for(server))
        assert caught.value.text == '{"met": "false"}'
        assert "met" in caught.value.message

    asyncio.run(run())


def test_the_repair_shows_the_answer_and_what_is_wrong_with_it() -> None:
    prompts: list[str] = []

    def answer(request: Request) -> dict[str, object]:
        prompts.append(request.prompt)
        return {"explanation": "e", "score": 57 if len(prompts) == 1 else 0.57}

    async def run() -> None:
        async with ScriptedServer(answer=answer) as server:
            completion = await Asked().ask(config_for(server), schema=Scored)
        assert completion.data == {"explanation": "e", "score": 0.57}

    asyncio.run(run())
    assert prompts[1].startswith(prompts[0])
    assert '"score": 57' in prompts[1]
    assert "less than or equal to 1" in prompts[1]


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


class Stingy(FreeMeter):
    def reserve(self, input_bound: int, output_bound: int | None) -> Reservation:
        if self.attempts == 1:
            raise OverBudget("nothing left")
        return super().reserve(input_bound, output_bound)


def test_a_repair_that_would_pass_the_cap_is_not_sent() -> None:
    async def run() -> None:
        asked = Asked(meter=Stingy())
        async with ScriptedServer(fault_at={1: "wrong_schema"}) as server:
            with pytest.raises(OverBudget) as caught:
                await asked.ask(config_for(server))
            assert server.stats().requests == 1
        assert caught.value.usage == asked.meter.used

    asyncio.run(run())


@pytest.mark.usefixtures("transport")
def test_a_cancelled_call_is_billed_at_its_bound_and_frees_its_slot() -> None:
    async def run() -> None:
        asked = Asked()
        async with ScriptedServer(latency=30) as server:
            call = asyncio.create_task(asked.ask(config_for(server)))
            while not asked.meter.open:
                await asyncio.sleep(0)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
        assert asked.errors == ["cancelled"]
        assert len(asked.meter.unknown) == 1
        assert asked.meter.open == 0

    asyncio.run(run())


@pytest.mark.usefixtures("transport")
def test_a_storm_of_faults_still_gets_every_answer() -> None:
    faults = {"429": 0.1, "500": 0.05, "529": 0.05, "reset": 0.05, "truncated_body": 0.05}

    async def run() -> None:
        rates: dict[Fault | str, float] = {
            Fault(kind, retry_after="0.01"): rate  # type: ignore[arg-type]
            for kind, rate in faults.items()
        }
        async with ScriptedServer(faults=rates, latency=0.005) as server:
            chat = OpenAIChat(config_for(server, max_wait=120.0), meter=FreeMeter())
            async with chat:
                prompts = [(*PROMPT, Message(role="user", content=f"leaf {n}")) for n in range(100)]
                answers = await asyncio.gather(
                    *(chat.complete(prompt, schema=Verdict) for prompt in prompts)
                )
            assert all(answer.data for answer in answers)
            assert chat.limiter.in_flight == 0

    asyncio.run(run())


@pytest.mark.parametrize(
    "part", ["//user:sk-secret@host/v1", "//u:sk-a/b@h/v1", "//host/v1?key=sk-secret", "//h/v1#k"]
)
def test_an_address_that_could_hold_a_key_is_refused(part: str) -> None:
    with pytest.raises(ValueError, match="a key belongs in the variable"):
        ModelConfig(name="m", base_url=f"http:{part}")


@pytest.mark.parametrize("url", ["localhost:8000/v1", "sk-secret", "ftp://host/v1", "http:///v1"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="must be an address"):
        ModelConfig(name="m", base_url=url)


@pytest.mark.parametrize("port", ["99999", "0", "-1", "x"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    with pytest.raises(ValueError, match=r"[Pp]ort"):
        ModelConfig(name="m", base_url=f"http://localhost:{port}/v1")


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


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("model", "model.name"),
        ("max_tokens", "model.max_output_tokens"),
        ("max_completion_tokens", "model.max_output_tokens"),
        ("temperature", "model.temperature"),
        ("reasoning_effort", "model.reasoning_effort"),
        ("seed", "model.seed"),
        ("n", "leave it out"),
        ("messages", "leave it out"),
        ("stream", "leave it out"),
        ("response_format", "leave it out"),
        ("tools", "leave it out"),
    ],
)
def test_what_the_engine_sets_itself_is_no_extra(name: str, instead: str) -> None:
    with pytest.raises(ValueError, match=rf"'{name}' is not for 'extra_body': .*{instead}"):
        ModelConfig(name="m", extra_body={"top_k": 3, name: None})


def test_an_answer_that_cannot_be_billed_is_kept() -> None:
    def broken(_: Attempt) -> None:
        raise OverflowError

    async def run() -> None:
        recall, meter = Recall(), FreeMeter()
        recall.under()
        async with (
            ScriptedServer(answer=lambda _: "paid words") as server,
            OpenAIChat(config_for(server), meter=meter, on_attempt=broken) as chat,
        ):
            answer = await chat.complete(PROMPT, schema=None)
        assert answer.text == "paid words"
        assert meter.open == 0
        assert isinstance(recall.error, BudgetError)

    asyncio.run(run())
