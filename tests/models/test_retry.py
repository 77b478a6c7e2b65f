"""How long a call goes on without an answer."""

from __future__ import annotations

import asyncio
import math

import pytest

from rubric_engine.models import FreeMeter, OpenAIChat
from rubric_engine.models.faults import AttemptFault
from rubric_engine.models.retry import CallState, Patience, attempts
from rubric_engine.testing import Fault, ScriptedServer
from tests.models.answers import PROMPT, config_for

SLOW = 100.0
"""Seconds that the failed attempt is said to have taken."""


@pytest.mark.parametrize(
    ("patience", "made"),
    [
        (Patience(waits=math.inf, spent=math.inf), 2),
        (Patience(waits=0.01, spent=SLOW), 2),
        (Patience(waits=0.0, spent=math.inf), 1),
        (Patience(waits=math.inf, spent=SLOW - 1), 1),
    ],
)
def test_both_the_waits_and_the_time_spent_are_bounded(patience: Patience, made: int) -> None:
    call, tries = CallState("somewhere"), []

    async def attempt() -> None:
        tries.append(1)
        if len(tries) == 1:
            call.failed += SLOW
            raise AttemptFault("server", "no", wait=0.005)

    async def run() -> None:
        retrying = attempts(call, patience=lambda _: patience, worth=lambda _: True)
        if made == 2:
            await retrying(attempt)
        else:
            with pytest.raises(AttemptFault):
                await retrying(attempt)

    asyncio.run(run())
    assert len(tries) == made


def test_time_in_the_queue_of_a_paced_endpoint_is_no_patience_lost() -> None:
    """The second call waits seconds for its turn, more than it would wait for an answer."""
    fault = Fault("500", headers=(("Retry-After", "0"),))

    async def run() -> None:
        async with ScriptedServer(fault_at={2: fault}) as server:
            config = config_for(server, max_wait=0.1, timeout=1.0, requests_per_minute=24)
            async with OpenAIChat(config, meter=FreeMeter()) as chat:
                for _ in range(2):
                    assert (await chat.complete(PROMPT, schema=None)).text

    asyncio.run(run())
