"""What a model would take that reads an agent's log for the monitor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from rubric_engine.case import Case
from rubric_engine.connection import LEDGER, NO_LIMIT, Spending
from rubric_engine.dry_run.foresight import Priced
from rubric_engine.dry_run.planned import Planner, Record
from rubric_engine.ledger import LedgerReader
from rubric_engine.monitor import Watched
from rubric_engine.monitoring import ModelMonitor
from rubric_engine.spending import PlannedCall, check_caps, counting, forecast, price_of


def foresee_monitor(
    reader: ModelMonitor, watched: Watched, *, runs: Path, spending: Spending = NO_LIMIT
) -> Priced:
    """Make every prompt about a log, and price those that are not on record.

    Args:
        reader: The monitor; it is asked nothing.
        watched: What it would read.
        runs: Folder of the runs, where the ledger lies.
        spending: Whether answers on record are taken, and the caps.

    Raises:
        UsageError: A cap could not hold for its model.
    """
    config, path = reader.settings.model, runs / LEDGER
    tariff = price_of(config)
    check_caps(config, tariff, spending.max_cost, spending.max_tokens)
    with LedgerReader.open(path) if path.is_file() else nullcontext() as ledger:
        count = counting(config, ledger)
        case = Case(watched.task, watched.submission, watched.execution)
        planner, record = Planner(case, config, count), Record(ledger, spending)
        found = forecast(_calls(planner, reader, watched, record), tariff)
    source = tariff.source if tariff else None
    return Priced(reader.card.name or "monitor", config, source, count.source, found)


def _calls(
    planner: Planner, reader: ModelMonitor, watched: Watched, record: Record
) -> Iterator[PlannedCall]:
    for job in reader.jobs(watched):
        call = planner.aside(job, "log", record)
        if call is not None:
            yield call
