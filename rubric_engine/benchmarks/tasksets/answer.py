"""What became of asking an agent, as a value that is kept."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from rubric_engine.benchmarks.tasksets.forms import formed
from rubric_engine.benchmarks.tasksets.task import ExpectedOutput

Status = Literal["answered", "malformed", "failed", "missing"]

MISSING = frozenset({"provider_error", "budget", "not_asked"})
"""Reasons for which there is no answer that are not the agent's: a resume asks again."""

MOST_INTERVENTIONS = 1_000_000
"""More than a human can step in is no count, and would spoil every mean."""

MOST_SECONDS = 1e9
"""Thirty years."""

MOST_NAMED = 10
"""Claims without ground of one answer that are named; all are counted."""


class Claims(BaseModel):
    """Claims of an answer, and how many of them have no ground."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claims: int = Field(ge=0)
    ungrounded: int = Field(ge=0)
    named: tuple[str, ...] = Field(default=(), description="The first of those without ground.")


class AgentAnswer(BaseModel):
    """What became of asking an agent once.

    Attributes:
        task: Id of the task.
        sample: Number of the repetition.
        status: ``answered``: well-formed; ``malformed``: an answer of another form, judged as it
            stands; ``failed``: the agent gave none; ``missing``: it could not be asked.
        reason: In one word why it is not ``answered``.
        detail: The same in a sentence.
        text: The answer as it came.
        seconds: Of an agent of one's own from question to answer, tries on which it broke counted
            in; of a chat model what its requests took. None where nobody knows.
        calls: Keys of ledger entries, or what an agent of one's own says of its calls.
        interventions: How often a human stepped in; None where nobody counted.
        claims: Claims without ground; None where nobody looked.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    sample: int = 0
    status: Status
    reason: str | None = None
    detail: str = ""
    text: str = ""
    seconds: float | None = Field(default=None, ge=0, le=MOST_SECONDS, allow_inf_nan=False)
    calls: tuple[JsonValue, ...] = ()
    interventions: int | None = Field(default=None, ge=0, le=MOST_INTERVENTIONS)
    claims: Claims | None = None

    @property
    def returned(self) -> bool:
        """Whether there is an answer to judge."""
        return self.status in ("answered", "malformed") and bool(self.text.strip())


def of_text(
    task: str,
    sample: int,
    text: str,
    expected: ExpectedOutput,
    *,
    seconds: float | None,
    calls: tuple[JsonValue, ...] = (),
    interventions: int | None = None,
) -> AgentAnswer:
    """The answer that a text is: well-formed, or malformed and why."""
    wrong = formed(text, expected).reason
    return AgentAnswer(
        task=task,
        sample=sample,
        status="answered" if wrong is None else "malformed",
        reason=None if wrong is None else "form",
        detail=wrong or "",
        text=text,
        seconds=seconds,
        calls=calls,
        interventions=interventions,
    )


def without(
    task: str,
    sample: int,
    reason: str,
    detail: str,
    *,
    text: str = "",
    seconds: float | None = None,
    calls: tuple[JsonValue, ...] = (),
    interventions: int | None = None,
) -> AgentAnswer:
    """No answer, and why."""
    status: Status = "missing" if reason in MISSING else "failed"
    return AgentAnswer(
        task=task,
        sample=sample,
        status=status,
        reason=reason,
        detail=detail,
        text=text,
        seconds=seconds,
        calls=calls,
        interventions=interventions,
    )
