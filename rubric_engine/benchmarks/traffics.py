"""The traffic of several runs that go on side by side, as if it were that of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rubric_engine.connection import Traffic


@dataclass
class Traffics:
    """Adds up what runs tell that share an account and limiters.

    Of a run that has ended only its figures are kept.
    """

    _going: list[Callable[[], Traffic]] = field(default_factory=list)
    _ended: Traffic = field(default_factory=Traffic)

    def add(self, traffic: Callable[[], Traffic]) -> Callable[[], None]:
        """Take what tells the traffic of one run; for `Spending.watch`.

        Returns:
            To be called as the run ends.
        """
        self._going.append(traffic)

        def end() -> None:
            # What is out or waits when a run ends is out no more.
            left = replace(traffic(), in_flight=0, oldest=0.0, waiting=None, waiters=0)
            self._ended = _added([self._ended, left])
            self._going.remove(traffic)

        return end

    def total(self) -> Traffic:
        """What goes on now in all of them."""
        return _added([self._ended, *(traffic() for traffic in tuple(self._going))])


def _added(every: list[Traffic]) -> Traffic:
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
