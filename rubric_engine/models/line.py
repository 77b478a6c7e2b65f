"""The way to one endpoint: limited, retried, reserved and billed, whatever is asked of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Protocol, Self, TypeVar

from rubric_engine.errors import BudgetError
from rubric_engine.model import ModelConfig, ModelFault, OverBudget, Usage
from rubric_engine.models.attempt import Attempt, Bill
from rubric_engine.models.credentials import find_key
from rubric_engine.models.endings import Endings
from rubric_engine.models.faults import AttemptFault
from rubric_engine.models.kinds import CROWDED
from rubric_engine.models.limiter import Limiter
from rubric_engine.models.meter import InputBound, Meter
from rubric_engine.models.negotiation import Capabilities
from rubric_engine.models.request import Request
from rubric_engine.models.retry import CallState, Waiting, attempts
from rubric_engine.models.transport import Transport
from rubric_engine.recall import call_back
from rubric_engine.reserved import Reservation


class Counted(Protocol):
    """What comes back of an attempt."""

    @property
    def usage(self) -> Usage | None:
        """Tokens as the server counted them, or None where it did not."""
        ...

    @property
    def model(self) -> str:
        """The model that says it answered."""
        ...


A = TypeVar("A", bound=Counted)


class Line:
    """Sends requests about one model to one endpoint.

    Use it as an async context manager, or close it: it keeps connections open. Each attempt takes
    a slot of the limiter for itself; whoever asks must not hold one.

    Args:
        config: The model, the endpoint and the parameters.
        meter: Reserves and settles every attempt.
        capabilities: What is known of endpoints; it learns more.
        limiter: Shared by all that ask this endpoint; by default one of the config's numbers.
        ratio: Largest ratio of a prompt's tokens to its estimate that the run saw before; None
            where it never got an answer that was counted.
        on_send: Awaited with the reservation of every attempt before it is sent, in the task that
            asks.
        on_attempt: Told of every attempt when it ends, in that task.

    Attributes:
        transport: Sends what is built; its mask hides the key.

    Raises:
        CredentialsError: There is no key for the endpoint.
    """

    def __init__(
        self,
        config: ModelConfig,
        *,
        meter: Meter,
        capabilities: Capabilities | None = None,
        limiter: Limiter | None = None,
        ratio: float | None = None,
        on_send: Callable[[Reservation], Awaitable[None]] | None = None,
        on_attempt: Callable[[Attempt], None] | None = None,
    ) -> None:
        self.config = config
        self.capabilities = capabilities if capabilities is not None else Capabilities()
        self.limiter = limiter or Limiter.of(config)
        self._meter = meter
        self._on_send = on_send
        self._on_attempt = on_attempt
        self._bound = InputBound(ratio)
        self._endings = Endings(config, known=ratio is not None)
        self.transport = Transport(config, find_key(config))
        self._calls: set[CallState] = set()

    @property
    def waiting(self) -> list[Waiting]:
        """The waits of calls that will be tried again; may be read from any thread."""
        return [call.waiting for call in tuple(self._calls) if call.waiting is not None]

    @contextmanager
    def calling(self) -> Iterator[CallState]:
        """A call, for as long as it is made; a fault that ends it says what it used."""
        call = CallState(self.config.base_url)
        self._calls.add(call)
        try:
            yield call
        except ModelFault as fault:
            fault.usage = call.usage
            if isinstance(fault, OverBudget):
                fault.instead = self._endings.broke(fault)
            raise
        finally:
            self._calls.discard(call)

    async def aclose(self) -> None:
        """Close every connection."""
        await self.transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def ask(
        self,
        call: CallState,
        build: Callable[[], Request],
        post: Callable[[Request], Awaitable[A]],
        paced_tokens: int,
        questions: int = 0,
    ) -> A:
        """Ask in the ways that the endpoint may take, one after another, until it takes one.

        Args:
            call: The call, as `calling` gave it.
            build: Makes the request, by what is known of the endpoint then.
            post: Sends it, and reads what comes back.
            paced_tokens: Tokens that it counts for `tokens_per_minute`.
            questions: How many questions it asks; 0 of a chat.
        """
        retrying = attempts(
            call, patience=self._endings.patience, worth=self._endings.worth_waiting
        )
        while True:
            try:
                return await retrying(self._attempt, call, build, post, paced_tokens)
            except AttemptFault as fault:
                if fault.adapted:
                    continue
                ending = self._endings.of(fault, questions)
            raise ending

    async def _attempt(
        self,
        call: CallState,
        build: Callable[[], Request],
        post: Callable[[Request], Awaitable[A]],
        paced_tokens: int,
    ) -> A:
        call.waiting = None
        async with self.limiter.slot(paced_tokens) as entered:
            # Built here and not before the slot is free: calls that wait hold no bodies.
            request = build()
            bound = self._bound(request.estimate, len(request.body))
            reservation = self._meter.reserve(bound, request.output_limit)
            await self._announce(reservation)
            bill = Bill(request, reservation, self._settle)
            try:
                answer = await post(request)
            except AttemptFault as fault:
                self._note(fault, request, entered)
                call.failed += asyncio.get_running_loop().time() - entered
                if fault.status == 200:
                    call.used(fault.usage)
                bill.close(fault.usage, status=fault.status, error=fault.kind)
                raise
            except asyncio.CancelledError:
                bill.close(None, status=None, error="cancelled")
                raise
            self._endings.saw_answer()
            self.limiter.succeeded()
            call.used(answer.usage)
            if answer.usage is not None:
                self._bound.observe(request.estimate, answer.usage.input_tokens)
            bill.close(answer.usage, status=200, error=None, model=answer.model)
            return answer

    def _note(self, fault: AttemptFault, request: Request, entered: float) -> None:
        self._endings.saw_fault(fault)
        if fault.kind in CROWDED:
            worth = self._endings.worth_waiting(fault)
            # A wait that ends the run is nothing for the others to sit out.
            self.limiter.crowded(entered, fault.wait if worth else None)
        if fault.parameter is not None:
            fault.adapted = self.capabilities.learn(self.config, request.endpoint, fault.parameter)

    async def _announce(self, reservation: Reservation) -> None:
        if self._on_send is None:
            return
        try:
            await self._on_send(reservation)
        except BaseException:
            self._meter.settle(reservation, Usage())  # nothing was sent
            raise

    def _settle(self, attempt: Attempt, reservation: Reservation) -> None:
        try:
            if self._on_attempt is not None:
                self._on_attempt(attempt)
        except Exception as error:  # noqa: BLE001  # the answer is paid for, and is to be kept
            call_back(_unbilled(error))
        finally:
            self._meter.settle(reservation, attempt.usage)


def _unbilled(error: Exception) -> BudgetError:
    return BudgetError(
        f"an answer could not be billed ({type(error).__name__}), so no cap can hold",
        code="E604",
        fix=("rubric-engine resume latest   # goes on with the answers that were kept",),
    )
