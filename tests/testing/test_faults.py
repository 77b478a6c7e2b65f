"""Each fault is on the wire what it says it is."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from rubric_engine.errors import UsageError
from rubric_engine.testing import FAULT_KINDS, Fault, Reply, ScriptedServer
from tests.testing.client import SCHEMA, Seen, ask

ERRORS: list[tuple[str, int, str | None]] = [
    ("401", 401, "invalid_api_key"),
    ("403", 403, "permission_denied"),
    ("404", 404, "model_not_found"),
    ("429", 429, "rate_limit_exceeded"),
    ("429_bare", 429, "rate_limit_exceeded"),
    ("quota", 429, "insufficient_quota"),
    ("daily", 429, "rate_limit_exceeded"),
    ("500", 500, None),
    ("503", 503, None),
    ("529", 529, None),
    ("context_overflow", 400, "context_length_exceeded"),
    ("unknown_parameter", 400, "unsupported_parameter"),
    ("prompt_filter", 400, "content_filter"),
    ("cut_400", 400, None),
    ("error_in_200", 200, None),
]


def pairs(text: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = json.loads(text, object_pairs_hook=list)
    return found


def is_cut(seen: Seen) -> bool:
    with pytest.raises(ValueError):
        json.loads(seen.text)
    return len(seen.text) > 10


def breaks(seen: Seen) -> bool:
    return not jsonschema.Draft202012Validator(
        SCHEMA | {"additionalProperties": False, "required": ["met"]}
    ).is_valid(seen.data)


SPOILT: dict[str, Callable[[Seen], bool]] = {
    "truncated": lambda seen: is_cut(seen) and seen.choice["finish_reason"] == "stop",
    "length": lambda seen: is_cut(seen) and seen.choice["finish_reason"] == "length",
    "wrong_schema": breaks,
    "refusal": lambda seen: (
        seen.choice["message"]["content"] is None and seen.choice["message"]["refusal"] != ""
    ),
    "content_filter": lambda seen: seen.choice["finish_reason"] == "content_filter",
    "empty": lambda seen: seen.text == "" and seen.choice["finish_reason"] == "stop",
    "broken_off": lambda seen: is_cut(seen) and seen.choice["finish_reason"] == "error",
    "duplicate_keys": lambda seen: (
        [said for key, said in pairs(seen.text) if key == "met"] == [True, False]
    ),
    "wrong_types": lambda seen: breaks(seen) and seen.data["met"] == "true",
    "huge": lambda seen: len(seen.text) > 10_000_000 and seen.data["met"] is True,
    "overbilled": lambda seen: seen.body["usage"]["prompt_tokens"] > 10 * len("met?") / 4,
}


@pytest.mark.parametrize(("kind", "status", "code"), ERRORS)
def test_errors(kind: str, status: int, code: str | None) -> None:
    with ScriptedServer(faults={kind: 1.0}) as server:
        seen = ask(server, "met?")
        record = server.requests[0]
    assert (seen.status, seen.body["error"]["code"]) == (status, code)
    assert seen.headers.get("Retry-After") == ("1" if kind == "429" else None)
    assert (record.fault, record.status, record.answered) == (kind, status, False)


@pytest.mark.parametrize("kind", SPOILT)
def test_spoilt_answers(kind: str) -> None:
    with ScriptedServer(faults={kind: 1.0}, verdicts={"met?": True}) as server:
        seen = ask(server, "met?")
        assert server.stats().answered == 1
    assert seen.status == 200
    assert SPOILT[kind](seen)


def test_a_reset_in_the_middle_of_the_body() -> None:
    with ScriptedServer(fault_at={1: "reset"}) as server:
        with pytest.raises((ConnectionResetError, http.client.IncompleteRead)):
            ask(server, "met?")
        assert not server.requests[0].answered
        assert ask(server, "met?").status == 200


def test_a_body_that_ends_too_soon() -> None:
    with ScriptedServer(faults={"truncated_body": 1.0}) as server:
        seen = ask(server, "met?")
        assert server.stats().answered == 0
    assert int(seen.headers["Content-Length"]) == len(seen.raw)
    with pytest.raises(ValueError):
        json.loads(seen.raw)


def test_slow_answers_all_the_same() -> None:
    with ScriptedServer(faults={Fault("slow", delay=0.01): 1.0}) as server:
        assert ask(server, "met?").status == 200
        assert server.requests[0].fault == "slow"
    with ScriptedServer(answer=lambda request: Reply("yes", delay=0.01)) as server:
        assert ask(server, "met?").text == "yes"
    assert (Fault("slow").wait, Fault("500").wait) == (1.0, 0.0)


def test_headers_are_what_the_script_says() -> None:
    date = "Wed, 21 Oct 2026 07:28:00 GMT"
    fault = Fault("429", retry_after=date, headers=(("x-ratelimit-reset-tokens", "6ms"),))
    with ScriptedServer(faults={fault: 1.0}) as server:
        headers = ask(server, "met?").headers
    assert headers["Retry-After"] == date
    assert headers["x-ratelimit-reset-tokens"] == "6ms"


def test_every_fault_is_tested_here() -> None:
    wire = {"reset", "truncated_body", "slow"}
    assert {kind for kind, _, _ in ERRORS} | SPOILT.keys() | wire == set(FAULT_KINDS)


def test_a_fault_that_does_not_exist() -> None:
    with pytest.raises(UsageError, match="trunkated") as raised:
        ScriptedServer(faults={"trunkated": 0.5})
    assert raised.value.fix == ("did you mean 'truncated'?",)
