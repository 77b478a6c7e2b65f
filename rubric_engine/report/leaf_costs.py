"""What it costs a judge to grade each leaf, out of the ledger."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from rubric_engine.connection import LEDGER
from rubric_engine.ledger import LedgerReader
from rubric_engine.result import Report


def prices_of(report: Report, runs: Path | None) -> dict[str, float | None]:
    """What the calls behind a report's grades cost, by leaf, whoever paid for them first.

    Args:
        report: The report.
        runs: Folder of its run and of the ledger; None where nothing was kept.

    Returns:
        Dollars by leaf; None where a part is unknown, and no leaf where nothing is.
    """
    asked = {key: grade.calls for key, grade in report.grades.items()}
    if costs_nothing(report):
        return dict.fromkeys(asked, 0.0)
    if runs is None or report.run is None:
        return {}
    with LedgerReader.open(runs / LEDGER) as ledger:
        prices = ledger.prices(Path(report.run).name)
    return leaf_prices(asked, prices)


def costs_nothing(report: Report) -> bool:
    """Whether no model was asked for any grade, so that none has a price to be looked up."""
    asked = any(part.calls for grade in report.grades.values() for part in grade.parts())
    return not asked and not report.cost.keys() & {"attempts", "replayed"}


def leaf_prices(
    asked: Mapping[str, tuple[str, ...]], prices: Mapping[str, float | None]
) -> dict[str, float | None]:
    """Spread what calls cost over leaves.

    Args:
        asked: Calls by leaf; one that several leaves name is shared by them.
        prices: Dollars by call; None where unknown. Calls that no leaf names are shared by all.

    Returns:
        Dollars by leaf; None where a part is unknown.
    """
    named = Counter(call for calls in asked.values() for call in calls)
    rest = [price for call, price in prices.items() if call not in named]
    return {
        key: _sum(
            [
                *(_part(prices.get(call), named[call]) for call in calls),
                *(_part(price, len(asked)) for price in rest),
            ]
        )
        for key, calls in asked.items()
    }


def _part(price: float | None, by: int) -> float | None:
    return None if price is None else price / by


def _sum(prices: list[float | None]) -> float | None:
    return None if None in prices else math.fsum(price for price in prices if price is not None)
