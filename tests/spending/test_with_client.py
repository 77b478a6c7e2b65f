"""A budget as the meter of a real client and a real server."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from rubric_engine.errors import BudgetError
from rubric_engine.model import Message, ModelConfig, OverBudget, Price
from rubric_engine.models import OpenAIChat
from rubric_engine.models.meter import Meter
from rubric_engine.spending import Account, Budget, price_of
from rubric_engine.testing import ScriptedServer

PROMPT = [Message(role="user", content="Is it met? " * 20)]


async def ask(server: ScriptedServer, calls: int, **caps: Any) -> Budget:
    config = ModelConfig(
        name="small", base_url=server.base_url, price=Price(input=1, output=2), max_output_tokens=50
    )
    budget = Budget(price_of(config), config=config, account=Account(**caps))
    # A meter by its shape: spending and models do not know each other.
    async with OpenAIChat(config, meter=cast(Meter, budget)) as chat:
        for _ in range(calls):
            await chat.complete(PROMPT, schema=None)
    return budget


def test_what_is_spent_is_what_the_server_counted() -> None:
    async def run() -> tuple[Budget, int]:
        async with ScriptedServer() as server:
            return await ask(server, 3, max_cost=1.0), len(server.requests)

    budget, sent = asyncio.run(run())
    assert sent == 3
    assert budget.account.reserved_tokens == 0
    assert 0 < budget.account.spent_tokens < 3 * 1_000
    assert 0 < (budget.account.spent_dollars or 0) < 0.01


def test_a_call_that_could_pass_the_cap_is_never_sent() -> None:
    async def run() -> int:
        async with ScriptedServer() as server:
            with pytest.raises(OverBudget):
                await ask(server, 1, max_tokens=100)
            return len(server.requests)

    assert asyncio.run(run()) == 0


def test_a_server_that_bills_more_stops_the_run() -> None:
    async def run() -> int:
        async with ScriptedServer(fault_at={1: "overbilled"}) as server:
            with pytest.raises(BudgetError, match="billed"):
                await ask(server, 3, max_cost=1.0)
            return len(server.requests)

    assert asyncio.run(run()) == 1
