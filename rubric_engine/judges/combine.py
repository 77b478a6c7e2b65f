"""Judges made of judges."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.evidence import Receipt
from rubric_engine.grading import NOBODY_TRIED, Grade, Reason
from rubric_engine.judge import Judge, JudgeCard

PASSED_ON: frozenset[Reason] = frozenset(
    {"needs_model", "refused", "unparseable", "cut_off", "context_overflow"}
)
"""Reasons with which a leaf goes to the next judge; docs/decisions/0013 says why no others."""


class Cascade:
    """The next judge takes the leaves that the last could not grade.

    These are the ones that it was not made to grade, and those for which it got an answer that is
    no grade: refused, unreadable, cut off, longer than the window. Asking it again would give the
    same. What is missing work (`provider_error`, `budget`, ...) stays its own, for a resume asks
    it again; so does what its author has to mend (`rubric_error`), and a limit that a submission
    ran into (`check_limit`), which must not choose its judge.

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
        relay = _Relay({leaf.key: leaf for leaf in leaves})
        try:
            for number, judge in enumerate(self.judges, 1):
                asked = relay.next(last=number == len(self.judges))
                if not asked:
                    break
                async for key, grade in judge.grade(asked, case, sample=sample):
                    if relay.takes(key, grade):
                        yield key, relay.told(key, grade)
        except Exception:
            # A run that stops, or a judge that breaks, must not take these words along.
            for word in relay.failed.items():
                yield word
            raise
        for word in relay.failed.items():
            yield word


@dataclass
class _Relay:
    """Which leaves go on to the next judge.

    Attributes:
        pending: The leaves that the judge under way is asked about.
        failed: The words on leaves that a judge failed to grade, until the next has its say.
    """

    pending: dict[str, Criterion]
    failed: dict[str, Grade] = field(default_factory=dict)
    _said: set[str] = field(default_factory=set)
    _left: set[str] = field(default_factory=set)
    _last: bool = False

    def __post_init__(self) -> None:
        self._left = set(self.pending)

    def next(self, *, last: bool) -> tuple[Criterion, ...]:
        """The leaves for the next judge."""
        self.pending = {key: leaf for key, leaf in self.pending.items() if key in self._left}
        self._said, self._left, self._last = set(), set(), last
        return tuple(self.pending.values())

    def takes(self, key: str, grade: Any) -> bool:
        """Whether a word is for who asked; it is not where the leaf goes to the next judge."""
        if key not in self.pending or not isinstance(grade, Grade):
            return True  # neither a leaf nor a grade: who asked knows what to make of it
        if key in self._said:
            return False
        self._said.add(key)
        if self._last or grade.reason not in PASSED_ON:
            return True
        self._left.add(key)
        if grade.failed:
            self.failed[key] = self.told(key, grade)
        return False

    def told(self, key: str, grade: Any) -> Any:
        """A word, with those of the judges before that failed; one that says nothing is theirs."""
        failed = self.failed.pop(key, None) if isinstance(grade, Grade) else None
        if failed is None:
            return grade
        if grade.reason in NOBODY_TRIED:
            return failed
        said = f"{grade.explanation}\nA judge before it could not grade this: {failed.reason}."
        members = (*(failed.members or (failed,)), grade)
        return grade.model_copy(update={"explanation": said.strip(), "members": members})
