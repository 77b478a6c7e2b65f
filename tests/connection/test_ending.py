"""How the models of a run are closed, also where that is interrupted."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from rubric_engine.connection import Connection
from rubric_engine.testing import ScriptedServer
from tests.connection.test_connection import config, prompt


def writers() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if each.name == "ledger"}


def test_a_closing_that_is_cancelled_leaves_no_ledger_open(tmp_path: Path) -> None:
    """Its claims would be held by a living process: whoever asks again would wait for ever."""
    before = writers()

    async def go(address: ScriptedServer) -> None:
        async with Connection(tmp_path, "run") as connection:
            await connection.connect(config(address)).complete(prompt(1), schema=None)
            own = asyncio.current_task()
            assert own is not None
            own.cancel()  # what is awaited next is that the clients close

    with ScriptedServer() as server, pytest.raises(asyncio.CancelledError):
        asyncio.run(go(server))
    assert writers() == before
