"""How far a run is, and what has changed since: of the run as a whole, and of each criterion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubric_engine.report import Mask
from rubric_engine.report.columns import node_columns
from rubric_engine.report.reading import RunMaterial
from rubric_engine.report.run_data import run_head, said_of

CHANGING = (
    "lost", "open", "value", "low", "high",
    "verdict", "reason", "probability", "human", "flags", "files",
)  # fmt: skip
"""Columns of the criteria that change while a run goes on."""


_STAYS = frozenset({"id", "mark", "masked", "nodes", "details"})
"""What of a run's page data is no word on the run: names, criteria, and counts for the reader."""


@dataclass(frozen=True)
class Live:
    """How far a run is at one moment.

    Attributes:
        head: All that a page says of the run as a whole: status, score, cost, categories, warnings.
        columns: What can change of the criteria, by name of the column.
    """

    head: Mapping[str, Any]
    columns: Mapping[str, Sequence[Any]]

    @classmethod
    def of(cls, run: Mapping[str, Any]) -> Live:
        """What a run's page data say."""
        columns = {name: run["nodes"][name] for name in CHANGING}
        return cls(_of_the_run(run), columns)

    @classmethod
    def read(cls, material: RunMaterial, redact: Sequence[str] = ()) -> Live:
        """What the files of a run say; the same as its page data do, in less time."""
        whole = material.report.to_dict()
        every = node_columns(material, whole["criteria"])
        mask = Mask(redact)
        columns = mask.of({name: every[name] for name in CHANGING})
        head = mask.of(run_head(material, whole))
        head["said"] = said_of(material.report, head["disqualified"])
        return cls(_of_the_run(head), columns)

    @property
    def goes_on(self) -> bool:
        """Whether more is to come."""
        return bool(self.head["status"] == "running")

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
                yield {"node": node, **changed}

    def head_since(self, before: Live | None) -> dict[str, Any]:
        """What is said of the run as a whole, and was not or otherwise.

        Args:
            before: How far the run was; None tells all of it.
        """
        old = before.head if before is not None else {}
        return {
            name: value
            for name, value in self.head.items()
            if name not in old or old[name] != value
        }


def _of_the_run(run: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in run.items() if name not in _STAYS}
