"""A model whose answers depend on the prompt alone, and a ledger in a fresh folder."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from pydantic import BaseModel

from rubric_engine.ledger import Ledger
from rubric_engine.model import Completion, Message, ModelConfig, Usage

CONFIG = ModelConfig(name="asked-for")


class Verdict(BaseModel):
    """What the model of these tests answers."""

    met: bool


def prompt(text: str) -> list[Message]:
    """A prompt whose first part all share."""
    return [Message(role="system", content="shared " * 2000), Message(role="user", content=text)]


class Asked:
    """A chat model that counts how often it is asked for each prompt's last part.

    Args:
        answer: Gives the answer to the last part, or raises.
        gate: Awaited before every answer.
    """

    def __init__(
        self,
        answer: Callable[[str], Completion] | None = None,
        gate: asyncio.Event | None = None,
    ) -> None:
        self.config = CONFIG
        self.asked: Counter[str] = Counter()
        self.started = asyncio.Event()
        self._answer = answer or plain
        self._gate = gate

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        """Answer."""
        self.asked[messages[-1].content] += 1
        self.started.set()
        if self._gate is not None:
            await self._gate.wait()
        return self._answer(messages[-1].content)


def plain(text: str) -> Completion:
    """The answer to a prompt that ends in a text."""
    return Completion(
        text=f"answer to {text}",
        data={"met": True, "why": text},
        usage=Usage(input_tokens=10, cached_tokens=4, output_tokens=2),
        answered_model="answering",
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the ledger of a test lies."""
    return tmp_path / "runs" / "ledger.sqlite"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    """An open ledger."""
    with Ledger.open(path) as opened:
        yield opened
