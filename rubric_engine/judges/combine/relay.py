"""Which leaves of a cascade go on to the next judge, and what becomes of the words before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rubric_engine.criterion import Criterion
from rubric_engine.grading import MISSING_WORK, NOBODY_TRIED, Grade, Reason
from rubric_engine.judge import Judge
from rubric_engine.judges.combine.composite import Intake, joined, unsaid
from rubric_engine.judges.combine.words import in_short, stopped

PASSED_ON: frozenset[Reason] = frozenset(
    {"needs_model", "refused", "unparseable", "cut_off", "context_overflow", "split"}
)
"""Reasons with which a leaf goes to the next judge; docs/decisions/0013 says why no others."""


@dataclass
class Relay:
    """The leaves on their way from judge to judge.

    Attributes:
        pending: The leaves that the judge under way is asked about.
        unsure: Lowest and highest probability of a grade that goes on; None sends on none.
        intake: Takes what members say.
        is_open: Whether a leaf is left that a resume may still get a grade for.
    """

    pending: dict[str, Criterion]
    unsure: tuple[float, float] | None
    intake: Intake
    is_open: bool = False
    _before: dict[str, list[Grade]] = field(default_factory=dict)
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

    def enter(self, judge: Judge, key: str, word: Grade) -> Grade | None:
        """Take a judge's first word on a leaf; None where the leaf goes to the next judge."""
        if key in self._said:
            return None
        self._said.add(key)
        taken = self.intake.take(judge, word)
        if self._last or not self._goes_on(word):
            return self._settled(key, taken) if key in self._before else self._noted(word)
        self._left.add(key)
        if word.reason not in NOBODY_TRIED:
            self._before.setdefault(key, []).append(taken)
        return None

    def broken(self, judge: Judge, error: Exception) -> Iterator[tuple[str, Grade]]:
        """Words on leaves that a judge, or those before it, spoke of when it broke."""
        word = self.intake.take(judge, unsaid(error))
        for key in self.pending:
            if key in self._left:
                self.is_open = True
                if any(grade.score is not None for grade in self._before.get(key, ())):
                    # The next judge was to be asked, and a resume asks it.
                    yield key, joined(word, [*self._before.pop(key), word])
                elif key not in self._before:
                    yield key, word
            elif key in self._said:
                continue
            elif key in self._before:
                yield key, self._settled(key, word)
            else:
                self.is_open = True
        yield from self.rest()

    def rest(self) -> Iterator[tuple[str, Grade]]:
        """Words on leaves of which the last judge that was asked said nothing."""
        for key in list(self._before):
            yield key, self._settled(key, None)

    def _goes_on(self, word: Grade) -> bool:
        if word.reason in PASSED_ON:
            return True
        if self.unsure is None or word.probability is None or word.score is None:
            return False
        return self.unsure[0] <= word.probability <= self.unsure[1]

    def _settled(self, key: str, word: Grade | None) -> Grade:
        return self._noted(_result(self._before.pop(key), word))

    def _noted(self, grade: Grade) -> Grade:
        self.is_open |= grade.reason in MISSING_WORK
        return grade


def _result(before: Sequence[Grade], word: Grade | None) -> Grade:
    """The grade of a leaf that went from judge to judge.

    The last grade stands, also where a later judge failed: one member's failure is not the leaf's.
    Where the run was stopped before a later judge had its say, the leaf waits for a resume.

    Args:
        before: What was said before, in order: failures, and grades that were unsure.
        word: The last judge's word; None where it said nothing.
    """
    words = [*before] if word is None or word.reason in NOBODY_TRIED else [*before, word]
    if len(words) == 1:
        return words[0].model_copy(update={"judge": None})
    grades = [at for at, each in enumerate(words) if each.reason is None]
    at = grades[-1] if grades and not stopped(words) else len(words) - 1
    said = [words[at].explanation, *(_told(each, later=False) for each in words[:at])]
    said += [_told(each, later=True) for each in words[at + 1 :]]
    return joined(words[at].model_copy(update={"explanation": "\n".join(said).strip()}), words)


def _told(grade: Grade, *, later: bool) -> str:
    """What another judge of the cascade said, in words."""
    where = "after" if later else "before"
    if grade.reason is not None:
        return f"A judge {where} it could not grade this: {grade.reason}."
    sure = "" if grade.probability is None else f" with probability {grade.probability:.3g}"
    return f"A judge {where} it was unsure: {in_short(grade)}{sure}."
