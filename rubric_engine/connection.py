"""The models of one run: each asked through the ledger, all under one budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from rubric_engine.ledger import BilledAttempt, Ledger, RecordedModel
from rubric_engine.model import ChatModel, Message, ModelConfig, Usage

if TYPE_CHECKING:
    from rubric_engine.models import Attempt, Limiter, OpenAIChat
    from rubric_engine.spending import Tariff

LEDGER = "ledger.sqlite"
"""Name of the ledger, beside the run folders."""


@dataclass(frozen=True)
class Spending:
    """What a run may spend, and how it treats what was paid for earlier.

    Attributes:
        max_cost: Most dollars over all resumes, or None.
        max_tokens: Most tokens over all resumes, or None.
        fresh: Ask again for everything that is older than the run.
        retry_failed: Ask again where an earlier call ended without an answer.
    """

    max_cost: float | None = None
    max_tokens: int | None = None
    fresh: bool = False
    retry_failed: bool = False


NO_LIMIT = Spending()
"""Spend what it takes, and take every earlier answer."""


@dataclass
class Connection:
    """Gives judges their models; an async context manager that closes them.

    Args:
        base: Folder of the runs, where the ledger lies.
        run: Name of the run that pays.
        spending: Its limits.
        model: A model to ask in place of the endpoint that a card names.
    """

    base: Path
    run: str
    spending: Spending = NO_LIMIT
    model: ChatModel | None = None
    _ledger: Ledger | None = None
    _clients: list[OpenAIChat] = field(default_factory=list)
    _limiters: dict[str, Limiter] = field(default_factory=dict)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for client in self._clients:
            self._remember(client)
            await client.aclose()
        if self._ledger is not None:
            self._ledger.close()

    def connect(self, config: ModelConfig) -> ChatModel:
        """A model that is asked through the ledger.

        Raises:
            CredentialsError: There is no key for its endpoint.
            UsageError: A cap was asked for that cannot be kept for this model.
            StorageError: The ledger cannot be opened.
        """
        ledger = self._open()
        if self.model is not None:
            return self._recorded(self.model, ledger, None)
        from rubric_engine.spending import price_of

        tariff = price_of(config)
        lost = _Lost(self.run, config, tariff)
        return self._recorded(self._client(config, ledger, tariff), ledger, lost)

    def _recorded(self, model: ChatModel, ledger: Ledger, lost: _Lost | None) -> ChatModel:
        return RecordedModel(
            model,
            ledger,
            run=self.run,
            fresh=self.spending.fresh,
            retry_failed=self.spending.retry_failed,
            if_lost=lost,
        )

    def cost(self) -> dict[str, float]:
        """What the run has spent over all its resumes; empty where no model was asked."""
        if self._ledger is None:
            return {}
        spent = self._ledger.spent(self.run)
        known = {
            "calls": spent.calls,
            "attempts": spent.attempts,
            "input_tokens": spent.usage.input_tokens,
            "cached_tokens": spent.usage.cached_tokens,
            "output_tokens": spent.usage.output_tokens,
            "unpriced_attempts": spent.unpriced,
        }
        return known | ({"usd": spent.dollars} if spent.attempts > spent.unpriced else {})

    def _open(self) -> Ledger:
        if self._ledger is None:
            self.base.mkdir(parents=True, exist_ok=True)
            self._ledger = Ledger.open(self.base / LEDGER)
        return self._ledger

    def _client(self, config: ModelConfig, ledger: Ledger, tariff: Tariff | None) -> OpenAIChat:
        from rubric_engine.models import Capabilities, OpenAIChat
        from rubric_engine.spending import Budget

        client = OpenAIChat(
            config,
            meter=Budget(
                tariff,
                config=config,
                max_cost=self.spending.max_cost,
                max_tokens=self.spending.max_tokens,
                spent=ledger.spent(self.run),
            ),
            capabilities=Capabilities(ledger.capabilities()),
            limiter=self._limiters.setdefault(config.base_url, _limiter(config)),
            on_attempt=_Biller(self.run, config, tariff, ledger),
        )
        self._clients.append(client)
        return client

    def _remember(self, client: OpenAIChat) -> None:
        assert self._ledger is not None
        for endpoint, found in client.capabilities.dump().items():
            self._ledger.remember_capabilities(endpoint, found)


def _limiter(config: ModelConfig) -> Limiter:
    from rubric_engine.models import Limiter

    return Limiter(
        config.max_connections,
        requests_per_minute=config.requests_per_minute,
        tokens_per_minute=config.tokens_per_minute,
    )


@dataclass(frozen=True)
class _Biller:
    """Bills every attempt in the ledger."""

    run: str
    config: ModelConfig
    tariff: Tariff | None
    ledger: Ledger

    def __call__(self, attempt: Attempt) -> None:
        bound = Usage(input_tokens=attempt.input_bound, output_tokens=attempt.output_bound or 0)
        self.ledger.bill(
            BilledAttempt(
                run=self.run,
                endpoint=self.config.base_url,
                model=self.config.name,
                answered_model=attempt.answered_model,
                started=datetime.fromtimestamp(attempt.started, UTC),
                seconds=attempt.seconds,
                status=attempt.status,
                fault=attempt.error or "",
                usage=attempt.usage,
                bound=bound,
                dollars=self._dollars(attempt),
                effective=dict(attempt.parameters),
            )
        )

    def _dollars(self, attempt: Attempt) -> float | None:
        if self.tariff is None:
            return None
        if attempt.usage is not None:
            return self.tariff.cost(attempt.usage)
        return self.tariff.bound(attempt.input_bound, attempt.output_bound or 0)


@dataclass(frozen=True)
class _Lost:
    """What a request counts if this process dies over it: its bound."""

    run: str
    config: ModelConfig
    tariff: Tariff | None

    def __call__(self, messages: Sequence[Message]) -> BilledAttempt:
        tokens = sum(len(message.content.encode("utf-8", "replace")) for message in messages)
        bound = Usage(input_tokens=tokens, output_tokens=self.config.max_output_tokens or 0)
        return BilledAttempt(
            run=self.run,
            endpoint=self.config.base_url,
            model=self.config.name,
            bound=bound,
            dollars=self.tariff.bound(tokens, bound.output_tokens) if self.tariff else None,
        )
