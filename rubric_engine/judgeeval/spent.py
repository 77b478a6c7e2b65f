"""What judging cases has cost so far, and what that leaves of a cap."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rubric_engine.connection import Spending, paid_so_far
from rubric_engine.judgeeval.case_result import CaseResult

Paid = tuple[float, int]
"""Dollars and tokens."""


def spent_on(result: CaseResult, runs: Path | None) -> Paid:
    """Dollars and tokens of all runs of a case; of one that was killed, the ledger knows.

    Args:
        result: How the case stands.
        runs: Folder of the runs and the ledger, or None where none is kept.
    """
    if result.finished and result.paid is not None:
        return result.paid, result.tokens
    dollars, tokens = spent_in(result.run, runs)
    return result.paid_before + dollars, result.tokens_before + tokens


def spent_in(run: str | None, runs: Path | None) -> Paid:
    """Dollars and tokens of one run, as the ledger has them; arguments as `spent_on`."""
    if runs is None or run is None:
        return 0.0, 0
    cost = paid_so_far(runs / run)
    tokens = cost.get("input_tokens", 0) + cost.get("output_tokens", 0)
    return cost.get("usd", 0.0), int(tokens)


def left_of(spending: Spending, spent: Iterable[Paid]) -> Spending:
    """What may still be spent under caps that others have spent from.

    Args:
        spending: What all together may spend.
        spent: What has been spent of it.
    """
    paid = list(spent)
    cost, tokens = spending.max_cost, spending.max_tokens
    if cost is not None:
        left = cost - sum(dollars for dollars, _ in paid)
        cost = max(0.0, math.floor(left * 1e6) / 1e6)  # never above what is left
    if tokens is not None:
        tokens = max(1, tokens - sum(number for _, number in paid))
    return replace(spending, max_cost=cost, max_tokens=tokens)
