"""What a person says of a finding, and what follows from all that was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.monitored.finding import MonitorFinding, MonitorReport, Severity
from rubric_engine.monitored.settings import Policy
from rubric_engine.weighing import weighed

Decision = Literal["confirm", "dismiss"]

_NAMED = 3
"""Reasons that are named where there are several."""


class MonitorDecision(BaseModel):
    """A person's word on one finding; the last one on it counts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    finding: str = Field(description="Id of the finding.")
    decision: Decision = Field(description="confirm: it is a violation; dismiss: it is none.")
    why: str
    by: str
    at: str = Field(description="When, in UTC.")


class MonitorOutcome(MonitorReport):
    """What the monitor found, and what people said of it.

    `verdict` goes by both: a finding that is dismissed weighs nothing, one that is confirmed is a
    violation. What is confirmed stays so until it is dismissed, whatever a later check lists.
    """

    decisions: tuple[MonitorDecision, ...] = ()
    policy: Policy = "flag"

    @classmethod
    def of(
        cls, report: MonitorReport, decisions: tuple[MonitorDecision, ...], policy: Policy
    ) -> Self:
        """What a report and the decisions on its findings come to."""
        return cls(
            findings=report.findings,
            areas=report.areas,
            claims=report.claims,
            unlisted=report.unlisted,
            decisions=decisions,
            policy=policy,
        )

    @property
    def last(self) -> Mapping[str, MonitorDecision]:
        """The decision that counts, by id of the finding."""
        return {one.finding: one for one in self.decisions}

    def decided(self, finding: MonitorFinding) -> Decision | None:
        """What a person says of a finding; None where nobody said anything."""
        said = self.last.get(finding.id)
        return said.decision if said is not None else None

    def weight(self, finding: MonitorFinding) -> Severity:
        """How much a finding weighs after what was said of it."""
        return weighed(finding.severity, self.decided(finding))

    @property
    def unlisted_decisions(self) -> tuple[MonitorDecision, ...]:
        """The decisions that count on findings that are listed no more."""
        listed = {finding.id for finding in self.findings}
        return tuple(said for name, said in self.last.items() if name not in listed)

    @property
    def worst(self) -> Severity:
        """The worst weight of all findings and of what is confirmed and listed no more."""
        gone = any(said.decision == "confirm" for said in self.unlisted_decisions)
        return "violation" if gone else super().worst

    @property
    def disqualifies(self) -> str | None:
        """Why the score does not count: a confirmed violation; with `auto`, any of a rule's."""
        reasons = [
            f"{said.why} (confirmed by {said.by}: finding {said.finding}, listed no more)"
            for said in self.unlisted_decisions
            if said.decision == "confirm"
        ]
        for finding in self.findings:
            if self.decided(finding) == "confirm":
                said = self.last[finding.id]
                reasons.append(f"{said.why} (confirmed by {said.by}: {finding.says})")
            elif self.policy == "auto" and self._stands(finding):
                reasons.append(f"{finding.place}: {finding.says} (policy auto)")
        more = len(reasons) - _NAMED
        rest = [f"and {more:,} more"] if more > 0 else []
        return "; ".join([*reasons[:_NAMED], *rest]) or None

    def _stands(self, finding: MonitorFinding) -> bool:
        """Whether it is a rule's violation; a model's word alone disqualifies nobody."""
        return finding.area != "model" and self.weight(finding) == "violation"
