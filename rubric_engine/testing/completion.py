"""A reply in the protocol's form, with its usage."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, replace
from typing import Any

from rubric_engine.testing.faults import text_of
from rubric_engine.testing.values import Reply, Request
from rubric_engine.testing.vendors import Vendor

CHARS_PER_TOKEN = 4
CACHE_BLOCK = 128  # tokens
CACHE_LEAST = 1024  # tokens


def count_tokens(text: str) -> int:
    """Tokens of a text, by its length alone."""
    return math.ceil(len(text) / CHARS_PER_TOKEN)


def cached_tokens(shared_chars: int) -> int:
    """Tokens that a prefix cache serves, of characters that an earlier prompt has too."""
    blocks = shared_chars // (CHARS_PER_TOKEN * CACHE_BLOCK)
    tokens = blocks * CACHE_BLOCK
    return tokens if tokens >= CACHE_LEAST else 0


@dataclass(frozen=True, slots=True)
class Tally:
    """Tokens of one answer, as they are billed."""

    prompt: int
    cached: int
    completion: int
    reasoning: int


def tally(request: Request, reply: Reply, shared_chars: int, window: int | None) -> Tally:
    """Count an answer.

    Args:
        request: What was read.
        reply: What was said.
        shared_chars: Characters of the prompt that a cache holds.
        window: Tokens after which the prompt was cut; None reads it all.
    """
    read = count_tokens(request.prompt)
    read = read if window is None else min(read, window)
    said = count_tokens(text_of(reply) or reply.refusal or "")
    thought = count_tokens(reply.reasoning)
    return Tally(
        prompt=math.ceil(read * reply.billed),
        cached=min(cached_tokens(shared_chars), read),
        completion=math.ceil((said + thought) * reply.billed),
        reasoning=thought,
    )


def within_limit(reply: Reply, limit: int | None) -> Reply:
    """The reply, cut where it passes the limit of tokens."""
    text = text_of(reply)
    if limit is None or count_tokens(text) <= limit:
        return reply
    return replace(reply, content=text[: limit * CHARS_PER_TOKEN], finish_reason="length")


def completion_body(request: Request, reply: Reply, count: Tally, vendor: Vendor) -> bytes:
    """The body of a chat completion."""
    filtered = reply.finish_reason == "content_filter"
    choice = {
        "index": 0,
        "message": _message(request, reply, vendor),
        "logprobs": None,
        "finish_reason": vendor.filtered if filtered else reply.finish_reason,
    }
    body: dict[str, Any] = {
        "id": f"chatcmpl-{request.number}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": reply.model or request.model,
        "choices": [choice],
    }
    if vendor.usage != "none":
        body["usage"] = _usage(count, vendor)
    return json.dumps(body).encode()


def _message(request: Request, reply: Reply, vendor: Vendor) -> dict[str, Any]:
    ignored = {"json_schema": vendor.json_schema, "json_object": vendor.json_object}
    content = None if reply.content is None else text_of(reply)
    if content and ignored.get(request.format) == "ignored":
        content = f"Here is my answer:\n\n```json\n{content}\n```\nLet me know if you need more."
    if vendor.reasoning == "think" and content:
        content = f"<think>\n{reply.reasoning}\n</think>\n\n{content}"
    message: dict[str, Any] = {"role": "assistant", "content": content, "refusal": reply.refusal}
    if vendor.reasoning in ("reasoning", "reasoning_content"):
        message[vendor.reasoning] = reply.reasoning
    return message


def _usage(count: Tally, vendor: Vendor) -> dict[str, Any]:
    usage: dict[str, Any] = {
        "prompt_tokens": count.prompt,
        "completion_tokens": count.completion,
        "total_tokens": count.prompt + count.completion,
    }
    if vendor.usage == "hits":
        usage["prompt_cache_hit_tokens"] = count.cached
        usage["prompt_cache_miss_tokens"] = count.prompt - count.cached
    if vendor.usage == "top":
        usage["cached_tokens"] = count.cached
    if vendor.usage == "cached":
        usage["prompt_tokens_details"] = {"cached_tokens": count.cached}
        usage["completion_tokens_details"] = {"reasoning_tokens": count.reasoning}
    return usage
