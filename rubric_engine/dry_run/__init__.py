"""What a grading would take: every prompt is made, looked up and priced, and none is sent."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from math import fsum
from pathlib import Path

from rubric_engine.canary_case import canary_case
from rubric_engine.candidate import Candidate
from rubric_engine.case import Case
from rubric_engine.connection import LEDGER, NO_LIMIT, Spending
from rubric_engine.criterion import Criterion
from rubric_engine.dry_run.foresight import Foresight, Priced
from rubric_engine.dry_run.planned import Planner, Record
from rubric_engine.dry_run.requests import RequestPlanner
from rubric_engine.dry_run.together import together, with_canaries
from rubric_engine.judge import Judge
from rubric_engine.judges.combine import Cascade
from rubric_engine.judges.decision import DecisionJudge
from rubric_engine.judges.rules import RulesJudge
from rubric_engine.judges.simple import SimpleJudge
from rubric_engine.ledger import LedgerReader
from rubric_engine.model import ModelConfig
from rubric_engine.settled import settled
from rubric_engine.spending import check_caps, counting, forecast, price_of

__all__ = ["Foresight", "Priced", "foresee", "together"]


def foresee(
    candidate: Candidate,
    case: Case,
    *,
    runs: Path,
    spending: Spending = NO_LIMIT,
    standing: Collection[str] = (),
) -> Foresight:
    """Make every prompt that would be sent, and price those that are not on record.

    Args:
        candidate: The judge, and what it would ask.
        case: What would be graded.
        runs: Folder of the runs, where the ledger lies.
        spending: Whether answers on record are taken, and the caps.
        standing: Leaves that are graded already.

    Raises:
        UsageError: A cap could not hold for a model that would be asked.
        PaperError: The paper leaves no room for evidence.
    """
    view, judge = case.task.view, candidate.judge
    done = settled(view, case.execution) if getattr(judge, "reads_run", True) else {}
    waiting = [key for key, grade in done.items() if grade.reason == "not_run"]
    pending = [view[key] for key in view.leaves() if key not in done and key not in standing]
    path = runs / LEDGER
    with LedgerReader.open(path) if path.is_file() else nullcontext() as ledger:
        record = Record(ledger, spending)
        priced, _ = _priced(judge, _Left(pending), case, record)
        drawn = canary_case(judge, case, candidate.canaries)
        if drawn is not None:
            tried, _ = _priced(judge, _Left(drawn.leaves), drawn.case, Record(ledger, spending))
            priced = [with_canaries(*pair) for pair in zip(priced, tried, strict=True)]
    unforeseen = list(candidate.models)
    for each in priced:
        unforeseen.remove(each.model)
    points = fsum(100 * view.worth(key) for key in waiting)
    paid = len(record.paid)
    return Foresight(tuple(priced), paid, len(waiting), points, tuple(unforeseen))


@dataclass(frozen=True)
class _Left:
    """What is left to the next judge at most.

    Attributes:
        leaves: The leaves.
        paid: Whether a judge before it pays, and may leave none of them.
    """

    leaves: Sequence[Criterion]
    paid: bool = False


def _priced(judge: Judge, left: _Left, case: Case, record: Record) -> tuple[list[Priced], _Left]:
    """What a judge takes, member by member, and what it leaves to the next."""
    if isinstance(judge, Cascade):
        found: list[Priced] = []
        for member in judge.judges:
            priced, left = _priced(member, left, case, record)
            found += priced
        return found, left
    if isinstance(judge, SimpleJudge):
        return _of_calls(judge, left, case, record)
    if isinstance(judge, DecisionJudge):
        return _of_requests(judge, left, case, record)
    if isinstance(judge, RulesJudge):
        return [], replace(left, leaves=[leaf for leaf in left.leaves if not leaf.checks])
    # What others leave is not known before; that they leave all is the most it can cost.
    return [], left


def _of_requests(
    judge: DecisionJudge, left: _Left, case: Case, record: Record
) -> tuple[list[Priced], _Left]:
    settings = judge.settings
    tariff = price_of(settings.model)
    check_caps(settings.model, tariff, record.spending.max_cost, record.spending.max_tokens)
    address = settings.requests.address(settings.model)
    count = counting(settings.model, record.ledger, address)
    planner = RequestPlanner(case, settings, count)
    calls = planner.requests(judge.prepare(case).inquiry(left.leaves), record)
    price = tariff.source if tariff else None
    found = forecast(calls, tariff)
    priced = Priced(judge.card.name, settings.model, price, count.source, found, spare=left.paid)
    leaves = [leaf for leaf in left.leaves if leaf.key not in record.graded]
    return [priced], _Left(leaves, paid=True)


def _of_calls(
    judge: SimpleJudge, left: _Left, case: Case, record: Record
) -> tuple[list[Priced], _Left]:
    config = ModelConfig.model_validate(judge.card.settings["model"])
    tariff = price_of(config)
    check_caps(config, tariff, record.spending.max_cost, record.spending.max_tokens)
    count = counting(config, record.ledger)
    planner = Planner(case, config, count)
    prepared = judge.prepare(case)
    rankings, orders = planner.rankings(prepared.rankings(left.leaves), record)
    calls = (planner.call(job, record) for job in prepared.jobs(left.leaves, orders))
    found = forecast((*rankings, *(call for call in calls if call is not None)), tariff)
    price = tariff.source if tariff else None
    priced = Priced(
        judge.card.name, config, price, count.source, found, len(rankings), spare=left.paid
    )
    # An answer on record is a grade; of a call that is still to be made it is not known.
    leaves = [leaf for leaf in left.leaves if leaf.key not in record.graded]
    return [priced], _Left(leaves, paid=True)
