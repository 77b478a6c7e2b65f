"""What the tests of the client share: a schema, a config for a server, and one that answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, Field

from rubric_engine.model import Completion, Message, ModelConfig
from rubric_engine.models import Attempt, Capabilities, FreeMeter, OpenAIChat
from rubric_engine.testing import ScriptedServer


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
