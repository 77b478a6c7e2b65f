"""One judge asked several times about every leaf, and one grade of its samples."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Sequence
from typing import Literal

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.grading import MET_FROM, Grade, Reason
from rubric_engine.judge import Judge, JudgeCard
from rubric_engine.judges.combine.composite import (
    Composite,
    Intake,
    ends_run,
    is_word,
    joined,
    listening,
)
from rubric_engine.judges.combine.panel import citations_of
from rubric_engine.judges.combine.sampling import Sampling
from rubric_engine.judges.combine.votes import VOTES, pooled, sd_of_mean, verdict
from rubric_engine.judges.combine.words import in_short, stopped, why_none, why_undecided

RepeatVote = Literal["majority", "mean", "lead_by"]


class Repeat(Composite):
    """Asks one judge several times; sample `i` of its own repetition `s` is sample `s * n + i`.

    A sample that is no grade is no vote. Where the provider or a cap ends the asking, leaves with
    samples still to come stay open: there is nobody else to ask, and a resume goes on.

    Args:
        judge: The judge.
        card: The card; its fingerprint comes to cover the judge's.
        n: How many samples; with ``lead_by`` the most.
        vote: ``majority``: the verdict of more than half of the samples; ``mean``: the mean of
            their scores; ``lead_by``: as ``majority``, but asking stops about a leaf where one
            verdict leads by `lead` samples (Wald's sequential test, 1945).
        lead: How far it leads.
    """

    def __init__(
        self,
        judge: Judge,
        card: JudgeCard,
        n: int,
        vote: RepeatVote = "majority",
        lead: int = 2,
    ) -> None:
        super().__init__([judge], card)
        self.n, self.vote, self.lead = n, vote, lead

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`."""
        (judge,) = self.judges
        lead = self.lead if self.vote == "lead_by" else None
        sampling = Sampling(leaves, self.n, lead, judge, Intake(self.receipts), self.result)
        for number in range(self.n):
            asked = sampling.next()
            if not asked:
                break
            try:
                asking = judge.grade(asked, case, sample=sample * self.n + number)
                async with listening(asking) as words:
                    async for key, said in words:
                        if not is_word(key, said, sampling.series):
                            yield key, said  # who asked knows what to make of it
                        elif (grade := sampling.enter(key, said)) is not None:
                            yield key, grade
            except Exception as error:
                for pair in () if ends_run(error) else sampling.broken(error):
                    yield pair
                raise
            for pair in sampling.ended():
                yield pair

    def result(self, leaf: Criterion, words: Sequence[Grade], ended: Reason | None = None) -> Grade:
        """The grade that comes of samples.

        Args:
            leaf: The leaf.
            words: What was said each time.
            ended: Why asking ended before its time, if it did.
        """
        votes = [word for word in words if word.score is not None]
        said = f"samples: {', '.join(map(in_short, words))}"
        if (reason := stopped(words) or ended) is not None:
            found = Grade.ungradeable(reason, said)
        elif votes:
            found = self._graded(leaf, votes, said) or Grade.ungradeable(why_undecided(words), said)
        elif all(word.status == "not_applicable" for word in words):
            found = Grade.not_applicable(said)
        else:
            found = Grade.ungradeable(why_none(words), said)
        samples = tuple(word.score for word in votes)
        return joined(found.model_copy(update={"samples": samples}), words)

    def _graded(self, leaf: Criterion, votes: Sequence[Grade], said: str) -> Grade | None:
        scores = [(word.score or 0.0, 1.0) for word in votes]
        adaptive = self.vote == "lead_by"
        score = VOTES["majority" if adaptive else self.vote](leaf, scores)
        if score is None:
            return None
        step = verdict(leaf, score)
        agree = [word for word in votes if verdict(leaf, word.score or 0.0) == step]
        return Grade.graded(
            score,
            "\n".join([said, *(word.explanation for word in agree[:1])]).strip(),
            citations_of(agree),
            probability=None if adaptive else _probability(votes),
            sd=sd_of_mean(votes) if self.vote == "mean" else None,
            receipt=next((word.receipt for word in agree if word.receipt is not None), None),
        )


def _probability(votes: Sequence[Grade]) -> float:
    """The judge's own mean probability, or the share of samples that call the leaf met.

    Only of a fixed number of samples: where asking stopped at a lead, the share is biased towards
    0 and 1, and nothing better than the verdict is known.
    """
    own = pooled(votes)
    if own is not None:
        return own
    return math.fsum((word.score or 0.0) >= MET_FROM for word in votes) / len(votes)
