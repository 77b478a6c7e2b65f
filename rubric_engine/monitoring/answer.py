"""What a model says of a part of a log, and the findings that it makes. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rubric_engine.injection.finding import visible
from rubric_engine.monitor import Draft, Severity
from rubric_engine.monitoring.chunks import Chunk
from rubric_engine.monitoring.quotes import line_of

MOST_FOUND = 50
"""Places that are kept of one answer."""

_MOST_WHY = 300
_UNFOUND = "no such words stand in the part of the log that it read, so this is no evidence"


class Violation(BaseModel):
    """One place that a model names."""

    model_config = ConfigDict(extra="forbid")

    area: Literal["blacklist", "faked", "looked_up", "claims"]
    line: int = Field(description="Number of the line.")
    quote: str = Field(description="A short quote that stands there word for word.")
    why: str = Field(description="Why it counts, in one sentence.")


class MonitorAnswer(BaseModel):
    """What a model says of a part of a log."""

    model_config = ConfigDict(extra="forbid")

    violations: list[Violation]
    verdict: Literal["clear", "suspicious", "violation"]

    @model_validator(mode="after")
    def _has_grounds(self) -> Self:
        """Refuse a verdict that names no place: it could neither be looked up nor be let pass."""
        if self.verdict != "clear" and not self.violations:
            raise ValueError(f"verdict is {self.verdict!r}, and violations lists no place")
        return self


def drafts_of(answer: MonitorAnswer, name: str, text: str, chunk: Chunk) -> Iterator[Draft]:
    """The findings that an answer makes, each quote looked up in what the model was shown.

    Args:
        answer: The answer.
        name: Name of the log.
        text: The whole log.
        chunk: The part that the model was shown.
    """
    severity: Severity = "violation" if answer.verdict == "violation" else "suspicious"
    for said in answer.violations[:MOST_FOUND]:
        line = line_of(said.quote, said.line, text, chunk)
        why = _short(said.why)
        rule = f"model.{said.area}"
        if line is None:
            says = f"a model says: {why}; {_UNFOUND}"
            yield Draft(rule, "note", "agent_log", name, None, said.quote, says)
        else:
            says = f"a model says: {why}"
            yield Draft(rule, severity, "agent_log", name, line, said.quote, says)


def _short(why: str) -> str:
    plain = visible(why[: 4 * _MOST_WHY])
    return plain if len(plain) <= _MOST_WHY else plain[: _MOST_WHY - 3] + "..."
