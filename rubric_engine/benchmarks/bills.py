"""What the runs of a benchmark have cost, as the ledger beside them has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from rubric_engine.connection import LEDGER
from rubric_engine.connection.costs import cost_of
from rubric_engine.ledger import LedgerReader, Spent


def names_of(runs: Path, run: str) -> list[str]:
    """The runs whose names begin with that of a run over a benchmark.

    Args:
        runs: Folder of the runs.
        run: Name that all of them begin with.
    """
    return sorted(each.name for each in runs.glob(f"{run}-*") if each.is_dir())


def earlier(runs: Path, names: Iterable[str]) -> dict[str, Spent]:
    """What each of some runs has spent so far."""
    path = runs / LEDGER
    if not path.is_file():
        return {}
    with LedgerReader.open(path) as ledger:
        return {name: ledger.spent(name) for name in names}


def cost(runs: Path, names: Iterable[str]) -> dict[str, float]:
    """Calls, tokens and dollars of some runs together; nothing where none of them asked."""
    path = runs / LEDGER
    total: Counter[str] = Counter()
    if path.is_file():
        with LedgerReader.open(path) as ledger:
            for name in names:
                total.update(cost_of(ledger, name, priced=False, max_cost=None, max_tokens=None))
    return _known(total)


def _known(total: Mapping[str, float]) -> dict[str, float]:
    asked = total.get("attempts", 0) or total.get("calls", 0)
    known = {name: amount for name, amount in total.items() if amount or name == "calls"}
    return known if asked else {}
