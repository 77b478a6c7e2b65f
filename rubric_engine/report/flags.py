"""What makes a reader distrust a verdict: the flags of a leaf, as bits of one number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from rubric_engine.evidence.holdings import NO_ROOM
from rubric_engine.grading import MET_FROM, Citation, Grade
from rubric_engine.labels import Label

FAILED = 1
CONTEXT_CUT = 2
NOT_VERIFIED = 4
SPLIT = 8
UNSURE = 16
DIFFERS = 32
CANARY = 64
INJECTION = 128

SURE = (0.2, 0.8)
"""Probabilities outside of which a verdict counts as sure, where its judge says nothing else."""


@dataclass(frozen=True)
class Doubts:
    """What is known of a run that makes single verdicts doubtful.

    Attributes:
        receipts: What judges were not shown, by hash.
        unsure: Lowest and highest probability of a verdict that is unsure.
        canary_hit: Whether the judge called a canary met.
        suspects: Files that speak to a judge.
    """

    receipts: Mapping[str, Mapping[str, Any]]
    unsure: tuple[float, float] | None = None
    canary_hit: bool = False
    suspects: frozenset[str] = frozenset()

    def flags(self, grade: Grade | None, label: Label | None) -> int:
        """The flags of a leaf by its grade and by a human's label, where there are any."""
        if grade is None:
            return CANARY * self.canary_hit
        places = list(cited(grade))
        return (
            FAILED * grade.failed
            | CONTEXT_CUT * self._was_cut(grade)
            | NOT_VERIFIED * any(place.verified in ("moved", "not_found") for place in places)
            | SPLIT * is_split(grade)
            | UNSURE * self._is_unsure(grade)
            | DIFFERS * differs(grade, label)
            | CANARY * self.canary_hit
            | INJECTION * any(place.path in self.suspects for place in places)
        )

    def _was_cut(self, grade: Grade) -> bool:
        """Whether a judge was not shown all that it may see, for want of room."""
        named = (part.receipt for part in grade.parts() if part.receipt is not None)
        return grade.reason == "context_overflow" or any(map(self._cut.get, named))

    @cached_property
    def _cut(self) -> dict[str, bool]:
        return {sha256: _is_cut(receipt) for sha256, receipt in self.receipts.items()}

    def _is_unsure(self, grade: Grade) -> bool:
        if self.unsure is None or grade.probability is None:
            return False
        return self.unsure[0] <= grade.probability <= self.unsure[1]


def cited(grade: Grade) -> Iterator[Citation]:
    """Every place that a grade, its checks and the judges in it cite."""
    for part in grade.parts():
        yield from part.citations
        yield from chain.from_iterable(check.citations for check in part.checks)


def is_split(grade: Grade) -> bool:
    """Whether judges, or samples of one, say different things of a leaf."""
    said = [*grade.samples, *(part.score for part in grade.members if part.score is not None)]
    return grade.reason == "split" or len({score >= MET_FROM for score in said}) > 1


def differs(grade: Grade, label: Label | None) -> bool:
    """Whether a human says another verdict; False where either gives none."""
    if label is None or label.value is None or grade.score is None:
        return False
    return (label.value >= MET_FROM) != (grade.score >= MET_FROM)


def _is_cut(receipt: Mapping[str, Any]) -> bool:
    left_out = receipt.get("left_out") or ()
    return bool(receipt.get("cut")) or any(each.get("why") == NO_ROOM for each in left_out)
