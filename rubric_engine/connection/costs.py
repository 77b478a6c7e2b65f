"""What a run has cost, as its ledger has it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rubric_engine.errors import BudgetError
from rubric_engine.ledger import LedgerReader
from rubric_engine.spending.dollars import show_excess

LEDGER = "ledger.sqlite"
"""Name of the ledger, beside the run folders."""


def cost_of(
    ledger: LedgerReader, run: str, *, priced: bool, max_cost: float | None, max_tokens: int | None
) -> dict[str, float]:
    """What a run has spent over all its resumes.

    Args:
        ledger: Where its attempts are billed.
        run: Its name.
        priced: Whether its model has a price, for a run without attempts.
        max_cost: Its cap in dollars; what was billed above a bound counts where a cap is.
        max_tokens: Its cap in tokens, likewise.
    """
    spent = ledger.spent(run)
    known: dict[str, float] = {
        "calls": spent.calls,
        "attempts": spent.attempts,
        "input_tokens": spent.usage.input_tokens,
        "cached_tokens": spent.usage.cached_tokens,
        "output_tokens": spent.usage.output_tokens,
        "unpriced_attempts": spent.unpriced,
        "uncounted_attempts": spent.uncounted,
        "uncounted_tokens": spent.uncounted_tokens,
    }
    if spent.attempts > spent.unpriced or (priced and not spent.attempts):
        known |= {"usd": spent.dollars, "uncounted_usd": spent.uncounted_dollars}
    over = ledger.overbilled(run, by_tokens=max_tokens is not None, by_dollars=max_cost is not None)
    if over.attempts:
        known["excess_tokens"] = over.tokens
        known |= {} if over.dollars is None else {"excess_usd": over.dollars}
    return known


def over_cap(
    cost: Mapping[str, float], *, max_cost: float | None, max_tokens: int | None
) -> BudgetError | None:
    """Tell that a server's bills took a run above its cap, where they did.

    Args:
        cost: What `cost_of` found.
        max_cost: The cap in dollars.
        max_tokens: The cap in tokens.
    """
    if "excess_tokens" not in cost:
        return None
    tokens = cost["input_tokens"] + cost["output_tokens"]
    over_tokens = max_tokens is not None and tokens > max_tokens
    over_cost = max_cost is not None and cost.get("usd", 0.0) > max_cost
    if not over_tokens and not over_cost:
        return None
    more, dollars = cost["excess_tokens"], cost.get("excess_usd")
    # A cap that a resume lowered is passed by what was billed as reserved.
    told = show_excess(more if over_tokens else 0, dollars if over_cost else None)
    return BudgetError(
        f"the run is above its cap: the server billed {told or show_excess(more, dollars)} above"
        " what was reserved",
        code="E602",
        fix=("rubric-engine resume latest --max-cost USD   # under a higher cap",),
    )


def paid_so_far(
    run: Path, *, max_cost: float | None = None, max_tokens: int | None = None
) -> dict[str, float]:
    """What a run that ended without a report has spent; empty where no ledger lies beside it.

    Args:
        run: The run's folder.
        max_cost: Its cap in dollars.
        max_tokens: Its cap in tokens.

    Raises:
        StorageError: The ledger cannot be read.
    """
    whole = run.resolve()
    path = whole.parent / LEDGER
    if not path.is_file():
        return {}
    with LedgerReader.open(path) as ledger:
        return cost_of(ledger, whole.name, priced=False, max_cost=max_cost, max_tokens=max_tokens)
