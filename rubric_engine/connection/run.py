"""Gives the judges of one run their models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Self

from rubric_engine.connection.clients import Clients
from rubric_engine.connection.costs import LEDGER, cost_of, over_cap
from rubric_engine.connection.limits import NO_LIMIT, Spending
from rubric_engine.connection.traffic import Traffic, next_to_end
from rubric_engine.decision import DecisionModel, RequestLimits
from rubric_engine.errors import BudgetError, Place, StorageError, UsageError
from rubric_engine.ledger import Ledger, RecordedDecisions, RecordedModel
from rubric_engine.model import ChatModel, ModelConfig
from rubric_engine.rundir import holds_run, storing

if TYPE_CHECKING:
    from rubric_engine.models import Line

_Recorder = RecordedModel | RecordedDecisions


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
    _made: Clients | None = None
    _used: list[tuple[Line, _Recorder]] = field(default_factory=list)
    _recorders: list[_Recorder] = field(default_factory=list)
    _unwatch: Callable[[], None] | None = None

    async def __aenter__(self) -> Self:
        if self.spending.watch is not None:
            self._unwatch = self.spending.watch(self.traffic)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._unwatch is not None:
            self._unwatch()
            self._unwatch = None
        try:
            if self._made is not None:
                await self._made.aclose()
        finally:  # also where that is cancelled: claims of a ledger left open would be held on
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
        client = self._clients(ledger).chat(config)
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
        client = self._clients(ledger).decisions(config, limits)
        model = self._recorded_decisions(client, ledger, limits)
        self._used.append((client, model))
        return model

    def traffic(self) -> Traffic:
        """What goes on now."""
        made = self._made
        limiters = made.limiters if made else ()
        account = made.account if made else None
        waiting, waiters = next_to_end(made.waits if made else ())
        return Traffic(
            in_flight=sum(limiter.in_flight for limiter in limiters),
            limit=sum(limiter.limit for limiter in limiters),
            most=made.most if made else 0,
            asked=sum(recorder.ended for recorder in self._recorders),
            replayed=sum(recorder.replayed for recorder in self._recorders),
            tokens=account.spent_tokens if account else 0,
            dollars=account.spent_dollars if account else None,
            oldest=max((limiter.oldest for limiter in limiters), default=0.0),
            waiting=waiting,
            waiters=waiters,
        )

    def asked(self) -> frozenset[str]:
        """Ledger keys of the calls that this session made, as nothing was on record."""
        return frozenset[str]().union(*(recorder.asked for recorder in self._recorders))

    def recalled(self) -> frozenset[str]:
        """Ledger keys of the calls that were paid for before this session, and served it.

        What one judge of the session paid for and another was served is none of them.
        """
        found = frozenset[str]().union(*(recorder.found for recorder in self._recorders))
        return found - self.asked()

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
            self._ledger, self.run, priced=self._made is not None and self._made.priced,
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
            if paid or model.ended or model.replayed
        )
        return tuple(dict.fromkeys(chain.from_iterable(told)))

    def _clients(self, ledger: Ledger) -> Clients:
        if self._made is None:
            limits = self.spending
            self._made = Clients(
                self.run, ledger, limits.max_cost, limits.max_tokens, limits.together
            )
        return self._made

    def _recorded(self, model: ChatModel, ledger: Ledger) -> RecordedModel:
        recorded = RecordedModel(
            model,
            ledger,
            run=self.run,
            fresh=self.spending.fresh,
            retry_failed=self.spending.retry_failed,
            retry_before=self.spending.retry_before,
        )
        self._recorders.append(recorded)
        return recorded

    def _recorded_decisions(
        self, model: DecisionModel, ledger: Ledger, limits: RequestLimits
    ) -> RecordedDecisions:
        recorded = RecordedDecisions(
            model,
            ledger,
            run=self.run,
            transport=limits.transport,
            fresh=self.spending.fresh,
            retry_failed=self.spending.retry_failed,
            retry_before=self.spending.retry_before,
        )
        self._recorders.append(recorded)
        return recorded

    def _open(self) -> Ledger:
        if self._ledger is None:
            with storing(self.base, "name another place with --runs DIR"):
                self.base.mkdir(parents=True, exist_ok=True)
            self._ledger = Ledger.open(self.base / LEDGER)
            if self.new:
                self._ledger.begin_run(self.run, partial(holds_run, self.base / self.run))
        return self._ledger


def _unfit(model: object, method: str) -> UsageError:
    """A model of one's own that the judge cannot ask is never replaced by one that is paid."""
    return UsageError(
        f"the judge asks by `{method}`, and {type(model).__name__} has no such method",
        place=Place("model="),
        fix=["a `DecisionModel` for a judge of kind decision, a `ChatModel` for the others"],
    )
