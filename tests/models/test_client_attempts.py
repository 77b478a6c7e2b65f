"""The attempts of a call: what a fault costs, which are made again, and what mends an answer."""

from __future__ import annotations

import asyncio

import pytest

from rubric_engine.errors import BudgetError, CredentialsError, ProviderError, RubricEngineError
from rubric_engine.model import (
    ContextOverflow,
    CutOff,
    Message,
    ModelFault,
    OverBudget,
    Refused,
    Unavailable,
    Unparseable,
    Usage,
)
from rubric_engine.models import Attempt, FreeMeter, OpenAIChat
from rubric_engine.recall import Recall
from rubric_engine.reserved import Reservation
from rubric_engine.testing import Fault, Request, ScriptedServer
from tests.models.answers import PROMPT, Asked, Scored, Verdict, config_for

ONCE = [
    ("429", ["rate_limit", None]),
    ("429_bare", ["rate_limit", None]),
    ("500", ["server", None]),
    ("503", ["overload", None]),
    ("529", ["overload", None]),
    ("error_in_200", ["server", None]),
    ("slow", ["timeout", None]),
    ("reset", ["connection", None]),
    ("truncated_body", ["garbled", None]),
    ("truncated", [None, None]),
    ("wrong_schema", [None, None]),
    ("empty", [None, None]),
    ("broken_off", ["server", None]),
    ("duplicate_keys", [None, None]),
    ("wrong_types", [None, None]),
    ("huge", [None, None]),
    ("overbilled", [None]),
    ("unknown_parameter", ["parameter", None]),
]


@pytest.mark.parametrize(("kind", "errors"), ONCE)
def test_a_fault_that_passes_costs_an_attempt_and_no_answer(
    kind: str, errors: list[str | None]
) -> None:
    async def run() -> None:
        asked = Asked()
        fault = Fault(kind, retry_after="0", delay=3.0 if kind == "slow" else 0.0)  # type: ignore[arg-type]
        async with ScriptedServer(fault_at={1: fault}) as server:
            timeout = 0.5 if kind == "slow" else 30.0
            completion = await asked.ask(config_for(server, temperature=0.0, timeout=timeout))
        assert completion.data
        assert asked.errors == errors
        known = [attempt.usage for attempt in asked.attempts if attempt.usage is not None]
        assert asked.meter.used == sum(known, Usage())
        assert asked.meter.attempts == len(errors)
        assert asked.meter.open == 0

    asyncio.run(run())


LASTING: list[tuple[str, type[Exception], str | None, int]] = [
    ("401", CredentialsError, "E101", 1),
    ("403", CredentialsError, "E101", 1),
    ("404", ProviderError, "E703", 1),
    ("quota", ProviderError, "E701", 1),
    ("daily", ProviderError, "E701", 1),
    ("context_overflow", ContextOverflow, None, 1),
    ("unknown_parameter", ProviderError, "E703", 2),
    ("refusal", Refused, None, 1),
    ("content_filter", Refused, None, 1),
    ("prompt_filter", Refused, None, 1),
    ("cut_400", CutOff, None, 1),
    ("broken_off", Unavailable, None, 1),
    ("length", CutOff, None, 1),
    ("empty", Unparseable, None, 2),
    ("truncated", Unparseable, None, 2),
    ("wrong_schema", Unparseable, None, 2),
    ("duplicate_keys", Unparseable, None, 2),
    ("wrong_types", Unparseable, None, 2),
    ("huge", Unparseable, None, 2),
    ("429", Unavailable, None, 1),
    ("500", Unavailable, None, 1),
    ("529", Unavailable, None, 1),
    ("slow", Unavailable, None, 1),
    ("reset", Unavailable, None, 1),
    ("truncated_body", Unavailable, None, 1),
]


@pytest.mark.parametrize(("kind", "error", "code", "attempts"), LASTING)
def test_a_fault_that_lasts_ends_the_call_with_its_reason(
    kind: str, error: type[Exception], code: str | None, attempts: int
) -> None:
    async def run() -> None:
        asked = Asked()
        fault = Fault(kind, retry_after="0.01", delay=3.0 if kind == "slow" else 0.0)  # type: ignore[arg-type]
        async with ScriptedServer(fault_where={"shared": fault}) as server:
            timeout = 0.3 if kind == "slow" else 30.0
            config = config_for(server, temperature=0.0, timeout=timeout, max_wait=0.012)
            with pytest.raises(error) as caught:
                await asked.ask(config)
        if isinstance(caught.value, RubricEngineError):
            assert caught.value.code == code
        if isinstance(caught.value, ModelFault) and asked.meter.used != Usage():
            assert caught.value.usage == asked.meter.used
        assert len(asked.attempts) >= attempts
        assert asked.meter.open == 0

    asyncio.run(run())


