"""What happened to each leaf between two runs, in one word. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from rubric_engine.comparing.aligning import Alignment
from rubric_engine.grading import Grade
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric

Kind = Literal[
    "same",
    "open",
    "up",
    "down",
    "part",
    "became_ungradeable",
    "became_gradeable",
    "applies",
    "text_changed",
    "weight_changed",
    "aggregate_changed",
    "added",
    "removed",
    "disqualified",
]
"""What happened: every leaf is of one kind, and every part of the difference has one as its cause.

`same` and `open` are leaves whose verdict stayed, or that have no grade on either side; `applies`
leaves that do not apply to one of the submissions. `aggregate_changed` and `disqualified` are
causes only: of a group, and of a whole run.
"""

KINDS: tuple[Kind, ...] = get_args(Kind)

_MISSING = Grade.ungradeable("not_run")


@dataclass(frozen=True, slots=True)
class LeafKind:
    """A leaf of either rubric.

    Attributes:
        a: Its key in the first rubric; None where it was added.
        b: Its key in the second; None where it was removed.
        kind: What happened to it.
    """

    a: str | None
    b: str | None
    kind: Kind


def leaf_kinds(first: Report, second: Report, shared: Alignment) -> tuple[LeafKind, ...]:
    """Say of every leaf what happened to it.

    Returns:
        The first rubric's leaves in document order, then the second's that were added.
    """
    heavier = reweighed(first.rubric, second.rubric, shared)
    found = [
        LeafKind(key, shared.match.get(key), _kind(first, second, key, shared, heavier))
        for key in first.rubric.leaves()
    ]
    known = set(shared.match.values())
    added = [LeafKind(None, key, "added") for key in second.rubric.leaves() if key not in known]
    return (*found, *added)


def _kind(
    first: Report, second: Report, key: str, shared: Alignment, heavier: frozenset[str]
) -> Kind:
    if key not in shared.match:
        return "removed"
    if key in shared.changed:
        return "text_changed"
    a = first.grades.get(key, _MISSING)
    b = second.grades.get(shared.match[key], _MISSING)
    if a.status != b.status:
        return _status_kind(a, b)
    if a.score is not None and b.score is not None and a.score != b.score:
        return _score_kind(a.score, b.score)
    if key in heavier:
        return "weight_changed"
    return "open" if a.status == "ungradeable" else "same"


def _status_kind(a: Grade, b: Grade) -> Kind:
    if "not_applicable" in (a.status, b.status):
        return "applies"
    return "became_gradeable" if a.status == "ungradeable" else "became_ungradeable"


def _score_kind(a: float, b: float) -> Kind:
    if {a, b} != {0.0, 1.0}:
        return "part"
    return "up" if b > a else "down"


def reweighed(first: Rubric, second: Rubric, shared: Alignment) -> frozenset[str]:
    """Keys of the first rubric whose weight, or one above it, is another one among its siblings.

    Siblings that all were scaled alike have kept their weights.
    """
    own = {key for group in shared.twins for key in _of_group(first, second, group, shared)}
    below: set[str] = set()
    for key in first.order:
        if key in own or first.parent(key) in below:
            below.add(key)
    return frozenset(below)


def _of_group(first: Rubric, second: Rubric, group: str, shared: Alignment) -> Iterator[str]:
    stay = [key for key in first.children(group) if key in shared.twins]
    weights = [(first[key].weight, second[shared.twins[key]].weight) for key in stay]
    if not weights or _is_scaled(weights):
        return
    yield from (key for key, (a, b) in zip(stay, weights, strict=True) if a != b)


def _is_scaled(weights: list[tuple[float, float]]) -> bool:
    """Whether every second weight is the first one times the same number above 0."""
    largest = max(a for a, _ in weights), max(b for _, b in weights)
    if 0.0 in largest:
        return largest == (0.0, 0.0)
    return all(abs(a / largest[0] - b / largest[1]) <= _ROUNDING for a, b in weights)


_ROUNDING = 1e-12
