"""The forms in which endpoints tell of errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

OVERFLOW_CODE = "context_length_exceeded"
UNKNOWN_CODE = "unsupported_parameter"
FILTER_CODE = "content_filter"


@dataclass(frozen=True)
class Problem:
    """An error that an endpoint answers with, before it takes its vendor's form.

    Attributes:
        status: The HTTP status.
        message: What it says.
        kind: The `type` of OpenAI's error object.
        code: The `code` of OpenAI's error object.
        parameter: The parameter concerned.
    """

    status: int
    message: str
    kind: str
    code: str | None = None
    parameter: str | None = None


ErrorForm = Callable[[Problem], Any]


def openai_error(problem: Problem) -> Any:
    """OpenAI's own form."""
    error = {"message": problem.message, "type": problem.kind}
    return {"error": {**error, "param": problem.parameter, "code": problem.code}}


def vllm_error(problem: Problem) -> Any:
    """The error is the whole body."""
    kind = {400: "BadRequestError", 404: "NotFoundError"}.get(problem.status, "InternalServerError")
    rest = {"param": problem.parameter, "code": problem.status}
    return {"object": "error", "message": problem.message, "type": kind, **rest}


def nested_error(problem: Problem) -> Any:
    """The same in a field of its own."""
    fields = {key: said for key, said in vllm_error(problem).items() if key != "object"}
    return {"error": fields}


def plain_error(problem: Problem) -> Any:
    """OpenAI's, with nothing told beyond message and type."""
    error = {"message": problem.message, "type": problem.kind}
    return {"error": {**error, "param": None, "code": None}}


def llamacpp_error(problem: Problem) -> Any:
    """The status stands in the code."""
    kind = "exceed_context_size_error" if problem.code == OVERFLOW_CODE else problem.kind
    return {"error": {"code": problem.status, "message": problem.message, "type": kind}}


def gemini_error(problem: Problem) -> Any:
    """Google's form, in a list."""
    status = {429: "RESOURCE_EXHAUSTED", 400: "INVALID_ARGUMENT"}.get(problem.status, "INTERNAL")
    error: dict[str, Any] = {"code": problem.status, "message": problem.message, "status": status}
    if problem.status == 429:  # the same words for a minute's quota and for a day's
        span = "Day" if "per day" in problem.message else "Minute"
        named = f"GenerateRequestsPer{span}PerProjectPerModel-FreeTier"
        google = "type.googleapis.com/google.rpc."
        error["message"] = (
            "You exceeded your current quota, please check your plan and billing details."
        )
        error["details"] = [
            {"@type": f"{google}QuotaFailure", "violations": [{"quotaId": named}]},
            {"@type": f"{google}RetryInfo", "retryDelay": "0.02s"},
        ]
    return [{"error": error}]


def azure_error(problem: Problem) -> Any:
    """OpenAI's; a filter's says more."""
    body = openai_error(problem)
    if problem.code == FILTER_CODE:
        body["error"] |= {"type": None, "param": "prompt", "status": 400}
        body["error"]["innererror"] = {"code": "ResponsibleAIPolicyViolation"}
    return body


def text_error(problem: Problem) -> Any:
    """A bare message."""
    return {"error": problem.message}


def openrouter_error(problem: Problem) -> Any:
    """What the provider behind it says stands inside, as text."""
    raw = json.dumps(openai_error(problem))
    metadata = {"provider_name": "Scripted", "raw": raw}
    error = {"message": "Provider returned error", "code": problem.status, "metadata": metadata}
    return {"error": error, "user_id": "user_1"}


def mistral_error(problem: Problem) -> Any:
    """The error is the whole body, and a list of findings where a parameter is unknown."""
    message: Any = problem.message
    if problem.code == UNKNOWN_CODE:
        place = ["body", problem.parameter]
        finding = {"type": "extra_forbidden", "loc": place, "msg": problem.message, "input": 0}
        message = {"detail": [finding]}
    return {"object": "error", "message": message, "type": problem.kind, "code": None}
