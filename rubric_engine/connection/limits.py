"""What a run may spend, and what of the ledger serves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from rubric_engine.connection.together import Together
from rubric_engine.connection.traffic import Traffic


@dataclass(frozen=True)
class Spending:
    """What a run may spend, and how it treats what was paid for earlier.

    Attributes:
        max_cost: Most dollars over all resumes, or None.
        max_tokens: Most tokens over all resumes, or None.
        fresh: Ask again for everything that is older than the run.
        retry_failed: Ask again where an earlier call ended without an answer.
        retry_before: Of these, only what ended before then; None is when the run begins.
        watch: Called once as the run begins with what tells the traffic at any moment; what it
            returns, if anything, is called as the run ends.
        together: What the run shares with others that go on beside it; the caps are its own then.
    """

    max_cost: float | None = None
    max_tokens: int | None = None
    fresh: bool = False
    retry_failed: bool = False
    retry_before: datetime | None = None
    watch: Callable[[Callable[[], Traffic]], Callable[[], None] | None] | None = field(
        default=None, compare=False, repr=False
    )
    together: Together | None = field(default=None, compare=False, repr=False)


NO_LIMIT = Spending()
"""Spend what it takes, and take every earlier answer."""
