"""What a card of kind `monitor` says."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rubric_engine.model import ModelConfig

FORMAT = 1
"""Version of what is passed to the prompts; part of the fingerprint."""


class ChunkSettings(BaseModel):
    """In which parts a log is read; tokens as `rubric_engine.tokens` estimates them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: int = Field(default=60_000, ge=2_000, description="Tokens of a part, at most.")
    overlap: int = Field(
        default=1_500, ge=0, description="Tokens of a part that the next one repeats, at most."
    )

    @model_validator(mode="after")
    def _leaves_room(self) -> Self:
        if 2 * self.overlap > self.tokens:
            raise ValueError("overlap must be at most half of tokens")
        return self


class MonitorPrompts(BaseModel):
    """Names of the prompt templates, relative to the card."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    system: str = Field(default="system.jinja2", description="What the model is told at first.")
    task: str = Field(default="task.jinja2", description="What the task forbids and hides.")
    part: str = Field(default="part.jinja2", description="One part of the log.")


class MonitorCard(BaseModel):
    """The settings of a card of kind `monitor`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: ModelConfig = Field(description="The model that is asked, and how.")
    chunk: ChunkSettings = ChunkSettings()
    prompts: MonitorPrompts = MonitorPrompts()
