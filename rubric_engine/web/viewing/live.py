"""How far a run is, and what has changed since: values that say so, criterion by criterion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubric_engine.report import Mask
from rubric_engine.report.columns import node_columns
from rubric_engine.report.reading import RunMaterial
from rubric_engine.report.run_data import said_of
from rubric_engine.result import score_dict

CHANGING = (
    "lost", "open", "value", "low", "high",
    "verdict", "reason", "probability", "human", "flags", "files",
)  # fmt: skip
"""Columns of the criteria that change while a run goes on."""


@dataclass(frozen=True)
class Live:
    """How far a run is at one moment.

    Attributes:
        status: As `runs list` says it.
        score: Of the root.
        cost: What was paid so far.
        said: What is said of both.
        columns: What can change of the criteria, by name of the column.
    """

    status: str
    score: Mapping[str, Any]
    cost: Mapping[str, float]
    said: Mapping[str, Any]
    columns: Mapping[str, Sequence[Any]]

    @classmethod
    def of(cls, run: Mapping[str, Any]) -> Live:
        """What a run's page data say."""
        columns = {name: run["nodes"][name] for name in CHANGING}
        return cls(run["status"], run["score"], run["cost"], run["said"], columns)

    @classmethod
    def read(cls, material: RunMaterial, redact: Sequence[str] = ()) -> Live:
        """What the files of a run say; the same as its page data do, in less time."""
        report = material.report
        every = node_columns(material, report.to_dict()["criteria"])
        mask = Mask(redact)
        columns = mask.of({name: every[name] for name in CHANGING})
        said = said_of(report, mask.of(report.disqualified))
        score, cost = score_dict(report.score), dict(report.cost)
        return cls(material.status, score, cost, said, columns)

    @property
    def goes_on(self) -> bool:
        """Whether more is to come."""
        return self.status == "running"

    @property
    def _whole(self) -> dict[str, Any]:
        return {"score": self.score, "cost": self.cost, "said": self.said}

    def since(self, before: Live | None) -> Iterator[dict[str, Any]]:
        """What changed: for each criterion its row, and the columns that are others now.

        Args:
            before: How far the run was; None tells all of every criterion.
        """
        old = before.columns if before is not None else {}
        for node in range(len(self.columns["verdict"])):
            changed = {
                name: column[node]
                for name, column in self.columns.items()
                if name not in old or node >= len(old[name]) or old[name][node] != column[node]
            }
            if changed:
                yield {"node": node, **changed, **self._whole}
