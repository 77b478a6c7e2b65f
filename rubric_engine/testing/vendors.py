"""How known endpoints deviate from each other: one row a vendor.

A row is what makes a client trip, not a vendor's whole behaviour. Take one and change a field with
`dataclasses.replace` for a deviation of your own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from rubric_engine.errors import UsageError
from rubric_engine.near import near
from rubric_engine.testing.error_forms import (
    ErrorForm,
    Problem,
    azure_error,
    gemini_error,
    llamacpp_error,
    mistral_error,
    nested_error,
    openai_error,
    openrouter_error,
    plain_error,
    text_error,
    vllm_error,
)

Support = Literal["yes", "refused", "ignored"]

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
    error: ErrorForm = openai_error


VENDORS: dict[str, Vendor] = {
    "openai": Vendor(output_limits=("max_completion_tokens",)),
    "azure": Vendor(output_limits=("max_completion_tokens",), error=azure_error),
    "vllm": Vendor(
        usage="plain",
        reasoning="reasoning_content",
        overflow="This model's maximum context length is {window} tokens. However, you requested "
        "{tokens} tokens in the messages. Please reduce the length of the messages.",
        error=vllm_error,
    ),
    # Since 2025: the error in a field of its own, its code the status; thoughts under a new name.
    "vllm-nested": Vendor(
        usage="plain",
        reasoning="reasoning",
        overflow="This model's maximum context length is {window} tokens. However, you requested "
        "{tokens} tokens in the messages. Please reduce the length of the messages.",
        error=nested_error,
    ),
    "sglang": Vendor(
        usage="plain",
        reasoning="reasoning_content",
        overflow="Requested token count exceeds the model's maximum context length of {window} "
        "tokens. You requested a total of {tokens} tokens.",
        error=vllm_error,
    ),
    "lmstudio": Vendor(
        json_object="refused",
        output_limits=("max_tokens",),
        other_limits="ignored",
        usage="plain",
        reasoning="reasoning_content",
        overflow="The number of tokens to keep from the initial prompt is greater than the "
        "context length.",
        error=text_error,
    ),
    "ollama": Vendor(
        output_limits=("max_tokens",),
        other_limits="ignored",
        usage="plain",
        reasoning="reasoning",
        overflow=None,
        error=plain_error,
    ),
    "llamacpp": Vendor(
        usage="plain",
        reasoning="reasoning_content",
        overflow="the request exceeds the available context size. try increasing the context size "
        "or enable context shift",
        error=llamacpp_error,
    ),
    # Before it knew the limit by its new name, which it ignored.
    "llamacpp-older": Vendor(
        output_limits=("max_tokens",),
        other_limits="ignored",
        usage="plain",
        reasoning="reasoning_content",
        overflow="the request exceeds the available context size. try increasing the context size "
        "or enable context shift",
        error=llamacpp_error,
    ),
    "anthropic": Vendor(
        json_schema="ignored",
        json_object="ignored",
        usage="plain",
        overflow="prompt is too long: {tokens} tokens > {window} maximum",
        error=plain_error,
    ),
    "gemini": Vendor(
        refuses=("seed",),
        usage="plain",
        filtered="PROHIBITED_CONTENT",
        overflow="The input token count ({tokens}) exceeds the maximum number of tokens allowed "
        "({window}).",
        unknown='Invalid JSON payload received. Unknown name "{name}": Cannot find field.',
        error=gemini_error,
    ),
    "openrouter": Vendor(
        reasoning="reasoning",
        overflow="This endpoint's maximum context length is {window} tokens. However, you "
        "requested about {tokens} tokens.",
        error=openrouter_error,
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
        error=text_error,
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
        error=mistral_error,
    ),
    # A server that leaves the thoughts in the text.
    "thinking": Vendor(usage="plain", reasoning="think", error=plain_error),
    # The least that calls itself compatible: text in, text out, nothing counted.
    "bare": Vendor(
        json_schema="refused",
        json_object="refused",
        output_limits=("max_tokens",),
        usage="none",
        error=plain_error,
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
