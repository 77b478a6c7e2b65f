"""What went wrong with an attempt, as one of a few kinds that each have one remedy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rubric_engine.models.refusals import refused_parameter
from rubric_engine.models.waits import asked_wait

Kind = Literal[
    "rate_limit",  # too many requests or tokens: wait, with fewer in flight
    "overload",  # the server is overloaded: the same
    "server",  # it failed: try again
    "timeout",
    "connection",  # it was cut off or not reached
    "garbled",  # what came is not the JSON of an answer
    "parameter",  # it does not take a parameter: ask without
    "overflow",  # the prompt is too long
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


class Fault(Exception):  # noqa: N818  # a way for an attempt to end; it never leaves this package
    """An attempt that gave no answer.

    Attributes:
        kind: What went wrong.
        message: The server's words, without any key.
        status: HTTP status, where one came.
        wait: Seconds that the server asks to wait.
        parameter: What was refused, for the kind `parameter`.
        refused_connection: True where nothing listens at the address.
        adapted: True once another way to ask is known, so that it is worth asking again.
    """

    def __init__(
        self,
        kind: Kind,
        message: str,
        *,
        status: int | None = None,
        wait: float | None = None,
        parameter: str | None = None,
        refused_connection: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.status = status
        self.wait = wait
        self.parameter = parameter
        self.refused_connection = refused_connection
        self.adapted = False

    @property
    def brief(self) -> str:
        """What went wrong, in a few words of ours."""
        if self.status is not None and self.status >= 400:
            return f"HTTP {self.status}"
        return _BRIEF.get(self.kind, "a failure")


_BRIEF: dict[Kind, str] = {
    "timeout": "no answer in time",
    "connection": "no connection",
    "garbled": "an answer that is no JSON",
}


@dataclass(frozen=True)
class _Words:
    """An error body, whatever its shape."""

    message: str
    code: str
    parameter: str


def of_status(
    status: int, body: object, headers: Mapping[str, str], sent: Mapping[str, Any]
) -> Fault:
    """Tell what an HTTP error means.

    Args:
        status: The HTTP status.
        body: The error body, decoded where it is JSON.
        headers: The response's headers, names in lower case.
        sent: The parameters of the request.
    """
    words = _words(body)
    wait = asked_wait(headers, words.message)
    parameter = None
    kind = _kind(status, words)
    if kind in ("rejected", "missing"):
        parameter = refused_parameter(words.message, words.parameter, sent)
        kind = "parameter" if parameter else kind
    return Fault(
        kind, words.message or f"HTTP {status}", status=status, wait=wait, parameter=parameter
    )


_OVERFLOW = (
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "context length",
    "context window",
    "context size",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input token count",
    "too many input tokens",
    "request too large",
    "request_too_large",
)
_QUOTA = (
    "insufficient_quota",
    "billing_hard_limit",
    "exceeded your current quota",
    "credit balance is too low",
    "insufficient credits",
    "insufficient balance",
    "per day",
    "perday",
    "daily",
    "(rpd)",
    "(tpd)",
)
_FILTER = ("content_filter", "content_policy", "content management policy", "moderation", "flagged")


def _kind(status: int, words: _Words) -> Kind:
    said = f"{words.code} {words.message}".lower()
    if status == 401:
        return "credentials"
    if status == 402 or (status in (403, 429) and _says(said, _QUOTA)):
        return "quota"
    if status in (400, 413, 422, 429, 500) and _says(said, _OVERFLOW):
        return "overflow"
    if status in (400, 403, 422) and _says(said, _FILTER):
        return "refused"
    return _by_status(status)


def _by_status(status: int) -> Kind:
    named: dict[int, Kind] = {
        403: "credentials",
        404: "missing",
        408: "timeout",
        409: "server",
        413: "overflow",
        425: "server",
        429: "rate_limit",
        501: "rejected",
        503: "overload",
        529: "overload",
    }
    return named.get(status, "server" if status >= 500 else "rejected")


def _says(said: str, wordings: tuple[str, ...]) -> bool:
    return any(wording in said for wording in wordings)


def _words(body: object) -> _Words:
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, dict):
        return _Words(_clip(body), "", "")
    inner = body.get("error")
    if isinstance(inner, dict):
        body = inner
    message = next(
        (body[key] for key in ("message", "detail", "error") if body.get(key)), body or ""
    )
    codes = [str(body[key]) for key in ("code", "type", "status") if body.get(key)]
    return _Words(_clip(message), " ".join(codes), str(body.get("param") or ""))


def _clip(value: object) -> str:
    text = value if isinstance(value, str) else "" if value is None else str(value)
    return " ".join(text[:2000].split())[:500]
