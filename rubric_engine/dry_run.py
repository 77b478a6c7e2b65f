"""What a grading would take: every prompt is made, looked up and priced, and none is sent."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from math import fsum
from pathlib import Path
from typing import Any

from rubric_engine.case import Case
from rubric_engine.connection import LEDGER, NO_LIMIT, Spending
from rubric_engine.criterion import Criterion
from rubric_engine.grading import Grade
from rubric_engine.jobs import Job
from rubric_engine.judge import Judge
from rubric_engine.judges.combine import Cascade
from rubric_engine.judges.rules import RulesJudge
from rubric_engine.judges.simple import SimpleJudge
from rubric_engine.judges.simple.ranking import Order
from rubric_engine.ledger import Call, Entry, LedgerReader
from rubric_engine.ledger.keys import canonical, schema_of
from rubric_engine.model import Completion, Message, ModelConfig
from rubric_engine.settled import settled
from rubric_engine.spending import (
    Counting,
    Forecast,
    PlannedCall,
    check_caps,
    counting,
    forecast,
    price_of,
)

RANKING = "ranking files"
"""Stands in the place of a category for calls that rank files."""


@dataclass(frozen=True)
class Priced:
    """What the calls to one model would take.

    Attributes:
        judge: Name of the judge that asks.
        model: The model.
        source: Where its price comes from; None where there is none.
        counted: How its tokens were counted, in words.
        forecast: Calls, tokens and dollars.
        rankings: How many of the calls rank files, before it is known what leaves are shown.
    """

    judge: str
    model: ModelConfig
    source: str | None
    counted: str
    forecast: Forecast
    rankings: int = 0


@dataclass(frozen=True)
class Foresight:
    """What a grading would take.

    Attributes:
        priced: By judge that pays.
        paid: Leaves whose answer is on record; they cost nothing.
        waiting: Leaves that would need a run of `reproduce.sh` which there is not.
        waiting_points: What these are worth, in points of 100.
    """

    priced: tuple[Priced, ...]
    paid: int
    waiting: int
    waiting_points: float

    @property
    def calls(self) -> int:
        """Calls that would be made."""
        return sum(each.forecast.total.calls for each in self.priced)

    @property
    def rankings(self) -> int:
        """Calls among them that rank files; what leaves are shown depends on their answers."""
        return sum(each.rankings for each in self.priced)

    @property
    def low(self) -> float | None:
        """Dollars with answers of a usual length; None where a model has no price."""
        return _sum(each.forecast.total.low for each in self.priced if each.forecast.total.calls)

    @property
    def high(self) -> float | None:
        """Dollars with answers at their limit; None without a price or without a limit."""
        return _sum(each.forecast.total.high for each in self.priced if each.forecast.total.calls)

    @property
    def unpriced(self) -> bool:
        """Whether a model that would be asked has no price."""
        return any(each.source is None and each.forecast.total.calls for each in self.priced)


def foresee(
    judge: Judge,
    case: Case,
    *,
    runs: Path,
    spending: Spending = NO_LIMIT,
    standing: Collection[str] = (),
) -> Foresight:
    """Make every prompt that would be sent, and price those that are not on record.

    Args:
        judge: The judge, as `candidate.load_candidate` gives it.
        case: What would be graded.
        runs: Folder of the runs, where the ledger lies.
        spending: Whether answers on record are taken, and the caps.
        standing: Leaves that are graded already.

    Raises:
        UsageError: A cap could not hold for a model that would be asked.
        PaperError: The paper leaves no room for evidence.
    """
    view = case.task.view
    done = settled(view, case.execution) if getattr(judge, "reads_run", True) else {}
    waiting = [key for key, grade in done.items() if grade.reason == "not_run"]
    pending = [view[key] for key in view.leaves() if key not in done and key not in standing]
    path = runs / LEDGER
    with LedgerReader.open(path) if path.is_file() else nullcontext() as ledger:
        record = _Record(ledger, spending)
        priced = [_priced(each, left, case, record) for each, left in _payers(judge, pending)]
    points = fsum(100 * view.worth(key) for key in waiting)
    return Foresight(tuple(priced), record.paid, len(waiting), points)


def _payers(
    judge: Judge, pending: Sequence[Criterion]
) -> Iterator[tuple[SimpleJudge, Sequence[Criterion]]]:
    """The judges that pay, each with the leaves that are left to it."""
    members = judge.judges if isinstance(judge, Cascade) else (judge,)
    for member in members:
        if isinstance(member, SimpleJudge):
            yield member, pending
            return  # it takes every leaf
        if isinstance(member, RulesJudge):
            pending = [leaf for leaf in pending if not leaf.checks]
        # What others leave is not known before; that they leave all is the most it can cost.


def _priced(judge: SimpleJudge, leaves: Sequence[Criterion], case: Case, record: _Record) -> Priced:
    config = ModelConfig.model_validate(judge.card.settings["model"])
    tariff = price_of(config)
    check_caps(config, tariff, record.spending.max_cost, record.spending.max_tokens)
    count = counting(config, record.ledger)
    planner = _Planner(case, config, count)
    prepared = judge.prepare(case)
    rankings, orders = planner.rankings(prepared.rankings(leaves), record)
    calls = (planner.call(job, record) for job in prepared.jobs(leaves, orders))
    found = forecast((*rankings, *(call for call in calls if call is not None)), tariff)
    price = tariff.source if tariff else None
    return Priced(judge.card.name, config, price, count.source, found, len(rankings))


@dataclass
class _Record:
    """What is on record, and how often it served."""

    ledger: LedgerReader | None
    spending: Spending
    paid: int = 0

    def find(self, call: Call) -> Entry | None:
        """How a call ended, where that would be taken."""
        if self.ledger is None or self.spending.fresh:
            return None
        entry = self.ledger.find(call.key)
        if entry is not None and self.spending.retry_failed and self.ledger.failed(entry):
            return None
        return entry


@dataclass
class _Planner:
    """Makes planned calls of jobs; the tokens of what prompts share are counted once."""

    case: Case
    config: ModelConfig
    count: Counting
    tokens: dict[str, int] = field(default_factory=dict)

    def call(self, job: Job[Grade], record: _Record) -> PlannedCall | None:
        """The call that a job would make; None where its end is on record."""
        asked = self._asked(job, job.render())
        entry = record.find(asked)
        if entry is not None and entry.outcome == "context_overflow" and job.shorten is not None:
            asked = self._asked(job, job.shorten().render())
            entry = record.find(asked)
        if entry is not None:
            record.paid += 1
            return None
        view = self.case.task.view
        return self._planned(asked, view[job.key].task_category or "", 100 * view.worth(job.key))

    def rankings(
        self, jobs: Sequence[Job[Order]], record: _Record
    ) -> tuple[list[PlannedCall], dict[str, Order]]:
        """The calls that would rank files, and the orders that are on record."""
        planned: list[PlannedCall] = []
        orders: dict[str, Order] = {}
        for job in jobs:
            asked = self._asked(job, job.render())
            entry = record.find(asked)
            if entry is None:
                planned.append(self._planned(asked, RANKING, 0.0))
            elif entry.outcome == "answer":
                orders[job.key] = job.parse(Completion(text=entry.text, data=entry.data))
            else:
                orders[job.key] = Order(fault=entry.outcome)
        return planned, orders

    def _asked(self, job: Job[Any], messages: Sequence[Message]) -> Call:
        return Call(self.config.requested, tuple(messages), schema_of(job.schema), 0)

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


def _sum(amounts: Iterator[float | None]) -> float | None:
    known = list(amounts)
    return None if None in known else fsum(each for each in known if each is not None)
