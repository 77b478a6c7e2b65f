"""What the monitor says: findings, what was checked, and the verdict that follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, computed_field, model_validator

Severity = Literal["note", "suspicious", "violation"]
MonitorVerdict = Literal["clear", "suspicious", "violation", "not_checked"]
Area = Literal["blacklist", "faked", "looked_up", "claims", "model"]
Source = Literal["submission", "executed", "run_log", "agent_log"]

NEEDED: tuple[Area, ...] = ("blacklist", "faked")
"""Areas without which nothing is called clear."""


_GRAVE: tuple[Severity, ...] = ("violation", "suspicious")


class MonitorFinding(BaseModel):
    """One place that bears on whether a result was honestly come by."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(description="The same in every run, and where lines only moved.")
    rule: str = Field(description="Name of the rule; its first part is the area.")
    area: Area
    severity: Severity
    source: Source
    path: str = Field(description="Path in the submission, or the log's name.")
    line: int | None = Field(description="From 1; None where it is about a whole file.")
    excerpt: str = Field(description="One line, escaped; at most 200 characters.")
    says: str = Field(description="What it is, and what it is not.")

    @property
    def place(self) -> str:
        """`path:line`."""
        return self.path if self.line is None else f"{self.path}:{self.line}"


class AreaOutcome(BaseModel):
    """Whether an area was looked at."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    area: Area
    state: Literal["checked", "not_checked", "unknown"]
    why: str | None = None


class Claims(BaseModel):
    """How many numbers and files are claimed, and how many of them nothing bears out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claims: int
    ungrounded: int
    share: float | None = Field(
        description="The hallucination share; None without claims, or where nothing was checked."
    )


class MonitorReport(BaseModel):
    """What the monitor found. It changes no score."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    findings: tuple[MonitorFinding, ...] = ()
    areas: tuple[AreaOutcome, ...] = ()
    claims: Claims | None = None
    unlisted: int = Field(default=0, ge=0, description="Findings of rules that are not listed.")

    @model_validator(mode="before")
    @classmethod
    def _follows(cls, value: Any) -> Any:
        """Leave out the verdict that a written report holds: it follows from the rest."""
        if isinstance(value, Mapping):
            return {key: each for key, each in value.items() if key != "verdict"}
        return value

    @computed_field  # type: ignore[prop-decorator]
    @property
    def verdict(self) -> MonitorVerdict:
        """The worst severity; without one, whether enough was looked at to call it clear.

        What somebody was asked to look at and could not tell is not clear.
        """
        worst = self.worst
        if worst != "note":
            return worst
        checked = {outcome.area for outcome in self.areas if outcome.state == "checked"}
        untold = any(outcome.state == "unknown" for outcome in self.areas)
        return "clear" if checked.issuperset(NEEDED) and not untold else "not_checked"

    @property
    def worst(self) -> Severity:
        """The worst weight of all findings; `note` where there are none."""
        weights = {self.weight(finding) for finding in self.findings}
        return next((one for one in _GRAVE if one in weights), "note")

    def weight(self, finding: MonitorFinding) -> Severity:
        """How much a finding weighs."""
        return finding.severity
