"""The body of an answer, as vendors spell it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rubric_engine.model import Usage
from rubric_engine.models.faults import AttemptFault, of_status

# Reasons for an end, in lower case. Some endpoints hand on those of the API behind them.
_CUT = {"length", "max_tokens", "model_context_window_exceeded"}
_FILTERED = {"content_filter", "refusal", "safety", "recitation", "blocklist"}
_FILTERED |= {"prohibited_content", "spii", "sensitive"}
_BROKEN = {"error", "abort", "aborted", "network_error", "insufficient_system_resource"}
_STATUS = {"rate_limit_exceeded": 429, "insufficient_quota": 429}
_STATUS |= {"context_length_exceeded": 400, "content_filter": 400}


_MOST = 2**53  # tokens; a server may claim any number


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
        AttemptFault: It is not an answer; some servers put errors there.
    """
    if not isinstance(data, dict):
        raise AttemptFault("garbled", "the response is not a JSON object", status=200)
    usage = read_usage(data.get("usage"))
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    error = data.get("error") or (choice.get("error") if isinstance(choice, dict) else None)
    if error:
        fault = of_status(_status(error), error, {}, sent)
        fault.usage = usage  # the model may have begun
        raise fault
    if choices == []:  # what becomes of a prompt that a filter stopped
        choice = {"message": {}}
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise AttemptFault("garbled", "the response holds no message", status=200)
    ends = set(re.findall(r"\w+", str(choice.get("finish_reason")).lower()))
    if ends & _BROKEN:
        raise AttemptFault("server", "the server broke the answer off", status=200, usage=usage)
    return Answer(
        text=_text(message.get("content")),
        refusal=_refusal(message, ends),
        cut=bool(ends & _CUT),
        usage=usage,
        model=data["model"] if isinstance(data.get("model"), str) else "",
    )


def written(text: str) -> Answer:
    """What a model wrote where the server says so in an error: its form does not fit."""
    return Answer(text=text, refusal=None, cut=False, usage=None, model="")


def read_usage(value: object) -> Usage | None:
    """Read the token counts of a response, or None where they are missing or make no sense."""
    if not isinstance(value, dict):
        return None
    prompt, completion = _count(value, "prompt_tokens"), _count(value, "completion_tokens")
    if not prompt or completion is None:  # no prompt of ours is empty
        return None
    details = value.get("prompt_tokens_details")
    places = [(details if isinstance(details, dict) else {}, "cached_tokens")]
    places += [(value, "prompt_cache_hit_tokens"), (value, "cached_tokens")]
    cached = max(_count(place, name) or 0 for place, name in places)
    # Some vendors count reasoning in the total alone.
    total = _count(value, "total_tokens") or 0
    return Usage(
        input_tokens=prompt,
        cached_tokens=min(cached, prompt),
        output_tokens=max(completion, total - prompt),
    )


def _count(values: Mapping[str, Any], name: str) -> int | None:
    value = values.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= _MOST else None


def _status(error: object) -> int:
    code = str(error.get("code")) if isinstance(error, dict) else ""
    number = int(code) if re.fullmatch(r"[45]\d\d", code) else 502
    return _STATUS.get(code, number)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
    return "".join(part["text"] for part in parts if isinstance(part.get("text"), str))


def _refusal(message: Mapping[str, Any], ends: set[str]) -> str | None:
    words = message.get("refusal")
    if isinstance(words, str) and words:
        return words
    return "a content filter stopped the answer" if ends & _FILTERED else None
