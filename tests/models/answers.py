"""What the tests of the client share: a schema, a config for a server, and one that answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, Field

from rubric_engine.model import Completion, Message, ModelConfig
from rubric_engine.models import Attempt, Capabilities, FreeMeter, OpenAIChat
from rubric_engine.testing import ScriptedServer
from rubric_engine.testing.wire import HttpRequest, HttpResponse, read_request, send


class Citation(BaseModel):
    path: str
    line: int


class Verdict(BaseModel):
    expectation: str
    citations: list[Citation] = Field(default_factory=list)
    met: bool


class Scored(BaseModel):
    explanation: str
    score: float = Field(ge=0, le=1)


PROMPT = (
    Message(role="system", content="You grade."),
    Message(role="user", content="the shared part"),
    Message(role="user", content="the leaf's own part"),
)


def config_for(server: ScriptedServer, **settings: Any) -> ModelConfig:
    settings = {"max_wait": 20.0, "key_env": "RUBRIC_TEST_KEY", **settings}
    return ModelConfig(name="scripted", base_url=server.base_url, **settings)


@dataclass
class Asked:
    """What one call left behind."""

    attempts: list[Attempt] = field(default_factory=list)
    meter: FreeMeter = field(default_factory=FreeMeter)
    capabilities: Capabilities = field(default_factory=Capabilities)

    @property
    def errors(self) -> list[str | None]:
        return [attempt.error for attempt in self.attempts]

    async def ask(
        self,
        config: ModelConfig,
        messages: tuple[Message, ...] = PROMPT,
        *,
        schema: type[BaseModel] | None = Verdict,
        sample: int = 0,
        calls: int = 1,
    ) -> Completion:
        async with OpenAIChat(
            config,
            meter=self.meter,
            capabilities=self.capabilities,
            on_attempt=self.attempts.append,
        ) as chat:
            for _ in range(calls):
                completion = await chat.complete(messages, schema=schema, sample=sample)
        return completion


@asynccontextmanager
async def saying(respond: Callable[[HttpRequest], HttpResponse]) -> AsyncIterator[ModelConfig]:
    """A server that says anything, and the config to ask it; leave when no client is open."""
    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(asyncio.current_task())  # type: ignore[arg-type]  # it runs in one
        while request := await read_request(reader):
            await send(writer, respond(request))
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        yield ModelConfig(name="m", base_url=url, key_env="RUBRIC_TEST_KEY", max_wait=0)
        await asyncio.gather(*serving)
