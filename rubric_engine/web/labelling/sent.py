"""What the page sends: labels, groups of which nothing exists, and that a change is taken back."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

MOST_CITATIONS = 100
"""Places that one label may cite."""


class Sent(BaseModel):
    """What the page sends."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: int = Field(description="State that the sender has seen.")


class SentLabel(Sent):
    """A label as the page sends it."""

    key: str
    verdict: str
    reason: str = ""
    citations: list[str] = Field(default=[], max_length=MOST_CITATIONS)
    flag: str | None = None
    seconds: float | None = None


class SentMarks(Sent):
    """That nothing exists of a group."""

    key: str = Field(description="The group.")
    reason: str
    count: int = Field(description="Leaves that the sender has confirmed.")


class SentUndo(Sent):
    """That the last change shall be taken back."""
