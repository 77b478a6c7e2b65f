"""What a run has cost, for a person: the sum, what of it is a bound, and what came on top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rubric_engine.cli.output import counted, percent
from rubric_engine.spending.dollars import UNPRICED, show_excess, show_most


def cost_lines(cost: Mapping[str, float]) -> Iterator[str]:
    """What judges that pay have spent; "unpriced" where no price is known, never $0.00.

    Args:
        cost: As `Report.cost` holds it.
    """
    replayed = f"{cost.get('replayed', 0):,.0f} replayed"
    if not cost.get("attempts"):
        if cost.get("replayed"):
            yield f"cost    nothing   0 calls + {replayed}"
        return
    read, cached = cost["input_tokens"], cost["cached_tokens"]
    share = percent(cached / read) if read else "0%"
    tokens = f"{read:,.0f} in ({share} cached), {cost['output_tokens']:,.0f} out"
    yield f"cost    {dollars(cost)}   {tokens}   {counted(cost['calls'], 'call')} + {replayed}"
    if cost.get("uncounted_attempts"):
        share = "all of it" if cost["uncounted_attempts"] == cost["attempts"] else "of which"
        yield f"        {share} {uncounted(cost)}"
    if "excess_tokens" in cost:
        above = show_excess(cost["excess_tokens"], cost.get("excess_usd"))
        yield f"excess  the server billed {above} above what was reserved"


def uncounted(cost: Mapping[str, float]) -> str:
    """What of a cost is a bound and no count; rounded as the cost is, so never above it."""
    tokens = f"{cost['uncounted_tokens']:,.0f} tokens"
    bound = cost.get("uncounted_usd")
    most = tokens if bound is None else f"{show_most(bound)} ({tokens})"
    requests = counted(cost["uncounted_attempts"], "request")
    return f"up to {most} for {requests} whose usage is unknown"


def dollars(cost: Mapping[str, float]) -> str:
    """What was spent, rounded up, and how much of it has no price."""
    shown = show_most(cost["usd"]) if "usd" in cost else UNPRICED
    blind = cost.get("unpriced_attempts", 0)
    return f"{shown} and {counted(blind, 'request')} unpriced" if "usd" in cost and blind else shown
