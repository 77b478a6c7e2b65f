"""What several runs share that go on side by side: one account, and one limiter an endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.ledger import Spent
    from rubric_engine.models import Limiter
    from rubric_engine.spending import Account


@dataclass(eq=False)
class Together:
    """Lets runs of one event loop spend under one cap, and keep to one pace.

    Attributes:
        account: What all of them spend from.
        limiters: By address of the endpoint.
    """

    account: Account
    limiters: dict[str, Limiter] = field(default_factory=dict)
    _joined: set[str] = field(default_factory=set)

    @classmethod
    def under(
        cls,
        max_cost: float | None,
        max_tokens: int | None,
        earlier: Mapping[str, Spent] | None = None,
    ) -> Together:
        """Begin with what runs have spent before, also those that will not go on.

        Args:
            max_cost: Most dollars of all runs, or None.
            max_tokens: Most tokens of all runs, or None.
            earlier: What each run has spent so far, by its name.
        """
        from rubric_engine.spending import Account

        found = cls(Account(max_cost=max_cost, max_tokens=max_tokens))
        for run, spent in (earlier or {}).items():
            found.join(run, spent)
        return found

    def join(self, run: str, spent: Spent) -> None:
        """Count what a run has spent before; once, however often it joins."""
        if run not in self._joined:
            self._joined.add(run)
            self.account.include(spent)
