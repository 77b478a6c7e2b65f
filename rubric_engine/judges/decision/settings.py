"""What the card of a `decision` judge says, and the prompts beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from rubric_engine.decision import RequestLimits
from rubric_engine.grading import Fraction
from rubric_engine.judges.simple.settings import room, spelt_out
from rubric_engine.model import ModelConfig

FORMAT = 1
"""Version of what is passed to the prompts and of the questions; part of the fingerprint."""

_NOT_SENT = ("temperature", "reasoning_effort", "seed")


class DecisionEvidence(BaseModel):
    """How much an input holds of the submission."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_chars: Annotated[int | Literal["all"], BeforeValidator(room)] = Field(
        default=120_000,
        description="Characters of files, log and receipt, at least 1000; `all` is what half of "
        "`input_tokens` holds.",
    )


class DecisionPrompts(BaseModel):
    """Names of the prompt templates, relative to the card."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    system: str = Field(default="system.jinja2", description="What the model is told at first.")
    paper: str = Field(default="paper.jinja2", description="Paper, addenda, attachments.")
    part: str = Field(default="part.jinja2", description="One part of the evidence.")
    leaf: str = Field(default="leaf.jinja2", description="The question about a leaf.")


class Verdicts(BaseModel):
    """What a probability makes of a leaf."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    threshold: Fraction = Field(
        default=0.5, description="Least probability of a leaf that counts as met."
    )
    expected: bool = Field(
        default=False,
        description="Whether a leaf's score is what is expected of it, in place of a verdict; only "
        "where every group above is a weighted mean.",
    )


class DecisionSettings(Verdicts):
    """The settings of a `decision` judge."""

    model: ModelConfig = Field(description="The model that is asked, and how.")
    requests: RequestLimits = Field(
        default=RequestLimits(), description="The protocol, and what a request may hold."
    )
    evidence: Annotated[DecisionEvidence, BeforeValidator(spelt_out(DecisionEvidence))] = Field(
        default=DecisionEvidence(), description="What an input holds of the submission."
    )
    prompts: DecisionPrompts = Field(
        default=DecisionPrompts(), description="Names of the templates, relative to the card."
    )

    @property
    def most_tokens(self) -> int:
        """Most tokens of one request: what the card allows, within the model's window."""
        return min(self.requests.input_tokens, self.model.context_tokens)

    @field_validator("model")
    @classmethod
    def _is_sent(cls, model: ModelConfig) -> ModelConfig:
        """Refuse what neither protocol has a place for."""
        for name in _NOT_SENT:
            if getattr(model, name) is not None:
                raise ValueError(f"a decision model takes no {name!r}: leave it out")
        return model


def prompt_files(settings: DecisionSettings, folder: Path) -> dict[str, Path]:
    """Where the templates of a card stand, by name."""
    return {name: folder / file for name, file in settings.prompts.model_dump().items()}
