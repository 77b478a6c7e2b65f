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
from rubric_engine.dry_run.planned import Planner, Promised, Record
from rubric_engine.dry_run.requests import RequestPlanner
from rubric_engine.dry_run.together import in_turn, merged, together, with_canaries
from rubric_engine.dry_run.watching import foresee_monitor
from rubric_engine.judge import Judge
from rubric_engine.judges.combine import Cascade, Composite, Panel, Repeat
from rubric_engine.judges.combine.sampling import Series
from rubric_engine.judges.decision import DecisionJudge
from rubric_engine.judges.rules import RulesJudge
from rubric_engine.judges.simple import SimpleJudge
from rubric_engine.ledger import LedgerReader
from rubric_engine.model import ModelConfig
from rubric_engine.settled import settled
from rubric_engine.spending import check_caps, counting, forecast, price_of

__all__ = ["Foresight", "Priced", "Promised", "foresee", "foresee_monitor", "in_turn", "together"]


def foresee(
    candidate: Candidate,
    case: Case,
    *,
    runs: Path,
    spending: Spending = NO_LIMIT,
    standing: Collection[str] = (),
    promised: Promised | None = None,
) -> Foresight:
    """Make every prompt that would be sent, and price those that are not on record.

    Args:
        candidate: The judge, and what it would ask.
        case: What would be graded.
        runs: Folder of the runs, where the ledger lies.
        spending: Whether answers on record are taken, and the caps.
        standing: Leaves that are graded already.
        promised: Calls that gradings before this one would make, so that it finds them on record;
            its own are added.

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
        promised = Promised() if promised is None else promised
        record = Record(ledger, spending, promised)
        priced, _ = _priced(judge, _Left(pending), case, record)
        drawn = canary_case(judge, case, candidate.canaries)
        if drawn is not None:
            beside = Record(ledger, spending, promised)
            tried, _ = _priced(judge, _Left(drawn.leaves), drawn.case, beside)
            priced = [with_canaries(*pair) for pair in zip(priced, tried, strict=True)]
    if isinstance(judge, Composite):
        priced = [replace(each, member_of=judge.card.name) for each in priced]
    unforeseen = list(candidate.models)
    for planned in record.planned.values():
        unforeseen.remove(planned)
    points = fsum(100 * view.worth(key) for key in waiting)
    paid = len(record.paid)
    return Foresight(tuple(priced), paid, len(waiting), points, tuple(unforeseen))


@dataclass(frozen=True)
class _Left:
    """What is left to the next judge at most.

    Attributes:
        leaves: The leaves.
        paid: Whether a judge before it pays, and may leave none of them.
        sample: Number of the repetition.
    """

    leaves: Sequence[Criterion]
    paid: bool = False
    sample: int = 0


def _priced(judge: Judge, left: _Left, case: Case, record: Record) -> tuple[list[Priced], _Left]:
    """What a judge takes, member by member, and what it leaves to the next."""
    if isinstance(judge, Cascade):
        return _one_after_another(judge, left, case, record)
    if isinstance(judge, Panel):
        found = [each for member in judge.judges for each in _priced(member, left, case, record)[0]]
        return found, replace(left, paid=left.paid or bool(found))
    if isinstance(judge, Repeat):
        return _again_and_again(judge, left, case, record)
    if isinstance(judge, SimpleJudge):
        return _of_calls(judge, left, case, record)
    if isinstance(judge, DecisionJudge):
        return _of_requests(judge, left, case, record)
    if isinstance(judge, RulesJudge):
        return [], replace(left, leaves=[leaf for leaf in left.leaves if not leaf.checks])
    # What others leave is not known before; that they leave all is the most it can cost.
    return [], left


def _one_after_another(
    judge: Cascade, left: _Left, case: Case, record: Record
) -> tuple[list[Priced], _Left]:
    found: list[Priced] = []
    for member in judge.judges:
        priced, rest = _priced(member, left, case, record)
        found += priced
        # A grade may be unsure where its judge gives probabilities; which, nobody can tell before.
        sure = judge.unsure is None or isinstance(member, RulesJudge | SimpleJudge)
        left = rest if sure else replace(rest, leaves=left.leaves)
    return found, left


def _again_and_again(
    judge: Repeat, left: _Left, case: Case, record: Record
) -> tuple[list[Priced], _Left]:
    """All samples, at most: one verdict may lead after some, and then the others are not asked."""
    firm = judge.lead if judge.vote == "lead_by" else judge.n
    samples: tuple[list[Priced], list[Priced]] = [], []
    with record.listening() as words:
        leaves = list(left.leaves)
        for number in range(judge.n):
            again = left.sample * judge.n + number
            asked = _Left(leaves, paid=left.paid or number >= firm, sample=again)
            samples[number >= firm].extend(_priced(judge.judges[0], asked, case, record)[0])
            if judge.vote == "lead_by" and isinstance(judge.judges[0], SimpleJudge):
                known = (Series(leaf, words.get(leaf.key, [])) for leaf in leaves)
                leaves = [each.leaf for each in known if each.lead < judge.lead]
    rounds = firm, max(1, judge.n - firm)
    found = [
        each for part, many in zip(samples, rounds, strict=True) for each in merged(part, many)
    ]
    return found, replace(left, paid=left.paid or bool(found))


def _of_requests(
    judge: DecisionJudge, left: _Left, case: Case, record: Record
) -> tuple[list[Priced], _Left]:
    settings = judge.settings
    tariff = price_of(settings.model)
    check_caps(settings.model, tariff, record.spending.max_cost, record.spending.max_tokens)
    address = settings.requests.address(settings.model)
    count = counting(settings.model, record.ledger, address)
    record.planned[id(judge)] = settings.model
    planner = RequestPlanner(case, settings, count, left.sample, left.paid)
    calls = planner.requests(judge.prepare(case), left.leaves, record)
    price = tariff.source if tariff else None
    found = forecast(calls, tariff)
    priced = Priced(judge.card.name, settings.model, price, count.source, found, spare=left.paid)
    leaves = [leaf for leaf in left.leaves if leaf.key not in record.graded]
    return [priced], replace(left, leaves=leaves, paid=True)


def _of_calls(
    judge: SimpleJudge, left: _Left, case: Case, record: Record
) -> tuple[list[Priced], _Left]:
    config = ModelConfig.model_validate(judge.card.settings["model"])
    tariff = price_of(config)
    check_caps(config, tariff, record.spending.max_cost, record.spending.max_tokens)
    count = counting(config, record.ledger)
    record.planned[id(judge)] = config
    planner = Planner(case, config, count, left.sample, left.paid)
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
    return [priced], replace(left, leaves=leaves, paid=True)
