"""A process that asks for some keys through a ledger and says on stdout what it does.

    python -m tests.ledger.child LEDGER KEYS TASKS [hold] [billed]

`ask N` before the model answers, `done N` once the ledger has it, `lost` where the disk refused.
With `hold` the model never answers; with `billed` its attempt was billed before.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from rubric_engine.ledger import BilledAttempt, Ledger, RecordedModel
from rubric_engine.model import Completion, Message, ModelConfig, Usage

LOST = BilledAttempt(run="r", bound=Usage(input_tokens=1000), dollars=0.25)
"""What a request counts if this process dies over it."""


def say(line: str) -> None:
    """Write a line at once, whole."""
    os.write(1, f"{line}\n".encode())


class Speaking:
    """A chat model that says what it is asked."""

    config = ModelConfig(name="child")

    def __init__(self, ledger: Ledger, *, hold: bool, billed: bool) -> None:
        self._ledger = ledger
        self._billed = billed
        self._hold = hold

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        """Answer with the prompt's last part, a few turns of the loop later."""
        number = messages[-1].content
        await self._ledger.sending(LOST)
        if self._billed:
            self._ledger.bill(BilledAttempt(run="r", usage=Usage(input_tokens=7), dollars=0.01))
            self._ledger.info()  # returns once what was queued before is written
        say(f"ask {number}")
        for _ in range(int(number) % 7):
            await asyncio.sleep(0)
        if self._hold:
            await asyncio.Event().wait()
        return Completion(text=f"{number} " * 200)


async def run(model: RecordedModel, keys: int, tasks: int) -> None:
    """Ask for every key."""
    numbers = iter(range(keys))
    shared = Message(role="system", content="shared " * 5000)

    async def work() -> None:
        for number in numbers:
            own = Message(role="user", content=str(number))
            answer = await model.complete([shared, own], schema=None)
            say(f"done {number} {answer.key}")

    await asyncio.gather(*(work() for _ in range(tasks)))


if __name__ == "__main__":
    with Ledger.open(Path(sys.argv[1])) as ledger:
        recorded = RecordedModel(
            Speaking(ledger, hold="hold" in sys.argv, billed="billed" in sys.argv), ledger, run="r"
        )
        asyncio.run(run(recorded, int(sys.argv[2]), int(sys.argv[3])))
