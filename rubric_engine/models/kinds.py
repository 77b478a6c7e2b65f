"""What went wrong with an attempt, as one of a few kinds that each have one remedy."""

from __future__ import annotations

from typing import Literal

from rubric_engine.models.error_body import Words

Kind = Literal[
    "rate_limit",  # too many requests or tokens: wait, with fewer in flight
    "overload",  # the server is overloaded: the same
    "server",  # it failed: try again
    "timeout",
    "connection",  # it was cut off or not reached
    "garbled",  # what came is not the JSON of an answer
    "parameter",  # it does not take a parameter: ask without
    "overflow",  # the prompt is too long
    "cut",  # the model ran into the output limit, and the server calls that an error
    "unfit",  # the model wrote what does not fit the form, and the server calls that an error
    "refused",  # a filter would not have the prompt
    "credentials",  # the key is rejected
    "quota",  # used up for hours: stop
    "missing",  # no such model or path: stop
    "rejected",  # it does not take the request, and does not say which part
    "cancelled",
]

RETRIED: frozenset[Kind] = frozenset(
    {"rate_limit", "overload", "server", "timeout", "connection", "garbled"}
)
CROWDED: frozenset[Kind] = frozenset({"rate_limit", "overload"})

_KEY = ("api key not valid", "incorrect api key", "invalid api key", "api_key_invalid")
_OVERFLOW = (
    "context_length_exceeded",
    "exceed_context_size",
    "model_context_window_exceeded",
    "context length",
    "context window",
    "context size",
    "context limit",
    "maximum prompt length",
    "maximum allowed input length",
    "range of input length",
    "model token limit",
    "reduce the length of the messages",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input token count",
    "prompt token count",
    "too many input tokens",
    "`inputs` tokens",
    "`inputs` must have less than",
    "more than max tokens allowed",
    # What is left of the window once the prompt is in it, where nothing is left.
    "must be at least 1, got -",
    "request too large",
    "request_too_large",
)
_CUT = ("max_tokens or model output limit was reached", "max completion tokens reached")
_UNFIT = ("json_validate_failed",)
_SPENT = (
    "insufficient_quota",
    "insufficient quota",
    "exceeded_current_quota",
    "billing_hard_limit",
    "billing hard limit",
    "credit balance is too low",
    "insufficient credits",
    "insufficient balance",
    "api usage limits",
)
_QUOTA = ("exceeded your current quota",)
_DAILY = ("per day", "perday", "per-day", "daily", "(rpd)", "(tpd)", "per 86400s", "limit: 0,")
_FILTER = (
    "content_filter",
    "content filter",
    "content_policy",
    "content policy",
    "content management policy",
    "responsibleaipolicyviolation",
    "data_inspection_failed",
    "prohibited_content",
    "moderation",
    "flagged",
)


def kind_of(status: int, words: Words) -> Kind:
    """Tell what an HTTP error means, but for the parameters that it may refuse."""
    said = f"{words.codes} {words.message}".lower()
    if status == 401 or (status in (400, 403) and _says(said, _KEY)):
        return "credentials"
    if status == 402 or _is_spent(status, said):
        return "quota"
    if status == 400 and _says(said, _CUT):
        return "cut"
    if status == 400 and _says(said, _UNFIT):
        return "unfit"
    if status in (400, 413, 422, 429, 500) and _says(said, _OVERFLOW):
        return "overflow"
    if status in (400, 403, 422) and _says(said, _FILTER):
        return "refused"
    return _by_status(status)


def _is_spent(status: int, said: str) -> bool:
    """Whether it is used up for long. Some say `quota` of a minute's, too, and name the status."""
    if status in (400, 403, 429) and _says(said, _SPENT):
        return True
    if status not in (403, 429):
        return False
    return _says(said, _DAILY) or (_says(said, _QUOTA) and "resource_exhausted" not in said)


def _by_status(status: int) -> Kind:
    named: dict[int, Kind] = {
        403: "credentials",
        404: "missing",
        408: "timeout",
        409: "server",
        413: "overflow",
        425: "server",
        429: "rate_limit",
        498: "overload",
        501: "rejected",
        503: "overload",
        529: "overload",
    }
    return named.get(status, "server" if status >= 500 else "rejected")


def _says(said: str, wordings: tuple[str, ...]) -> bool:
    return any(wording in said for wording in wordings)
