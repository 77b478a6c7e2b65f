"""A chat model behind any OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Self

from pydantic import BaseModel

from rubric_engine.errors import BudgetError
from rubric_engine.model import (
    Completion,
    CutOff,
    Message,
    ModelConfig,
    ModelFault,
    OverBudget,
    Refused,
    Unparseable,
    Usage,
)
from rubric_engine.models.answer import Answer
from rubric_engine.models.attempt import Attempt, Bill
from rubric_engine.models.credentials import find_key
from rubric_engine.models.endings import Endings
from rubric_engine.models.faults import Fault
from rubric_engine.models.kinds import CROWDED
from rubric_engine.models.limiter import Limiter
from rubric_engine.models.meter import InputBound, Meter
from rubric_engine.models.negotiation import Capabilities
from rubric_engine.models.reading import Form
from rubric_engine.models.request import Request, build_request
from rubric_engine.models.retry import Call, Waiting, attempts
from rubric_engine.models.texts import text_tokens
from rubric_engine.models.transport import Transport
from rubric_engine.recall import call_back
from rubric_engine.reserved import Reservation


class OpenAIChat:
    """Asks one model, and gets an answer that follows the schema or an error that says why not.

    Use it as an async context manager, or close it: it keeps connections open. Each attempt takes
    a slot of the limiter for itself; whoever calls `complete` must not hold one.

    Args:
        config: The model, the endpoint and the parameters.
        meter: Reserves and settles every attempt.
        capabilities: What is known of endpoints; it learns more.
        limiter: Shared by all that ask this endpoint; by default one of the config's numbers.
        ratio: Largest ratio of a prompt's tokens to its estimate that the run saw before; None
            where it never got an answer that was counted.
        on_send: Awaited with the reservation of every attempt before it is sent, in the task that
            called `complete`.
        on_attempt: Told of every attempt when it ends, in that task.

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
        self._transport = Transport(config, find_key(config))
        self._calls: set[Call] = set()

    @property
    def waiting(self) -> list[Waiting]:
        """The waits of calls that will be tried again; may be read from any thread."""
        return [call.waiting for call in tuple(self._calls) if call.waiting is not None]

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        """Ask, as `ChatModel.complete`."""
        call = Call(self.config.base_url)
        self._calls.add(call)
        try:
            answer = await self._write(call, messages, schema, sample)
            data = None
            if schema is not None:
                write = partial(self._write, call, schema=schema, sample=sample)
                hide = self._transport.mask.of
                form = Form(self.config, self.capabilities, schema, hide)
                answer, data = await form.read(answer, messages, write)
        except ModelFault as fault:
            fault.usage = call.usage
            if isinstance(fault, OverBudget):
                fault.instead = self._endings.broke(fault)
            raise
        finally:
            self._calls.discard(call)
        return Completion(
            text=answer.text,
            data=data,
            usage=call.usage,
            requested_model=self.config.name,
            answered_model=answer.model,
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _write(
        self, call: Call, messages: Sequence[Message], schema: type[BaseModel] | None, sample: int
    ) -> Answer:
        """Get a whole, non-empty answer; an empty one is asked for once more."""
        for _ in range(2):
            answer = await self._ask(call, messages, schema, sample)
            if answer.refusal is not None:
                raise Refused(answer.refusal, text=answer.text)
            if answer.cut:
                raise CutOff("the answer ran into the output limit", text=answer.text)
            if answer.text.strip():
                return answer
        raise Unparseable("the answer was empty, twice")

    async def _ask(
        self, call: Call, messages: Sequence[Message], schema: type[BaseModel] | None, sample: int
    ) -> Answer:
        """Ask in the ways that the endpoint may take, one after another, until it takes one."""
        retrying = attempts(
            call, patience=self._endings.patience, worth=self._endings.worth_waiting
        )
        while True:
            try:
                return await retrying(self._attempt, call, messages, schema, sample)
            except Fault as fault:
                if fault.adapted:
                    continue
                ending = self._endings.of(fault)
            raise ending

    async def _attempt(
        self, call: Call, messages: Sequence[Message], schema: type[BaseModel] | None, sample: int
    ) -> Answer:
        call.waiting = None
        async with self.limiter.slot(self._paced_tokens(messages)) as entered:
            # Built here and not before the slot is free: calls that wait hold no bodies.
            known = self.capabilities.of(self.config)
            request = build_request(self.config, known, messages, schema, sample)
            bound = self._bound(request.estimate, len(request.body))
            reservation = self._meter.reserve(bound, request.output_limit)
            await self._announce(reservation)
            bill = Bill(request, reservation, self._settle)
            try:
                answer = await self._transport.post(request.body, request.parameters)
            except Fault as fault:
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

    def _paced_tokens(self, messages: Sequence[Message]) -> int:
        if self.config.tokens_per_minute is None:
            return 0
        return sum(text_tokens(message.content) for message in messages)

    def _note(self, fault: Fault, request: Request, entered: float) -> None:
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
