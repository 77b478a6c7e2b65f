"""Which leaves are sampled once more, and what was said of each so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from rubric_engine.criterion import Criterion
from rubric_engine.grading import MISSING_WORK, Grade, Reason
from rubric_engine.judge import Judge
from rubric_engine.judges.combine.composite import Intake, unsaid
from rubric_engine.judges.combine.votes import verdict
from rubric_engine.judges.combine.words import stopped

Result = Callable[[Criterion, Sequence[Grade], Reason | None], Grade]
"""Makes the grade of a leaf's samples; with a reason where asking ended before its time."""


@dataclass
class Series:
    """The samples of one leaf.

    Attributes:
        leaf: The leaf.
        words: What was said, in order.
        told: Whether its grade is given.
    """

    leaf: Criterion
    words: list[Grade] = field(default_factory=list)
    told: bool = False

    @property
    def lead(self) -> int:
        """By how many samples the first verdict is ahead of the second."""
        scores = [word.score for word in self.words if word.score is not None]
        counts = Counter(verdict(self.leaf, score) for score in scores)
        first, second, *_ = [*sorted(counts.values(), reverse=True), 0, 0]
        return first - second


class Sampling:
    """Leaves that are sampled round by round.

    Args:
        leaves: The leaves.
        most: Most samples of a leaf.
        lead: How far one verdict leads where asking stops; None asks for all samples.
        judge: Who is asked.
        intake: Takes what the judge says.
        result: Makes grades.
    """

    def __init__(
        self,
        leaves: Sequence[Criterion],
        most: int,
        lead: int | None,
        judge: Judge,
        intake: Intake,
        result: Result,
    ) -> None:
        self.series = {leaf.key: Series(leaf) for leaf in leaves}
        self._most, self._lead, self._judge = most, lead, judge
        self._intake, self._result = intake, result
        self._pending: set[str] = set()

    def next(self) -> list[Criterion]:
        """The leaves of the next round."""
        asked = [series.leaf for series in self.series.values() if not series.told]
        self._pending = {leaf.key for leaf in asked}
        return asked

    def enter(self, key: str, word: Grade) -> Grade | None:
        """Take the first word of a round on a leaf; gives the leaf's grade where that is known."""
        if key not in self._pending:
            return None
        self._add(key, word)
        # A call without an answer may mean that all are to stop, which its judge says later.
        return self._told(key) if word.reason not in MISSING_WORK and self._is_done(key) else None

    def ended(self) -> Iterator[tuple[str, Grade]]:
        """The round is over."""
        for key in list(self._pending):
            self._add(key, unsaid(None))
        for key, series in self.series.items():
            if not series.told and self._is_done(key):
                yield key, self._told(key)

    def broken(self, error: Exception) -> Iterator[tuple[str, Grade]]:
        """Asking is over before its time: what is not done waits for a resume."""
        word = unsaid(error)
        for key in list(self._pending):
            self._add(key, word)
        for key, series in self.series.items():
            if not series.told:
                yield key, self._told(key, word.reason)

    def _add(self, key: str, word: Grade) -> None:
        self._pending.remove(key)
        self.series[key].words.append(self._intake.take(self._judge, word))

    def _is_done(self, key: str) -> bool:
        series = self.series[key]
        if len(series.words) >= self._most or stopped(series.words) is not None:
            return True
        return self._lead is not None and series.lead >= self._lead

    def _told(self, key: str, reason: Reason | None = None) -> Grade:
        series = self.series[key]
        series.told = True
        return self._result(series.leaf, series.words, reason)
