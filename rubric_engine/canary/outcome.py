"""What became of the canaries of a run."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.grading import MET_FROM, Grade

COUNTS = ("asked", "met", "not_met", "open", "failed")
"""What is counted of them: those asked about are met, not met or open, and open ones may be so
through a failure."""


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
    def graded(self) -> int:
        """How many have a grade."""
        return sum(leaf.grade.score is not None for leaf in self.leaves)

    @property
    def not_met(self) -> int:
        """How many the judge says are not met, as they are."""
        return self.graded - self.met

    @property
    def open(self) -> int:
        """How many have no grade, through a failure or as this judge grades no such leaf."""
        return self.asked - self.graded

    @property
    def untried(self) -> bool:
        """Whether canaries were asked about, and the judge graded none: that tells nothing."""
        return self.asked > 0 and not self.graded

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
        counts = {name: getattr(self, name) for name in COUNTS}
        return counts | self.model_dump(mode="json", exclude_defaults=True)
