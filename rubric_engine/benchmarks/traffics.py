"""The traffic of several runs that go on side by side, as if it were that of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rubric_engine.connection import Traffic


@dataclass
class Traffics:
    """Adds up what runs tell that share an account and limiters."""

    _each: list[Callable[[], Traffic]] = field(default_factory=list)

    def add(self, traffic: Callable[[], Traffic]) -> None:
        """Take what tells the traffic of one run; for `Spending.watch`."""
        self._each.append(traffic)

    def total(self) -> Traffic:
        """What goes on now in all of them."""
        every = [traffic() for traffic in tuple(self._each)]
        if not every:
            return Traffic()
        # Requests, tokens and dollars are shared already, by all that asked a model.
        told = max(every, key=lambda one: (one.tokens, one.in_flight, one.most))
        waits = [one.waiting for one in every if one.waiting is not None]
        return replace(
            told,
            asked=sum(one.asked for one in every),
            replayed=sum(one.replayed for one in every),
            waiting=min(waits, key=lambda wait: wait.until, default=None),
            waiters=sum(one.waiters for one in every),
        )
