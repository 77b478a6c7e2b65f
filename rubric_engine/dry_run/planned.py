"""From the jobs of a judge to planned calls: each is looked up, and measured if it is not paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rubric_engine.case import Case
from rubric_engine.connection import Spending
from rubric_engine.grading import Grade
from rubric_engine.jobs import Job
from rubric_engine.judges.simple.ranking import Order
from rubric_engine.ledger import Call, Entry, LedgerReader
from rubric_engine.ledger.keys import canonical, schema_of
from rubric_engine.model import Completion, Message, ModelConfig
from rubric_engine.spending import Counting, PlannedCall

RANKING = "ranking files"
"""Stands in the place of a category for calls that rank files."""


@dataclass
class Promised:
    """Calls that are to be made: the very same call of two judges is paid for once."""

    _surely: set[str] = field(default_factory=set)
    _maybe: set[str] = field(default_factory=set)

    def is_new(self, call: Call, *, spare: bool) -> bool:
        """Whether no judge before makes a call; that one may make it promises nothing sure.

        Args:
            call: The call.
            spare: Whether it may not be made, as judges before may leave nothing to ask.
        """
        known = call.key in self._surely or (spare and call.key in self._maybe)
        (self._maybe if spare else self._surely).add(call.key)
        return not known


@dataclass
class Record:
    """What is on record, and which leaves it served.

    Attributes:
        promised: Calls that are to be made.
        graded: Leaves with an answer on record, and not one that is no grade.
        planned: The model of each judge whose calls were planned, by the judge's `id`.
    """

    ledger: LedgerReader | None
    spending: Spending
    promised: Promised = field(default_factory=Promised)
    graded: set[str] = field(default_factory=set)
    planned: dict[int, ModelConfig] = field(default_factory=dict)
    _words: dict[str, list[Grade]] = field(default_factory=dict)
    _replayed: set[str] = field(default_factory=set)
    _owed: set[str] = field(default_factory=set)

    @property
    def paid(self) -> frozenset[str]:
        """Leaves that nothing is to be paid for, as all calls about them are on record."""
        return frozenset(self._replayed - self._owed)

    def replays(self, leaf: str, entry: Entry) -> bool:
        """A call about a leaf is on record; tells whether it got an answer."""
        self._replayed.add(leaf)
        if entry.outcome == "answer":
            self.graded.add(leaf)
        return entry.outcome == "answer"

    def hears(self, leaf: str, word: Grade) -> None:
        """An answer on record says this of a leaf."""
        self._words.setdefault(leaf, []).append(word)

    @contextmanager
    def listening(self) -> Iterator[dict[str, list[Grade]]]:
        """The grades that are on record, by leaf, as far as they are come upon meanwhile."""
        before, self._words = self._words, {}
        yield self._words
        self._words = before

    def owes(self, leaf: str) -> None:
        """A call about a leaf is to be made."""
        self._owed.add(leaf)

    def find(self, call: Call) -> Entry | None:
        """How a call ended, where that would be taken."""
        if self.ledger is None or self.spending.fresh:
            return None
        entry = self.ledger.find(call.key)
        if entry is not None and self.spending.retry_failed and self.ledger.failed(entry):
            return None
        return entry


@dataclass
class Planner:
    """Makes planned calls of jobs; the tokens of what prompts share are counted once.

    Where they are `spare`, judges before may leave nothing to ask.
    """

    case: Case
    config: ModelConfig
    count: Counting
    sample: int = 0
    spare: bool = False
    tokens: dict[str, int] = field(default_factory=dict)

    def call(self, job: Job[Grade], record: Record) -> PlannedCall | None:
        """The call that a job would make; None where its end is on record."""
        asked = self._asked(job, job.render(), self.sample)
        entry = record.find(asked)
        if entry is not None and entry.outcome == "context_overflow" and job.shorten is not None:
            asked = self._asked(job, job.shorten().render(), self.sample)
            entry = record.find(asked)
        if entry is not None:
            if record.replays(job.key, entry):
                record.hears(job.key, job.parse(Completion(text=entry.text, data=entry.data)))
            return None
        record.owes(job.key)
        if not record.promised.is_new(asked, spare=self.spare):
            return None
        view = self.case.task.view
        return self._planned(asked, view[job.key].task_category or "", 100 * view.worth(job.key))

    def aside(self, job: Job[Any], name: str, record: Record) -> PlannedCall | None:
        """The call of a job that is about no leaf; None where its end is on record.

        Args:
            job: The job.
            name: What stands in the place of a category.
            record: What is on record.
        """
        asked = self._asked(job, job.render(), self.sample)
        if record.find(asked) is not None or not record.promised.is_new(asked, spare=False):
            return None
        return self._planned(asked, name, 0.0)

    def rankings(
        self, jobs: Sequence[Job[Order]], record: Record
    ) -> tuple[list[PlannedCall], dict[str, Order]]:
        """The calls that would rank files, and the orders that are on record."""
        planned: list[PlannedCall] = []
        orders: dict[str, Order] = {}
        for job in jobs:
            asked = self._asked(job, job.render())
            entry = record.find(asked)
            if entry is None:
                if record.promised.is_new(asked, spare=self.spare):
                    planned.append(self._planned(asked, RANKING, 0.0))
            elif entry.outcome == "answer":
                orders[job.key] = job.parse(Completion(text=entry.text, data=entry.data))
            else:
                orders[job.key] = Order(fault=entry.outcome)
        return planned, orders

    def _asked(self, job: Job[Any], messages: Sequence[Message], sample: int = 0) -> Call:
        return Call(self.config.requested, tuple(messages), schema_of(job.schema), sample)

    def _planned(self, call: Call, category: str, points: float) -> PlannedCall:
        sized = zip(call.messages[:-1], call.parts, strict=False)
        shared = tuple((sha, self._size(sha, message.content)) for message, (_, sha) in sized)
        own = self.count(call.messages[-1].content) + self.count(canonical(call.schema))
        return PlannedCall(
            category=category,
            points=points,
            shared=shared,
            own_tokens=own,
            output_tokens=self.count.answer_tokens,
            output_limit=self.config.max_output_tokens,
        )

    def _size(self, sha256: str, text: str) -> int:
        if sha256 not in self.tokens:
            self.tokens[sha256] = self.count(text)
        return self.tokens[sha256]
