"""From the batches of a decision judge to planned requests: what is on record is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum

from rubric_engine.batches import Batch
from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.decision import Question
from rubric_engine.dry_run.planned import Record
from rubric_engine.judges.decision.preparation import Inquiry, Preparation
from rubric_engine.judges.decision.settings import DecisionSettings
from rubric_engine.ledger import question_call
from rubric_engine.ledger.decision_entries import requested
from rubric_engine.ledger.keys import content_hash
from rubric_engine.spending import Counting, PlannedCall

TOGETHER = "all together"
"""Stands in the place of a category: a request asks about leaves of all of them."""

_ANSWER_TOKENS = 1
"""Of one answer: it is a number, and no text."""


@dataclass
class RequestPlanner:
    """Makes planned calls of batches; where they are `spare`, as `Planner`."""

    case: Case
    settings: DecisionSettings
    count: Counting
    sample: int = 0
    spare: bool = False

    def requests(
        self, prepared: Preparation, leaves: Sequence[Criterion], record: Record
    ) -> Iterator[PlannedCall]:
        """The requests that would be made about some leaves, whose evidence may be too long."""
        too_long: set[str] = set()
        yield from self._of(prepared.inquiry(leaves), record, too_long)
        again = [leaf for leaf in leaves if leaf.key in too_long]
        if again:
            yield from self._of(prepared.shorter(again), record)

    def _of(
        self, inquiry: Inquiry, record: Record, too_long: set[str] | None = None
    ) -> Iterator[PlannedCall]:
        for batch in inquiry.batches:
            left = [
                each
                for each in batch.questions
                if self._is_owed(batch, each, inquiry.askers[each.key], record, too_long)
            ]
            if left:
                leaves = [leaf for each in left for leaf in inquiry.askers[each.key]]
                yield self._planned(batch, left, leaves)

    def _is_owed(
        self,
        batch: Batch,
        question: Question,
        leaves: Sequence[str],
        record: Record,
        too_long: set[str] | None,
    ) -> bool:
        """Whether a question would be asked: nothing is on record, and no judge before asks it.

        Args:
            batch: The request that it belongs to.
            question: The question.
            leaves: Keys of those that ask it.
            record: What is on record.
            too_long: Takes the leaves of one that is known to go with less evidence alone; None
                where it has no less to go with.
        """
        sent = requested(self.settings.model, self.settings.requests.transport)
        asked = question_call(sent, batch.input, question, self.sample)
        entry = record.find(asked)
        if entry is not None and entry.outcome == "context_overflow" and too_long is not None:
            too_long.update(leaves)
            return False
        if entry is not None:
            for leaf in leaves:
                record.replays(leaf, entry)
            return False
        for leaf in leaves:
            record.owes(leaf)
        return record.promised.is_new(asked, spare=self.spare)

    def _planned(
        self, batch: Batch, questions: Sequence[Question], leaves: Sequence[str]
    ) -> PlannedCall:
        view = self.case.task.view
        shared = tuple(
            (content_hash(message.content), self.count(message.content)) for message in batch.input
        )
        return PlannedCall(
            category=TOGETHER,
            points=fsum(100 * view.worth(leaf) for leaf in leaves),
            shared=shared,
            own_tokens=sum(self.count(_text(each)) for each in questions),
            output_tokens=_ANSWER_TOKENS * len(questions),
            output_limit=self.settings.model.max_output_tokens,
        )


def _text(question: Question) -> str:
    options = (f"{option.label} {option.description}" for option in question.options)
    return "\n".join([question.text, *options])
