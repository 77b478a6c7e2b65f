"""The small parts: keys, bounds, capabilities, and the schema as it is sent."""

from __future__ import annotations

from typing import Literal

import pytest
from pydantic import BaseModel, Field

from rubric_engine.addresses import is_local
from rubric_engine.errors import CredentialsError
from rubric_engine.model import Message, ModelConfig
from rubric_engine.models import Capabilities, InputBound, find_key
from rubric_engine.models.negotiation import Endpoint
from rubric_engine.models.request import build_request
from rubric_engine.models.schema import strict_schema
from tests.models.answers import Verdict

REMOTE = ModelConfig(name="m", base_url="https://models.example.com/v1", key_env="RUBRIC_TEST_KEY")


def test_a_key_is_asked_for_by_the_name_of_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUBRIC_TEST_KEY", raising=False)
    with pytest.raises(CredentialsError, match="RUBRIC_TEST_KEY") as caught:
        find_key(REMOTE)
    assert caught.value.code == "E101"


@pytest.mark.parametrize("value", ["two words", "key\u2026", "a\nb"])
def test_what_cannot_be_a_key_is_not_sent_and_not_shown(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUBRIC_TEST_KEY", value)
    with pytest.raises(CredentialsError) as caught:
        find_key(REMOTE)
    assert caught.value.code == "E102"
    assert value not in str(caught.value)


def test_a_key_may_end_with_a_newline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUBRIC_TEST_KEY", "abc\n")
    assert find_key(REMOTE) == "abc"


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:8000/v1", True),
        ("http://127.0.0.1:11434/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://192.168.1.5/v1", True),
        ("http://vllm:8000/v1", True),
        ("http://gpu.internal/v1", True),
        ("https://api.openai.com/v1", False),
        ("http://box.lan:8000/v1", True),
        ("http://100.64.0.1/v1", True),
        ("https://8.8.8.8/v1", False),
        ("https://lan.example.com/v1", False),
    ],
)
def test_servers_at_home_need_no_key(url: str, local: bool) -> None:
    assert is_local(url) is local


def test_the_bound_is_the_bytes_until_the_server_has_counted() -> None:
    bound = InputBound()
    assert bound(100, 400) == 400
    bound.observe(100, 80)
    assert bound(100, 400) == 92
    bound.observe(100, 120)
    bound.observe(100, 90)
    assert bound(100, 400) == 138
    assert bound(1000, 400) == 400


def test_capabilities_that_cannot_be_read_are_learnt_anew() -> None:
    capabilities = Capabilities({f"{REMOTE.base_url} m": {"form": "interpretive dance"}})
    assert capabilities.of(REMOTE) == Endpoint()


def test_refusals_are_learnt_until_nothing_is_left() -> None:
    capabilities = Capabilities()
    refused = ["response_format", "response_format", "max_completion_tokens", "max_tokens", "seed"]
    for name in refused:
        assert capabilities.learn(REMOTE, capabilities.of(REMOTE), name)
    known = capabilities.of(REMOTE)
    assert known == Endpoint(form="text", limit=None, dropped=("seed",))
    assert not any(capabilities.learn(REMOTE, known, name) for name in refused)
    assert capabilities.learn(REMOTE, Endpoint(), "seed")  # another call has learnt since
    assert Capabilities(capabilities.learnt()).of(REMOTE) == known
    assert len(list(capabilities.notes(REMOTE))) == 2
    asked = REMOTE.model_copy(update={"seed": 0})
    assert len(list(capabilities.notes(asked))) == 3  # what is not asked for is not missed


def test_messages_of_one_role_are_joined_where_they_must_alternate() -> None:
    prompt = [Message(role="system", content="s"), Message(role="user", content="u")]
    endpoint = Endpoint(alternate=True, form="text")
    request = build_request(REMOTE, endpoint, prompt, Verdict, 0)
    assert b'"messages":[{"role":"user","content":"s\\n\\nu\\n\\nAnswer with' in request.body
    assert b"response_format" not in request.body


def test_a_request_without_an_output_limit_is_not_bounded() -> None:
    prompt = [Message(role="user", content="u")]
    assert build_request(REMOTE, Endpoint(limit=None), prompt, None, 0).output_limit is None
    assert build_request(REMOTE, Endpoint(), prompt, None, 0).output_limit == 4096


class Part(BaseModel):
    title: str = Field(default="", max_length=3, description="A property may be called title.")


class Whole(BaseModel):
    kind: Literal["a", "b"] = "a"
    part: Part = Field(default_factory=Part, description="Beside a reference.")
    many: list[Part] = []


def test_the_schema_is_in_the_subset_of_strict_mode() -> None:
    schema = strict_schema(Whole)
    assert schema["required"] == ["kind", "part", "many"]
    assert schema["properties"]["part"] == {"$ref": "#/$defs/Part"}
    assert schema["$defs"]["Part"] == {
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "A property may be called title."}
        },
        "required": ["title"],
        "additionalProperties": False,
    }
