"""How known endpoints deviate from each other: one row a vendor.

A row is what makes a client trip, not a vendor's whole behaviour. Take one and change a field with
`dataclasses.replace` for a deviation of your own.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from rubric_engine.errors import UsageError
from rubric_engine.near import near


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
Support = Literal["yes", "refused", "ignored"]


def _openai(problem: Problem) -> Any:
    error = {"message": problem.message, "type": problem.kind}
    return {"error": {**error, "param": problem.parameter, "code": problem.code}}


def _vllm(problem: Problem) -> Any:
    kind = {400: "BadRequestError", 404: "NotFoundError"}.get(problem.status, "InternalServerError")
    rest = {"param": problem.parameter, "code": problem.status}
    return {"object": "error", "message": problem.message, "type": kind, **rest}


def _plain(problem: Problem) -> Any:
    error = {"message": problem.message, "type": problem.kind}
    return {"error": {**error, "param": None, "code": None}}


def _llamacpp(problem: Problem) -> Any:
    kind = "exceed_context_size_error" if problem.code == OVERFLOW_CODE else problem.kind
    return {"error": {"code": problem.status, "message": problem.message, "type": kind}}


def _gemini(problem: Problem) -> Any:
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


def _azure(problem: Problem) -> Any:
    body = _openai(problem)
    if problem.code == FILTER_CODE:
        body["error"] |= {"type": None, "param": "prompt", "status": 400}
        body["error"]["innererror"] = {"code": "ResponsibleAIPolicyViolation"}
    return body


def _text(problem: Problem) -> Any:
    return {"error": problem.message}


def _openrouter(problem: Problem) -> Any:
    """What the provider behind it says stands inside, as text."""
    raw = json.dumps(_openai(problem))
    metadata = {"provider_name": "Scripted", "raw": raw}
    error = {"message": "Provider returned error", "code": problem.status, "metadata": metadata}
    return {"error": error, "user_id": "user_1"}


def _mistral(problem: Problem) -> Any:
    message: Any = problem.message
    if problem.code == UNKNOWN_CODE:
        place = ["body", problem.parameter]
        finding = {"type": "extra_forbidden", "loc": place, "msg": problem.message, "input": 0}
        message = {"detail": [finding]}
    return {"object": "error", "message": message, "type": problem.kind, "code": None}


OVERFLOW_CODE = "context_length_exceeded"
UNKNOWN_CODE = "unsupported_parameter"
FILTER_CODE = "content_filter"
BOTH_LIMITS = ("max_completion_tokens", "max_tokens")


@dataclass(frozen=True)
class Vendor:
    """One way of speaking the protocol.

    Attributes:
        json_schema: What becomes of `response_format` of type `json_schema`.
        json_object: The same for type `json_object`.
        output_limits: Names of the output limit that it takes.
        other_limits: What becomes of the output limit under another name.
        refuses: Further parameters that it refuses, by name.
        usage: Whether it counts tokens, and where it tells the cached ones: in the details, as
            hits and misses, at the top, or nowhere.
        reasoning: Where thoughts are shown: a field of the message, or tags within the text.
        system_role: Whether messages may have the role `system`.
        filtered: Why an answer ended that a filter stopped.
        overflow: What it says to a prompt longer than the window; None cuts it without a word.
        unknown: What it says to a parameter that it refuses.
        unknown_status: With which status.
        error: The form of its errors.
    """

    json_schema: Support = "yes"
    json_object: Support = "yes"
    output_limits: tuple[str, ...] = BOTH_LIMITS
    other_limits: Literal["refused", "ignored"] = "refused"
    refuses: tuple[str, ...] = ()
    usage: Literal["cached", "hits", "top", "plain", "none"] = "cached"
    reasoning: Literal["hidden", "reasoning_content", "reasoning", "think"] = "hidden"
    system_role: bool = True
    filtered: str = "content_filter"
    overflow: str | None = (
        "This model's maximum context length is {window} tokens. However, your messages resulted "
        "in {tokens} tokens. Please reduce the length of the messages."
    )
    unknown: str = "Unsupported parameter: '{name}' is not supported with this model."
    unknown_status: int = 400
    error: ErrorForm = _openai


VENDORS: dict[str, Vendor] = {
    "openai": Vendor(output_limits=("max_completion_tokens",)),
    "azure": Vendor(output_limits=("max_completion_tokens",), error=_azure),
    "vllm": Vendor(
        usage="plain",
        reasoning="reasoning_content",
        overflow="This model's maximum context length is {window} tokens. However, you requested "
        "{tokens} tokens in the messages. Please reduce the length of the messages.",
        error=_vllm,
    ),
    "sglang": Vendor(
        usage="plain",
        reasoning="reasoning_content",
        overflow="Requested token count exceeds the model's maximum context length of {window} "
        "tokens. You requested a total of {tokens} tokens.",
        error=_vllm,
    ),
    "lmstudio": Vendor(
        json_object="refused",
        output_limits=("max_tokens",),
        other_limits="ignored",
        usage="plain",
        reasoning="reasoning_content",
        overflow="The number of tokens to keep from the initial prompt is greater than the "
        "context length.",
        error=_text,
    ),
    "ollama": Vendor(
        output_limits=("max_tokens",),
        other_limits="ignored",
        usage="plain",
        reasoning="reasoning",
        overflow=None,
        error=_plain,
    ),
    "llamacpp": Vendor(
        usage="plain",
        reasoning="reasoning_content",
        overflow="the request exceeds the available context size. try increasing the context size "
        "or enable context shift",
        error=_llamacpp,
    ),
    "anthropic": Vendor(
        json_schema="ignored",
        json_object="ignored",
        usage="plain",
        overflow="prompt is too long: {tokens} tokens > {window} maximum",
        error=_plain,
    ),
    "gemini": Vendor(
        refuses=("seed",),
        usage="plain",
        filtered="PROHIBITED_CONTENT",
        overflow="The input token count ({tokens}) exceeds the maximum number of tokens allowed "
        "({window}).",
        unknown='Invalid JSON payload received. Unknown name "{name}": Cannot find field.',
        error=_gemini,
    ),
    "openrouter": Vendor(
        reasoning="reasoning",
        overflow="This endpoint's maximum context length is {window} tokens. However, you "
        "requested about {tokens} tokens.",
        error=_openrouter,
    ),
    "deepseek": Vendor(
        json_schema="refused",
        output_limits=("max_tokens",),
        usage="hits",
        reasoning="reasoning_content",
        overflow="This model's maximum context length is {window} tokens. However, you requested "
        "{tokens} tokens. Please reduce the length of the messages or completion.",
    ),
    "groq": Vendor(reasoning="reasoning"),
    "together": Vendor(
        usage="plain",
        overflow="Input validation error: `inputs` tokens + `max_new_tokens` must be <= {window}. "
        "Given: {tokens} `inputs` tokens and 4096 `max_new_tokens`",
    ),
    "xai": Vendor(
        overflow="This model's maximum prompt length is {window} but the request contains {tokens} "
        "tokens.",
        error=_text,
    ),
    "moonshot": Vendor(
        output_limits=("max_tokens",),
        usage="top",
        overflow="Invalid request: Your request exceeded model token limit: {window}",
    ),
    "mistral": Vendor(
        output_limits=("max_tokens",),
        refuses=("seed", "reasoning_effort"),
        usage="plain",
        unknown="Extra inputs are not permitted",
        unknown_status=422,
        error=_mistral,
    ),
    # A server that leaves the thoughts in the text.
    "thinking": Vendor(usage="plain", reasoning="think", error=_plain),
    # The least that calls itself compatible: text in, text out, nothing counted.
    "bare": Vendor(
        json_schema="refused",
        json_object="refused",
        output_limits=("max_tokens",),
        usage="none",
        error=_plain,
    ),
}


def find_vendor(vendor: str | Vendor) -> Vendor:
    """The row of a vendor by name, or the row that was handed in.

    Raises:
        UsageError: There is no vendor of that name.
    """
    if isinstance(vendor, Vendor):
        return vendor
    if vendor not in VENDORS:
        hint = near(vendor, VENDORS)
        raise UsageError(
            f"no vendor is called {vendor!r}",
            looked=[", ".join(VENDORS)],
            fix=[hint] if hint else (),
        )
    return VENDORS[vendor]


def error_body(vendor: Vendor, problem: Problem) -> bytes:
    """The body of an error, in the vendor's form."""
    return json.dumps(vendor.error(problem)).encode()
