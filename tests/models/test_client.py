"""The client against a real server: what it sends, what it returns, and what it bills."""

from __future__ import annotations

import asyncio

import pytest

from rubric_engine.model import ChatModel, Message, ModelConfig
from rubric_engine.models import FreeMeter, OpenAIChat
from rubric_engine.testing import Reply, Request, ScriptedServer
from tests.models.answers import PROMPT, Asked, config_for


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
