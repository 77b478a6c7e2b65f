"""The traffic of many runs side by side."""

from __future__ import annotations

import asyncio
import gc
import weakref
from pathlib import Path

from rubric_engine.benchmarks.traffics import Traffics
from rubric_engine.connection import Connection, Spending, Traffic
from rubric_engine.model import Message
from rubric_engine.testing import ScriptedModel


def test_of_a_run_that_has_ended_the_figures_stay_and_nothing_else(tmp_path: Path) -> None:
    traffics = Traffics()
    spending = Spending(watch=traffics.add)

    async def run(number: int) -> weakref.ref[Connection]:
        model = ScriptedModel()
        async with Connection(tmp_path, f"r{number}", spending, model) as connection:
            asked = connection.connect(model.config)
            for text in ("the same", f"question {number}"):
                await asked.complete([Message(role="user", content=text)], schema=None)
        return weakref.ref(connection)

    ended = [asyncio.run(run(number)) for number in range(3)]
    gc.collect()
    assert [each() for each in ended] == [None] * 3
    assert (traffics.total().asked, traffics.total().replayed) == (4, 2)


def test_what_goes_on_counts_beside_what_has_ended() -> None:
    traffics = Traffics()
    end = traffics.add(lambda: Traffic(in_flight=2, asked=3, tokens=5, waiters=1))
    traffics.add(lambda: Traffic(in_flight=1, asked=4, tokens=5))
    assert (traffics.total().in_flight, traffics.total().waiters) == (2, 1)
    end()
    assert traffics.total() == Traffic(in_flight=1, asked=7, tokens=5)
