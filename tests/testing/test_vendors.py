"""The deviations of each vendor, as a client meets them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rubric_engine.testing import VENDORS, ScriptedServer
from tests.testing.client import Seen, ask


def message_of(seen: Seen) -> str:
    """The message of an error, in whichever form, with that of a server behind it."""
    body = seen.body[0] if isinstance(seen.body, list) else seen.body
    error = body.get("error", body)
    return str(error if isinstance(error, str) else error | error.get("metadata", {}))


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_vendor_answers_a_plain_question(vendor: str) -> None:
    with ScriptedServer(vendor=vendor) as server:
        seen = ask(server, "be brief", "met?", schema=None)
    assert seen.status == 200
    assert "scripted" in seen.text
    assert ("usage" in seen.body) == (vendor != "bare")


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_vendor_names_a_parameter_that_it_refuses(vendor: str) -> None:
    with ScriptedServer(vendor=vendor, refuses=("temperature",)) as server:
        seen = ask(server, "met?", schema=None, temperature=0)
    assert seen.status == (422 if vendor == "mistral" else 400)
    assert b"temperature" in seen.raw


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_vendor_has_its_way_with_a_prompt_that_is_too_long(vendor: str) -> None:
    with ScriptedServer(vendor=vendor, context_tokens=100) as server:
        seen = ask(server, "x" * 500, schema=None)
    if vendor == "ollama":  # cuts it without a word
        assert (seen.status, seen.body["usage"]["prompt_tokens"]) == (200, 100)
    else:
        assert seen.status == 400
        assert "context" in message_of(seen) or "token" in message_of(seen)


@pytest.mark.parametrize("vendor", VENDORS)
def test_output_limits_by_their_names(vendor: str) -> None:
    rules = VENDORS[vendor]
    with ScriptedServer(vendor=vendor, answer=lambda request: "word " * 100) as server:
        for name in ("max_tokens", "max_completion_tokens"):
            seen = ask(server, "met?", schema=None, **{name: 5})
            if name in rules.output_limits:
                assert seen.choice["finish_reason"] == "length"
            elif rules.other_limits == "ignored":
                assert seen.choice["finish_reason"] == "stop"
            else:
                assert seen.status in (400, 422)
                assert name in seen.raw.decode()


def test_schemas_are_refused_or_ignored() -> None:
    with ScriptedServer(vendor="deepseek") as server:
        assert ask(server, "met?").status == 400
        form = {"type": "json_object"}
        assert ask(server, "met?", schema=None, response_format=form).status == 200
    with ScriptedServer(vendor="anthropic") as server:
        assert ask(server, "met?").text.startswith("Here is my answer:\n\n```json\n{")
    with ScriptedServer(vendor="bare") as server:
        assert ask(server, "met?", schema=None, response_format=form).status == 400


@pytest.mark.parametrize(
    ("vendor", "field"), [("vllm", "reasoning_content"), ("openrouter", "reasoning")]
)
def test_thoughts_beside_the_text(vendor: str, field: str) -> None:
    with ScriptedServer(vendor=vendor) as server:
        seen = ask(server, "met?")
    assert seen.choice["message"][field]
    assert "met" in seen.data


def test_thoughts_within_the_text() -> None:
    with ScriptedServer(vendor="thinking") as server:
        assert ask(server, "met?").text.startswith("<think>\n")


def test_forms_of_errors() -> None:
    def error(vendor: str) -> object:
        with ScriptedServer(vendor=vendor, faults={"500": 1.0}) as server:
            return ask(server, "met?").body

    assert isinstance(error("gemini"), list)
    assert error("vllm") == {
        "object": "error",
        "message": "The server had an error while processing your request.",
        "type": "InternalServerError",
        "param": None,
        "code": 500,
    }


def test_a_deviation_of_ones_own() -> None:
    vendor = replace(VENDORS["vllm"], system_role=False, usage="none")
    with ScriptedServer(vendor=vendor) as server:
        assert ask(server, "rules", "met?").status == 400
        assert "usage" not in ask(server, "met?").body
