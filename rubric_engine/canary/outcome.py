"""What became of the canaries of a run."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.grading import Grade

MET_FROM = 0.5
"""Score from which on a canary counts as met."""


class AskedCanary(BaseModel):
    """One canary and the judge's word on it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    task: str = Field(description="The task whose leaf it is.")
    category: str
    requirements: str
    grade: Grade

    @property
    def met(self) -> bool:
        """Whether the judge says that it is met, which it is not."""
        return self.grade.score is not None and self.grade.score >= MET_FROM


class CanaryOutcome(BaseModel):
    """The canaries of a run; none of them counts for any score."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wanted: int = Field(description="How many the judge card asks for.")
    leaves: tuple[AskedCanary, ...] = ()

    @property
    def asked(self) -> int:
        """How many there were: fewer than wanted where too few are certainly false here."""
        return len(self.leaves)

    @property
    def met(self) -> int:
        """How many the judge says are met."""
        return sum(leaf.met for leaf in self.leaves)

    @property
    def failed(self) -> int:
        """How many have no grade through a failure."""
        return sum(leaf.grade.failed for leaf in self.leaves)

    @property
    def reasons(self) -> list[str]:
        """Why canaries have no grade."""
        return sorted({leaf.grade.reason for leaf in self.leaves if leaf.grade.reason})

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        counts = {"asked": self.asked, "met": self.met, "failed": self.failed}
        return counts | self.model_dump(mode="json", exclude_defaults=True)
