"""Judges made of judges."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import AsyncIterator, Mapping, Sequence

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.evidence import Receipt
from rubric_engine.grading import NOBODY_TRIED, Grade
from rubric_engine.judge import Judge, JudgeCard


class Cascade:
    """The next judge takes the leaves that the last could not grade because it was not made to.

    A leaf that a judge tried and failed keeps its failure: the next judge must not hide it.

    Args:
        judges: In the order of asking, the cheapest first.
        card: The card; its fingerprint comes to cover those of the members.
    """

    def __init__(self, judges: Sequence[Judge], card: JudgeCard) -> None:
        self.judges = tuple(judges)
        members = [judge.card.fingerprint for judge in judges]
        self.card = card.model_copy(update={"member_fingerprints": members})

    @property
    def receipts(self) -> Mapping[str, Receipt]:
        """Receipts of the members' grades, while they grade."""
        return ChainMap(*(getattr(judge, "receipts", {}) for judge in self.judges))

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`."""
        pending = {leaf.key: leaf for leaf in leaves}
        for judge in self.judges[:-1]:
            left = {}
            async for key, grade in judge.grade(tuple(pending.values()), case, sample=sample):
                if grade.reason in NOBODY_TRIED and grade.reason != "not_run":
                    left[key] = pending[key]
                else:
                    yield key, grade
            pending = {key: leaf for key, leaf in pending.items() if key in left}
        async for key, grade in self.judges[-1].grade(tuple(pending.values()), case, sample=sample):
            yield key, grade
