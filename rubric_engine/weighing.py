"""How much the findings of a monitor weigh once people decided, also in a written report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

_Severity = TypeVar("_Severity", bound=str)


class Weighed(NamedTuple):
    """A finding of a written outcome.

    Attributes:
        weight: `violation`, `suspicious` or `note`, after what was said of it.
        finding: The finding.
        said: The decision on it that counts, or None.
    """

    weight: str
    finding: Mapping[str, Any]
    said: Mapping[str, Any] | None

    @property
    def place(self) -> str:
        """`path:line`."""
        path, line = self.finding["path"], self.finding["line"]
        return path if line is None else f"{path}:{line}"


def weighed(severity: _Severity, said: str | None) -> _Severity | Literal["note", "violation"]:
    """How much a finding weighs: as its rule says, until a person does.

    Args:
        severity: What its rule says.
        said: `confirm` or `dismiss`, or None where nobody decided.
    """
    if said is None:
        return severity
    return "violation" if said == "confirm" else "note"


def ranked(outcome: Mapping[str, Any]) -> Sequence[Weighed]:
    """The findings of a written outcome, the gravest first.

    Args:
        outcome: `monitor` of a report.
    """
    last = {said["finding"]: said for said in outcome.get("decisions", ())}
    found = [_weighed(one, last.get(one["id"])) for one in outcome["findings"]]
    order = {"violation": 0, "suspicious": 1}
    return sorted(found, key=lambda one: order.get(one.weight, 2))


def _weighed(finding: Mapping[str, Any], said: Mapping[str, Any] | None) -> Weighed:
    decision = None if said is None else said["decision"]
    return Weighed(weighed(finding["severity"], decision), finding, said)
