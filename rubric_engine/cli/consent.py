"""Before money is spent: the estimate, and the question where it is high."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from rubric_engine.cli.dry_run import amount, call_range
from rubric_engine.cli.output import printable
from rubric_engine.errors import UsageError
from rubric_engine.spending.dollars import show_cap, show_most

if TYPE_CHECKING:
    from rubric_engine.dry_run import Foresight


def estimate(foresight: Foresight) -> str:
    """What a grading would take, in one line."""
    told = [_told(foresight)] if foresight.priced or not foresight.unforeseen else []
    told += [
        printable(f"what {config.name} will be asked nobody can tell before")
        for config in foresight.unforeseen
    ]
    return "; ".join(told)


def _told(foresight: Foresight) -> str:
    totals = [priced.forecast.total for priced in foresight.priced]
    read = sum(total.input_tokens for total in totals)
    written = sum(total.output_tokens for total in totals)
    dollars = amount(foresight.low, foresight.high)
    paid = f" + {foresight.paid:,} on record" if foresight.paid else ""
    calls = call_range(foresight.least_calls, foresight.calls)
    most = "up to " if foresight.least_calls != foresight.calls else ""
    return f"{calls}{paid}   {most}~{_short(read)} tokens in, ~{_short(written)} out   {dollars}"


def ask(foresight: Foresight, *, above: float | None, silent: bool) -> None:
    """Say what a grading may cost, and get a person's word where nobody has given it.

    Args:
        foresight: What it would take.
        above: Dollars from which on a word is needed; None where it was given.
        silent: Say nothing but the question.

    Raises:
        UsageError: As `consent`.
    """
    from rubric_engine.cli.output import note

    if not silent:
        note(f"{'estimate':11} {estimate(foresight)}")
    if above is not None:
        consent(foresight, above=above)


def ask_where_priced(
    foresee: Callable[[], Foresight], *, above: float | None, silent: bool
) -> None:
    """As `ask`, where a model would be asked at all; nothing is foreseen where nobody would know.

    Args:
        foresee: What it would take.
        above: Dollars from which on a word is needed; None where it was given.
        silent: Say nothing but the question.

    Raises:
        UsageError: As `consent`.
    """
    if silent and above is None:
        return
    foresight = foresee()
    if foresight.priced:
        ask(foresight, above=above, silent=silent)


def consent(foresight: Foresight, *, above: float) -> None:
    """Get a person's word where a grading may cost more than `above` dollars.

    A model without a price asks nothing: its cost is printed as unknown. One with a price that a
    judge of other people's asks may cost an amount that nothing limits.

    Raises:
        UsageError: Nobody is there to be asked, or the answer was no.
    """
    high = foresight.at_risk
    if high is not None and high <= above:
        return
    most = "an amount that nothing limits" if high is None else show_most(high)
    if not is_asked():
        raise UsageError(
            f"this may cost up to {most}, more than --confirm-above {show_cap(above)}",
            code="E003",
            fix=["--max-cost DOLLARS   caps it", "--yes   spends it"],
        )
    if not says_yes(f"Spend up to {most}? [y/N] "):
        raise UsageError("you did not say yes, so nothing was sent", code="E004")


def is_asked() -> bool:
    """Whether somebody is there to be asked."""
    return _is_terminal(sys.stdin) and _is_terminal(sys.stderr)


def says_yes(question: str) -> bool:
    """Ask on the terminal; whatever is no yes is a no."""
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _is_terminal(stream: object) -> bool:
    isatty = getattr(stream, "isatty", None)
    return callable(isatty) and bool(isatty())


def _short(tokens: int) -> str:
    """A number of tokens in three digits."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if tokens >= size:
            return f"{tokens / size:.3g}{letter}"
    return str(tokens)
