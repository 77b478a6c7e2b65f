"""What the ledger keeps of a call, and what it tells of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.model import Usage

Outcome = Literal["answer", "refused", "unparseable", "cut_off", "context_overflow"]
"""How a call can end for good; asking again would give the same."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _now() -> datetime:
    return datetime.now(UTC)


class Entry(_Value):
    """The end of one call.

    Attributes:
        key: Key of the call.
        outcome: An answer, or the reason why there is none.
        text: What the model wrote.
        data: The same read by the schema; None without a schema or without an answer.
        detail: What was wrong, in words, where there is no answer.
        usage: Tokens over all attempts, or None where the server does not count.
        answered_model: The model that says it answered.
        effective: Parameters that were sent after negotiation with the endpoint.
        shortened_to: After an overflow, the key of the shortened request.
        request: Key of the request that it shared with other calls; empty where it had its own.
        shared_by: How many calls shared that request, and so what it cost.
        created: When it was stored.
    """

    key: str
    outcome: Outcome = "answer"
    text: str = ""
    data: dict[str, Any] | None = None
    detail: str = ""
    usage: Usage | None = None
    answered_model: str = ""
    effective: dict[str, Any] = Field(default_factory=dict)
    shortened_to: str | None = None
    request: str = ""
    shared_by: int = Field(default=1, ge=1)
    created: datetime = Field(default_factory=_now)


@dataclass(frozen=True, eq=False)
class Claim:
    """The right to ask for a key: nobody else asks until it is committed or released.

    Each is equal to itself only, so that one that has ended cannot end a later one.
    """

    key: str


class BilledAttempt(_Value):
    """One request that went out, whatever came back.

    Attributes:
        run: The run that pays.
        key: Key of the call; filled in while a `RecordedModel` asks.
        endpoint: Address that was asked.
        model: Model that was asked for.
        answered_model: Model that says it answered.
        started: When it was sent.
        seconds: Until its end.
        status: HTTP status, or None where there was no answer.
        fault: Kind of failure; empty where it answered.
        usage: Tokens as the server counted them; None where it did not.
        estimate: Tokens of the prompt, as they were estimated.
        bound: Tokens that were reserved; they count where `usage` is None.
        dollars: What it counts against a budget; None where there is no price.
        bound_dollars: Dollars that were reserved; None where there is no price.
        effective: Parameters that were sent.
    """

    run: str
    key: str = ""
    endpoint: str = ""
    model: str = ""
    answered_model: str = ""
    started: datetime = Field(default_factory=_now)
    seconds: float = 0.0
    status: int | None = None
    fault: str = ""
    usage: Usage | None = None
    estimate: int = 0
    bound: Usage | None = None
    dollars: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    bound_dollars: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    effective: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True)
class Spent:
    """What attempts cost, as far as it is known.

    Attributes:
        calls: Different calls among the attempts.
        attempts: Requests that went out.
        usage: Tokens; attempts that the server did not count stand in at their bound.
        dollars: Sum over the attempts that have a price.
        unpriced: Attempts without a price.
        uncounted: Attempts without usage from the server.
        uncounted_tokens: What they count in `usage`, at their bound.
        uncounted_dollars: What they count in `dollars`, likewise.
    """

    calls: int = 0
    attempts: int = 0
    usage: Usage = field(default_factory=Usage)
    dollars: float = 0.0
    unpriced: int = 0
    uncounted: int = 0
    uncounted_tokens: int = 0
    uncounted_dollars: float = 0.0


@dataclass(frozen=True)
class CountedAnswer:
    """One answer whose tokens its server counted.

    Attributes:
        estimate: Tokens of the prompt, as they were estimated.
        usage: Tokens as the server counted them.
    """

    estimate: int
    usage: Usage


@dataclass(frozen=True)
class Info:
    """What a ledger holds.

    Attributes:
        entries: Calls that ended.
        texts: Different texts of prompts.
        bytes: Size of the file.
        oldest: When the oldest entry was stored, if there is one.
        by_model: Entries for each model that was asked for.
    """

    entries: int
    texts: int
    bytes: int
    oldest: datetime | None
    by_model: dict[str, int]


@dataclass(frozen=True)
class Pruned:
    """What pruning removed: entries, texts of prompts, and bytes of the file."""

    entries: int
    texts: int
    bytes: int
