"""What a script reads and writes: the request that came, the reply or fault that goes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from rubric_engine.errors import UsageError
from rubric_engine.near import near

FaultKind = Literal[
    "401",
    "403",
    "404",
    "429",
    "429_bare",
    "quota",
    "daily",
    "500",
    "503",
    "529",
    "context_overflow",
    "unknown_parameter",
    "prompt_filter",
    "cut_400",
    "error_in_200",
    "slow",
    "reset",
    "truncated_body",
    "truncated",
    "wrong_schema",
    "refusal",
    "content_filter",
    "length",
    "empty",
    "broken_off",
    "duplicate_keys",
    "wrong_types",
    "huge",
    "overbilled",
]
FAULT_KINDS: tuple[str, ...] = get_args(FaultKind)


@dataclass(frozen=True)
class Request:
    """A chat request, as it came over the wire.

    Attributes:
        number: Its place in the order of arrival, from 1.
        attempt: How often this very prompt has come, this time included.
        body: The whole body, parsed.
        contents: The text of each message.
        prompt: All messages as one text, each after a mark that names its role.
    """

    number: int
    attempt: int
    body: Mapping[str, Any]
    contents: tuple[str, ...]
    prompt: str

    @property
    def model(self) -> str:
        """The model that is asked for."""
        return model_of(self.body)

    @property
    def question(self) -> str:
        """The last message before the model spoke: the same when an answer is to be repaired."""
        roles = [message.get("role") for message in self.body["messages"]]
        spoke = roles.index("assistant") if "assistant" in roles else len(roles)
        return self.contents[max(0, spoke - 1)]

    @property
    def format(self) -> str:
        """The `type` of the response format: `text` where none is asked for."""
        return str((self.body.get("response_format") or {}).get("type", "text"))

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema that the answer is to follow, if one is asked for."""
        asked = (self.body.get("response_format") or {}).get("json_schema")
        schema = asked.get("schema") if isinstance(asked, dict) else None
        return schema if isinstance(schema, dict) else None

    def output_limit(self, names: tuple[str, ...]) -> int | None:
        """The most tokens of an answer, under the first of the names that is there."""
        limits = (self.body.get(name) for name in names)
        return next((limit for limit in limits if isinstance(limit, int)), None)


def model_of(body: Mapping[str, Any]) -> str:
    """The model that a request's body names."""
    return str(body.get("model", ""))


def contents_of(body: Mapping[str, Any]) -> tuple[str, ...]:
    """The text of each message of a request's body."""
    return tuple(_text(message.get("content")) for message in body["messages"])


def prompt_of(body: Mapping[str, Any], contents: tuple[str, ...]) -> str:
    """All messages as one text, each after a mark that names its role."""
    roles = (message.get("role") for message in body["messages"])
    return "".join(f"<|{role}|>{text}" for role, text in zip(roles, contents, strict=True))


def _text(content: object) -> str:
    """The text of a message's content: a string, or a list of parts."""
    if isinstance(content, list):
        parts = (part for part in content if isinstance(part, dict))
        return "".join(str(part.get("text", "")) for part in parts)
    return content if isinstance(content, str) else ""


@dataclass(frozen=True)
class Reply:
    """What the model says.

    Attributes:
        content: Its text; a mapping is written as JSON.
        finish_reason: Why it ended.
        refusal: What it says instead of an answer.
        reasoning: What it thought before; shown in the way of the vendor.
        model: Name of the model that answers; the one asked for where it is None.
        billed: Times the tokens that were really read and written.
        delay: Seconds on top of the server's latency.
    """

    content: str | Mapping[str, Any] | None
    finish_reason: str = "stop"
    refusal: str | None = None
    reasoning: str = ""
    model: str | None = None
    billed: float = 1.0
    delay: float = 0.0


@dataclass(frozen=True)
class Fault:
    """What goes wrong.

    Attributes:
        kind: One of `FAULT_KINDS`.
        times: To how many requests of one prompt it happens; None is always.
        retry_after: The header of a `429`: seconds or a date, as it is to stand on the wire.
        parameter: What `unknown_parameter` names.
        delay: Seconds before anything comes back, on top of the latency; None is one second for
            `slow` and none for the others.
        size: Characters of a `huge` answer.
        headers: More headers of an error, such as a vendor's rate limits.
    """

    kind: FaultKind
    times: int | None = None
    retry_after: str = "1"
    parameter: str = "temperature"
    delay: float | None = None
    size: int = 10_000_000
    headers: tuple[tuple[str, str], ...] = field(default=())

    def __post_init__(self) -> None:
        if self.kind not in FAULT_KINDS:
            hint = near(self.kind, FAULT_KINDS)
            raise UsageError(
                f"no fault is called {self.kind!r}",
                looked=[", ".join(FAULT_KINDS)],
                fix=[hint] if hint else (),
            )

    @property
    def wait(self) -> float:
        """Seconds before anything comes back, on top of the latency."""
        return float(self.kind == "slow") if self.delay is None else self.delay
