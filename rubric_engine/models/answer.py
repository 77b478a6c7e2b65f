"""The body of an answer, as vendors spell it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rubric_engine.model import Usage
from rubric_engine.models.faults import Fault, of_status


@dataclass(frozen=True)
class Answer:
    """What a model wrote.

    Attributes:
        text: The text; empty where it wrote none.
        refusal: Why it would not answer, in its words.
        cut: Whether it ran into the output limit.
        usage: Tokens as the server counted them, or None where it did not.
        model: The model that says it answered.
    """

    text: str
    refusal: str | None
    cut: bool
    usage: Usage | None
    model: str


def read_answer(data: object, sent: Mapping[str, Any]) -> Answer:
    """Read the decoded body of a response with status 200.

    Raises:
        Fault: It is not an answer; some servers put errors there.
    """
    if not isinstance(data, dict):
        raise Fault("garbled", "the response is not a JSON object", status=200)
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    error = data.get("error") or (choice.get("error") if isinstance(choice, dict) else None)
    if error:
        raise of_status(_status(error), error, {}, sent)
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise Fault("garbled", "the response holds no message", status=200)
    reason = choice.get("finish_reason")
    return Answer(
        text=_text(message.get("content")),
        refusal=_refusal(message, reason),
        cut=reason in ("length", "max_tokens"),
        usage=read_usage(data.get("usage")),
        model=data["model"] if isinstance(data.get("model"), str) else "",
    )


def read_usage(value: object) -> Usage | None:
    """Read the token counts of a response, or None where they are missing or make no sense."""
    if not isinstance(value, dict):
        return None
    prompt, completion = _count(value, "prompt_tokens"), _count(value, "completion_tokens")
    if prompt is None or completion is None:
        return None
    details = value.get("prompt_tokens_details")
    cached = _count(details, "cached_tokens") if isinstance(details, dict) else None
    if cached is None:
        cached = _count(value, "prompt_cache_hit_tokens") or 0
    # Some vendors count reasoning in the total alone.
    total = _count(value, "total_tokens") or 0
    return Usage(
        input_tokens=prompt,
        cached_tokens=min(cached, prompt),
        output_tokens=max(completion, total - prompt),
    )


def _count(values: Mapping[str, Any], name: str) -> int | None:
    value = values.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _status(error: object) -> int:
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 502


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
    return "".join(part["text"] for part in parts if isinstance(part.get("text"), str))


def _refusal(message: Mapping[str, Any], reason: object) -> str | None:
    words = message.get("refusal")
    if isinstance(words, str) and words:
        return words
    return (
        "a content filter stopped the answer" if reason in ("content_filter", "refusal") else None
    )
