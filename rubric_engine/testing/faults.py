"""What each fault does: errors in place of an answer, and answers that are spoilt.

`slow`, `reset` and `truncated_body` leave the answer as it is and act on the wire.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rubric_engine.testing.error_forms import FILTER_CODE, Problem
from rubric_engine.testing.refusals import INVALID, overflow, unknown_parameter
from rubric_engine.testing.values import Fault, Reply, Request
from rubric_engine.testing.vendors import Vendor

ERRORS: dict[str, Problem] = {
    "401": Problem(401, "Incorrect API key provided.", INVALID, "invalid_api_key"),
    "403": Problem(403, "You are not allowed to use {model}.", INVALID, "permission_denied"),
    "404": Problem(404, "The model `{model}` does not exist.", INVALID, "model_not_found"),
    "429": Problem(429, "Rate limit reached for {model}.", "requests", "rate_limit_exceeded"),
    "429_bare": Problem(429, "Rate limit reached for {model}.", "requests", "rate_limit_exceeded"),
    "quota": Problem(
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
        "insufficient_quota",
    ),
    "daily": Problem(
        429,
        "Rate limit reached for {model} on tokens per day (TPD): Limit 1000000, Used 1000000.",
        "tokens",
        "rate_limit_exceeded",
    ),
    "500": Problem(500, "The server had an error while processing your request.", "server_error"),
    "503": Problem(503, "The engine is currently unavailable.", "server_error"),
    "529": Problem(529, "Overloaded", "overloaded_error"),
    "prompt_filter": Problem(
        400,
        "The response was filtered due to the prompt triggering the content management policy.",
        INVALID,
        FILTER_CODE,
    ),
    "cut_400": Problem(
        400,
        "Could not finish the message because max_tokens or model output limit was reached. Please "
        "try again with higher max_tokens.",
        INVALID,
    ),
    "error_in_200": Problem(200, "Upstream error: the provider failed.", "upstream_error"),
}


def error_of(fault: Fault, vendor: Vendor, request: Request, tokens: int) -> Problem | None:
    """The error that a fault answers with, or None where it is no error."""
    if fault.kind == "context_overflow":
        return overflow(vendor, max(1, tokens - 1), tokens)
    if fault.kind == "unknown_parameter":
        return unknown_parameter(vendor, fault.parameter)
    row = ERRORS.get(fault.kind)
    return row and replace(row, message=row.message.replace("{model}", request.model))


def headers_of(fault: Fault) -> tuple[tuple[str, str], ...]:
    """The headers that a fault adds to its error."""
    waits = (("Retry-After", fault.retry_after),) if fault.kind == "429" else ()
    return waits + fault.headers


def _truncated(reply: Reply, fault: Fault) -> Reply:
    return replace(reply, content=text_of(reply)[:-1][: len(text_of(reply)) * 2 // 3])


def _length(reply: Reply, fault: Fault) -> Reply:
    return replace(_truncated(reply, fault), finish_reason="length")


def _wrong_schema(reply: Reply, fault: Fault) -> Reply:
    return replace(reply, content={"unexpected": 1})


def _refusal(reply: Reply, fault: Fault) -> Reply:
    return replace(reply, content=None, refusal="I'm sorry, I can't help with that.")


def _content_filter(reply: Reply, fault: Fault) -> Reply:
    return replace(reply, content="", finish_reason="content_filter")


def _empty(reply: Reply, fault: Fault) -> Reply:
    return replace(reply, content="")


def _broken_off(reply: Reply, fault: Fault) -> Reply:
    return replace(_truncated(reply, fault), finish_reason="error")


def _duplicate_keys(reply: Reply, fault: Fault) -> Reply:
    """Each key twice, booleans and numbers with another value the second time."""
    values = _object(reply)
    second = {key: _contrary(value) for key, value in values.items()}
    pairs = [json.dumps({key: said}) for part in (values, second) for key, said in part.items()]
    return replace(reply, content="{" + ", ".join(pair[1:-1] for pair in pairs) + "}")


def _contrary(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    return 1 - value if isinstance(value, int | float) else value


def _wrong_types(reply: Reply, fault: Fault) -> Reply:
    """Booleans and numbers as text."""
    return replace(reply, content={key: _as_text(said) for key, said in _object(reply).items()})


def _as_text(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, bool | int | float) else value


def _huge(reply: Reply, fault: Fault) -> Reply:
    """The answer, with a first key of the size that the fault names."""
    return replace(reply, content={"padding": "x" * fault.size, **_object(reply)})


def _overbilled(reply: Reply, fault: Fault) -> Reply:
    return replace(reply, billed=10.0)


SPOILS: dict[str, Callable[[Reply, Fault], Reply]] = {
    "truncated": _truncated,
    "length": _length,
    "wrong_schema": _wrong_schema,
    "refusal": _refusal,
    "content_filter": _content_filter,
    "empty": _empty,
    "broken_off": _broken_off,
    "duplicate_keys": _duplicate_keys,
    "wrong_types": _wrong_types,
    "huge": _huge,
    "overbilled": _overbilled,
}

OF_CHAT = tuple(kind for kind in SPOILS if kind not in ("wrong_schema", "overbilled"))
"""Faults of a chat model's answer; they leave a decision model's as it is."""


def spoilt(reply: Reply, fault: Fault) -> Reply:
    """The reply as the fault leaves it."""
    spoil = SPOILS.get(fault.kind)
    return spoil(reply, fault) if spoil else reply


def text_of(reply: Reply) -> str:
    """The text of a reply."""
    content = reply.content
    return content if isinstance(content, str) else json.dumps(content) if content else ""


def _object(reply: Reply) -> dict[str, Any]:
    """A reply's JSON object; one that holds its text where it is none."""
    try:
        parsed = json.loads(text_of(reply))
    except ValueError:
        parsed = None
    return parsed if isinstance(parsed, dict) else {"answer": text_of(reply)}
