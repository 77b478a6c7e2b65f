"""Makes the clients of one run: they spend from one account, and each endpoint has one limit."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from rubric_engine.connection.bills import Bills
from rubric_engine.connection.together import Together
from rubric_engine.decision import RequestLimits
from rubric_engine.ledger import Ledger
from rubric_engine.model import ModelConfig

if TYPE_CHECKING:
    from rubric_engine.models import DecisionClient, Limiter, Line, OpenAIChat
    from rubric_engine.models.retry import Waiting


class Clients:
    """The clients of one run.

    Args:
        run: Name of the run that pays.
        ledger: Where attempts are billed.
        max_cost: Most dollars of the run, or None.
        max_tokens: Most tokens of the run, or None.
        together: What it shares with other runs, in place of an account and limiters of its own.

    Attributes:
        account: What all of them spend from.
        priced: Whether any of their models has a price.
    """

    def __init__(
        self,
        run: str,
        ledger: Ledger,
        max_cost: float | None,
        max_tokens: int | None,
        together: Together | None = None,
    ) -> None:
        from rubric_engine.spending import Account

        self._run = run
        self._ledger = ledger
        self._lines: list[Line] = []
        spent = ledger.spent(run)
        if together is None:
            together = Together(Account(max_cost=max_cost, max_tokens=max_tokens))
        together.join(run, spent)
        self._limiters = together.limiters
        self.account = together.account
        self.priced = False

    def chat(self, config: ModelConfig) -> OpenAIChat:
        """A client of a chat model."""
        from rubric_engine.models import OpenAIChat

        client = OpenAIChat(config, **self._shared(config, config.base_url))
        self._lines.append(client)
        return client

    def decisions(self, config: ModelConfig, limits: RequestLimits) -> DecisionClient:
        """A client of a decision model."""
        from rubric_engine.models import DecisionClient

        client = DecisionClient(config, limits, **self._shared(config, limits.address(config)))
        self._lines.append(client)
        return client

    def _shared(self, config: ModelConfig, endpoint: str) -> dict[str, Any]:
        """What every client is made with.

        Args:
            config: Its model.
            endpoint: Address under which its attempts are counted.
        """
        from rubric_engine.models import Capabilities, Limiter
        from rubric_engine.spending import Budget, price_of

        tariff = price_of(config)
        self.priced |= tariff is not None
        bills = Bills(self._run, config, tariff, self._ledger, endpoint)
        return {
            "meter": Budget(tariff, config=config, account=self.account),
            "capabilities": Capabilities(self._ledger.capabilities()),
            "limiter": self._limiters.setdefault(config.base_url, Limiter.of(config)),
            "ratio": self._ledger.calibration(self._run, endpoint, config.name),
            "on_send": bills.sending,
            "on_attempt": bills.ended,
        }

    @property
    def limiters(self) -> Collection[Limiter]:
        """One of each endpoint."""
        return self._limiters.values()

    @property
    def most(self) -> int:
        """Requests that may be out where no server is crowded."""
        most = {line.config.base_url: line.config.max_connections for line in self._lines[::-1]}
        return sum(most.values())

    @property
    def waits(self) -> Iterator[Waiting]:
        """The waits of calls that will be tried again."""
        return (wait for line in tuple(self._lines) for wait in line.waiting)

    async def aclose(self) -> None:
        """Keep what was found out about endpoints, and close every connection."""
        async with AsyncExitStack() as closing:  # all of them, also where one is cancelled
            for line in self._lines:
                closing.push_async_callback(line.aclose)
            for line in self._lines:
                for endpoint, found in line.capabilities.learnt().items():
                    self._ledger.remember_capabilities(endpoint, found)