def test_what_cannot_be_read_is_kept() -> None:
    async def run() -> None:
        async with ScriptedServer(answer=lambda _: '{"met": "false"}') as server:
            with pytest.raises(Unparseable) as caught:
                await Asked().ask(config_for(server))
        assert caught.value.text == '{"met": "false"}'
        assert "met" in caught.value.message

    asyncio.run(run())


def test_the_repair_shows_the_answer_and_what_is_wrong_with_it() -> None:
    prompts: list[str] = []

    def answer(request: Request) -> dict[str, object]:
        prompts.append(request.prompt)
        return {"explanation": "e", "score": 57 if len(prompts) == 1 else 0.57}

    async def run() -> None:
        async with ScriptedServer(answer=answer) as server:
            completion = await Asked().ask(config_for(server), schema=Scored)
        assert completion.data == {"explanation": "e", "score": 0.57}

    asyncio.run(run())
    assert prompts[1].startswith(prompts[0])
    assert '"score": 57' in prompts[1]
    assert "less than or equal to 1" in prompts[1]


class Stingy(FreeMeter):
    def reserve(self, input_bound: int, output_bound: int | None) -> Reservation:
        if self.attempts == 1:
            raise OverBudget("nothing left")
        return super().reserve(input_bound, output_bound)


def test_a_repair_that_would_pass_the_cap_is_not_sent() -> None:
    async def run() -> None:
        asked = Asked(meter=Stingy())
        async with ScriptedServer(fault_at={1: "wrong_schema"}) as server:
            with pytest.raises(OverBudget) as caught:
                await asked.ask(config_for(server))
            assert server.stats().requests == 1
        assert caught.value.usage == asked.meter.used

    asyncio.run(run())


@pytest.mark.usefixtures("transport")
def test_a_cancelled_call_is_billed_at_its_bound_and_frees_its_slot() -> None:
    async def run() -> None:
        asked = Asked()
        async with ScriptedServer(latency=30) as server:
            call = asyncio.create_task(asked.ask(config_for(server)))
            while not asked.meter.open:
                await asyncio.sleep(0)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
        assert asked.errors == ["cancelled"]
        assert len(asked.meter.unknown) == 1
        assert asked.meter.open == 0

    asyncio.run(run())


@pytest.mark.usefixtures("transport")
def test_a_storm_of_faults_still_gets_every_answer() -> None:
    faults = {"429": 0.1, "500": 0.05, "529": 0.05, "reset": 0.05, "truncated_body": 0.05}

    async def run() -> None:
        rates: dict[Fault | str, float] = {
            Fault(kind, retry_after="0.01"): rate  # type: ignore[arg-type]
            for kind, rate in faults.items()
        }
        async with ScriptedServer(faults=rates, latency=0.005) as server:
            chat = OpenAIChat(config_for(server, max_wait=120.0), meter=FreeMeter())
            async with chat:
                prompts = [(*PROMPT, Message(role="user", content=f"leaf {n}")) for n in range(100)]
                answers = await asyncio.gather(
                    *(chat.complete(prompt, schema=Verdict) for prompt in prompts)
                )
            assert all(answer.data for answer in answers)
            assert chat.limiter.in_flight == 0

    asyncio.run(run())


def test_an_answer_that_cannot_be_billed_is_kept() -> None:
    def broken(_: Attempt) -> None:
        raise OverflowError

    async def run() -> None:
        recall, meter = Recall(), FreeMeter()
        recall.under()
        async with (
            ScriptedServer(answer=lambda _: "paid words") as server,
            OpenAIChat(config_for(server), meter=meter, on_attempt=broken) as chat,
        ):
            answer = await chat.complete(PROMPT, schema=None)
        assert answer.text == "paid words"
        assert meter.open == 0
        assert isinstance(recall.error, BudgetError)

    asyncio.run(run())
