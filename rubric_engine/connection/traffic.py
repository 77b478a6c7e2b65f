"""What goes on at one moment: calls in flight, what was replayed, what is spent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.models.retry import Waiting

_READABLE_S = 1.0
"""A shorter wait is over before anybody has read of it."""


@dataclass(frozen=True)
class Traffic:
    """A run's calls at one moment.

    Attributes:
        in_flight: Requests that are out.
        limit: Requests that may be out now; servers that are crowded lower it.
        most: What the limit is where no server is crowded.
        asked: Calls that ended and were asked for in this session; of a decision model, questions.
        replayed: Calls whose end was on record, likewise.
        tokens: Tokens spent over all resumes of the run.
        dollars: Dollars spent over all resumes; None without a price.
        oldest: Seconds that the oldest request has been out; 0 where none is.
        waiting: Of the waits between attempts the one that ends first; None where nobody waits.
        waiters: Calls that wait so.
    """

    in_flight: int = 0
    limit: int = 0
    most: int = 0
    asked: int = 0
    replayed: int = 0
    tokens: int = 0
    dollars: float | None = None
    oldest: float = 0.0
    waiting: Waiting | None = None
    waiters: int = 0


def next_to_end(waits: Iterable[Waiting]) -> tuple[Waiting | None, int]:
    """Of the waits that are worth telling the one that ends first, and their number."""
    told = [wait for wait in waits if wait.seconds >= _READABLE_S]
    return min(told, key=lambda wait: wait.until, default=None), len(told)
