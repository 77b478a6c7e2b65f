"""Gives the judges of one run their models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rubric_engine.connection.bills import Bills
from rubric_engine.connection.costs import LEDGER, cost_of, over_cap
from rubric_engine.connection.traffic import Counted, CountedDecisions, Traffic, next_to_end
from rubric_engine.decision import DecisionModel, RequestLimits
from rubric_engine.errors import BudgetError, Place, StorageError, UsageError
from rubric_engine.ledger import Ledger, RecordedDecisions, RecordedModel
from rubric_engine.model import ChatModel, ModelConfig
from rubric_engine.rundir import holds_run, storing

if TYPE_CHECKING:
    from rubric_engine.models import Limiter, Line, OpenAIChat
    from rubric_engine.spending import Account, Tariff

_Counter = Counted | CountedDecisions


@dataclass(frozen=True)
class Spending:
    """What a run may spend, and how it treats what was paid for earlier.

    Attributes:
        max_cost: Most dollars over all resumes, or None.
        max_tokens: Most tokens over all resumes, or None.
        fresh: Ask again for everything that is older than the run.
        retry_failed: Ask again where an earlier call ended without an answer.
        watch: Called once as the run begins with what tells the traffic at any moment.
    """

    max_cost: float | None = None
    max_tokens: int | None = None
    fresh: bool = False
    retry_failed: bool = False
    watch: Callable[[Callable[[], Traffic]], None] | None = field(
        default=None, compare=False, repr=False
    )


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
        new: Whether the run begins: what the ledger has of an earlier run of its name, whose
            folder is gone, is not counted for it.
    """

    base: Path
    run: str
    spending: Spending = NO_LIMIT
    model: ChatModel | DecisionModel | None = None
    new: bool = False
    _ledger: Ledger | None = None
    _account: Account | None = None
    _clients: list[Line] = field(default_factory=list)
    _used: list[tuple[Line, _Counter]] = field(default_factory=list)
    _limiters: dict[str, Limiter] = field(default_factory=dict)
    _wanted: list[_Counter] = field(default_factory=list)
    _asked: list[_Counter] = field(default_factory=list)
    _recorders: list[RecordedModel | RecordedDecisions] = field(default_factory=list)
    _priced: bool = False

    async def __aenter__(self) -> Self:
        if self.spending.watch is not None:
            self.spending.watch(self.traffic)
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
        if self.model is not None and not isinstance(self.model, ChatModel):
            raise _unfit(self.model, "complete")
        if self.model is not None:
            return self._recorded(self.model, ledger)
        from rubric_engine.spending import price_of

        tariff = price_of(config)
        self._priced |= tariff is not None
        client = self._client(config, ledger, tariff)
        model = self._recorded(client, ledger)
        self._used.append((client, model))
        return model

    def decide(self, config: ModelConfig, limits: RequestLimits) -> DecisionModel:
        """A decision model that is asked through the ledger.

        Raises:
            CredentialsError: There is no key for its endpoint.
            UsageError: A cap was asked for that cannot be kept for this model, or its protocol is
                not known here.
            StorageError: The ledger cannot be opened.
        """
        ledger = self._open()
        if self.model is not None and not isinstance(self.model, DecisionModel):
            raise _unfit(self.model, "decide")
        if self.model is not None:
            return self._recorded_decisions(self.model, ledger, limits)
        from rubric_engine.models import DecisionClient
        from rubric_engine.spending import price_of

        tariff = price_of(config)
        self._priced |= tariff is not None
        client = DecisionClient(config, limits, **self._of_line(config, ledger, tariff))
        self._clients.append(client)
        model = self._recorded_decisions(client, ledger, limits)
        self._used.append((client, model))
        return model

    def traffic(self) -> Traffic:
        """What goes on now."""
        limiters, clients, account = self._limiters.values(), self._clients, self._account
        most = {client.config.base_url: client.config.max_connections for client in clients[::-1]}
        asked = sum(model.ended for model in self._asked)
        waiting, waiters = next_to_end(wait for client in clients for wait in client.waiting)
        return Traffic(
            in_flight=sum(limiter.in_flight for limiter in limiters),
            limit=sum(limiter.limit for limiter in limiters),
            most=sum(most.values()),
            asked=asked,
            replayed=max(0, sum(model.ended for model in self._wanted) - asked),
            tokens=account.spent_tokens if account else 0,
            dollars=account.spent_dollars if account else None,
            oldest=max((limiter.oldest for limiter in limiters), default=0.0),
            waiting=waiting,
            waiters=waiters,
        )

    def asked(self) -> frozenset[str]:
        """Ledger keys of the calls that this session made, as nothing was on record."""
        return frozenset[str]().union(*(recorder.asked for recorder in self._recorders))

    def cost(self) -> dict[str, float]:
        """What the run has spent over all its resumes; empty where no model was asked.

        `replayed` counts this session's calls that were on record. `uncounted_tokens` and
        `uncounted_usd` are what stands for attempts whose usage is unknown: their bound, so at
        most that much; `excess_tokens` and `excess_usd` what a server billed above what was
        reserved under a cap.
        """
        if self._ledger is None:
            return {}
        limits = self.spending
        cost = cost_of(
            self._ledger, self.run, priced=self._priced,
            max_cost=limits.max_cost, max_tokens=limits.max_tokens,
        )  # fmt: skip
        return cost | {"replayed": self.traffic().replayed}

    def failure(self) -> BudgetError | StorageError | None:
        """What must not pass for success, though every call ended: a cap passed, a ledger gone."""
        if self._ledger is None:
            return None
        limits = self.spending
        return self._ledger.lost() or over_cap(
            self.cost(), max_cost=limits.max_cost, max_tokens=limits.max_tokens
        )

    def notes(self) -> tuple[str, ...]:
        """In words what endpoints refuse of the calls that the run's grades rest on.

        It may have been found out by an earlier run.
        """
        paid = self._ledger is not None and self._ledger.spent(self.run).calls > 0
        told = (
            client.capabilities.notes(client.config)
            for client, model in self._used
            if paid or model.ended
        )
        return tuple(dict.fromkeys(chain.from_iterable(told)))

    def _recorded(self, model: ChatModel, ledger: Ledger) -> Counted:
        asked = Counted(model)
        recorded = RecordedModel(
            asked,
            ledger,
            run=self.run,
            fresh=self.spending.fresh,
            retry_failed=self.spending.retry_failed,
        )
        wanted = Counted(recorded)
        self._note(recorded, asked, wanted)
        return wanted

    def _recorded_decisions(
        self, model: DecisionModel, ledger: Ledger, limits: RequestLimits
    ) -> CountedDecisions:
        asked = CountedDecisions(model)
        recorded = RecordedDecisions(
            asked,
            ledger,
            run=self.run,
            transport=limits.transport,
            fresh=self.spending.fresh,
            retry_failed=self.spending.retry_failed,
        )
        wanted = CountedDecisions(recorded)
        self._note(recorded, asked, wanted)
        return wanted

    def _note(
        self, recorded: RecordedModel | RecordedDecisions, asked: _Counter, wanted: _Counter
    ) -> None:
        self._recorders.append(recorded)
        self._asked.append(asked)
        self._wanted.append(wanted)

    def _open(self) -> Ledger:
        if self._ledger is None:
            with storing(self.base, "name another place with --runs DIR"):
                self.base.mkdir(parents=True, exist_ok=True)
            self._ledger = Ledger.open(self.base / LEDGER)
            if self.new:
                self._ledger.begin_run(self.run, partial(holds_run, self.base / self.run))
        return self._ledger

    def _client(self, config: ModelConfig, ledger: Ledger, tariff: Tariff | None) -> OpenAIChat:
        from rubric_engine.models import OpenAIChat

        client = OpenAIChat(config, **self._of_line(config, ledger, tariff))
        self._clients.append(client)
        return client

    def _of_line(
        self, config: ModelConfig, ledger: Ledger, tariff: Tariff | None
    ) -> dict[str, Any]:
        """What every client is made with: the run's account, its bills, what is known."""
        from rubric_engine.models import Capabilities, Limiter
        from rubric_engine.spending import Budget

        bills = Bills(self.run, config, tariff, ledger)
        return {
            "meter": Budget(tariff, config=config, account=self._shared_account(ledger)),
            "capabilities": Capabilities(ledger.capabilities()),
            "limiter": self._limiters.setdefault(config.base_url, Limiter.of(config)),
            "ratio": ledger.calibration(self.run, config.base_url, config.name),
            "on_send": bills.sending,
            "on_attempt": bills.ended,
        }

    def _shared_account(self, ledger: Ledger) -> Account:
        from rubric_engine.spending import Account

        if self._account is None:
            self._account = Account(
                max_cost=self.spending.max_cost,
                max_tokens=self.spending.max_tokens,
                spent=ledger.spent(self.run),
            )
        return self._account

    def _remember(self, client: Line) -> None:
        assert self._ledger is not None
        for endpoint, found in client.capabilities.learnt().items():
            self._ledger.remember_capabilities(endpoint, found)


def _unfit(model: object, method: str) -> UsageError:
    """A model of one's own that the judge cannot ask is never replaced by one that is paid."""
    return UsageError(
        f"the judge asks by `{method}`, and {type(model).__name__} has no such method",
        place=Place("model="),
        fix=["a `DecisionModel` for a judge of kind decision, a `ChatModel` for the others"],
    )
