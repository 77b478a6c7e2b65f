"""What a run has cost, in words: the sum, what of it is a bound, and what came on top.

The sum is never shown smaller than it is: whatever it lacks, or whatever stands beside it, is said
wherever the sum is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.figures import percent
from rubric_engine.spending.dollars import UNPRICED, show_excess, show_most


@dataclass(frozen=True, slots=True)
class CostWords:
    """What is said of a cost.

    Attributes:
        sum: What was spent.
        counts: Tokens and calls.
        uncounted: What of the sum is a bound and no count; empty where nothing is.
        excess: What was billed above what was reserved; empty where nothing was.
    """

    sum: str
    counts: tuple[str, ...] = ()
    uncounted: str = ""
    excess: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What nobody should read the sum without."""
        return tuple(filter(None, (self.uncounted, self.excess)))


def cost_words(cost: Mapping[str, float]) -> CostWords:
    """Say a cost; "unpriced" where no price is known, never $0.00.

    Args:
        cost: As `Report.cost` holds it.
    """
    replayed = f"{cost.get('replayed', 0):,.0f} replayed"
    if not cost.get("attempts"):
        return CostWords("nothing", (f"0 calls + {replayed}",) if cost.get("replayed") else ())
    read, cached = cost["input_tokens"], cost["cached_tokens"]
    share = percent(cached / read) if read else "0%"
    tokens = f"{read:,.0f} in ({share} cached), {cost['output_tokens']:,.0f} out"
    calls = f"{_counted(cost['calls'], 'call')} + {replayed}"
    excess = ""
    if "excess_tokens" in cost:
        above = show_excess(cost["excess_tokens"], cost.get("excess_usd"))
        excess = f"the server billed {above} above what was reserved"
    return CostWords(dollars(cost), (tokens, calls), _bound(cost), excess)


def uncounted(cost: Mapping[str, float]) -> str:
    """What of a cost is a bound and no count; rounded as the cost is, so never above it."""
    tokens = f"{cost['uncounted_tokens']:,.0f} tokens"
    bound = cost.get("uncounted_usd")
    most = tokens if bound is None else f"{show_most(bound)} ({tokens})"
    requests = _counted(cost["uncounted_attempts"], "request")
    return f"up to {most} for {requests} whose usage is unknown"


def dollars(cost: Mapping[str, float]) -> str:
    """What was spent, rounded up, and how much of it has no price."""
    shown = show_most(cost["usd"]) if "usd" in cost else UNPRICED
    blind = cost.get("unpriced_attempts", 0)
    return (
        f"{shown} and {_counted(blind, 'request')} unpriced" if "usd" in cost and blind else shown
    )


def _bound(cost: Mapping[str, float]) -> str:
    if not cost.get("uncounted_attempts"):
        return ""
    share = "all of it" if cost["uncounted_attempts"] == cost["attempts"] else "of which"
    return f"{share} {uncounted(cost)}"


def _counted(number: float, word: str) -> str:
    return f"{number:,.0f} {word}" if number == 1 else f"{number:,.0f} {word}s"
