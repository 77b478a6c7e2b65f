"""A cascade: the next judge takes what the last could not grade, or was unsure of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.errors import RubricEngineError
from rubric_engine.grading import Grade
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.judges.combine.composite import Composite, Intake, is_word, listening, of_member
from rubric_engine.judges.combine.relay import Relay


class Cascade(Composite):
    """The next judge takes the leaves that the last could not grade, or was unsure of.

    These are the ones that it was not made to grade, those for which it got an answer that is
    no grade (refused, unreadable, cut off, longer than the window, a split panel), and those whose
    probability lies in the band. Asking it again would give the same. What is missing work
    (`provider_error`, `budget`, ...) stays its own, for a resume asks
    it again; so does what its author has to mend (`rubric_error`), and a limit that a submission
    ran into (`check_limit`), which must not choose its judge.

    Where a judge cannot be asked at all, as its key is wrong, the cascade ends as that judge alone
    would; what it was to be asked keeps the unsure grade, and a resume asks.

    Args:
        judges: In the order of asking, the cheapest first.
        card: The card; its fingerprint comes to cover those of the members.
        unsure: Lowest and highest probability, both counted in, of a grade that goes to the next
            judge; None sends on none. A grade without a probability stands.
    """

    def __init__(
        self,
        judges: Sequence[Judge],
        card: JudgeCard,
        unsure: tuple[float, float] | None = None,
    ) -> None:
        super().__init__(judges, card)
        self.unsure = unsure

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`."""
        relay = Relay({leaf.key: leaf for leaf in leaves}, self.unsure, Intake(self.receipts))
        for number, judge in enumerate(self.judges, 1):
            asked = relay.next(last=number == len(self.judges))
            if not asked:
                break
            try:
                async with listening(judge.grade(asked, case, sample=sample)) as words:
                    async for key, said in words:
                        if not is_word(key, said, relay.pending):
                            yield key, said  # who asked knows what to make of it
                        elif (grade := relay.enter(judge, key, said)) is not None:
                            yield key, grade
            except Exception as error:  # noqa: BLE001  # raised again, or its words are entered
                # A run that stops, or a judge that breaks, must not take these words along.
                for pair in relay.broken(judge, error):
                    yield pair
                if relay.is_open or isinstance(error, RubricEngineError):
                    raise of_member(judge, error) from error.__cause__
        for pair in relay.rest():
            yield pair
