"""What the card of a `simple` judge says, and the prompts beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from rubric_engine.model import ModelConfig
from rubric_engine.rubric_file.typed import converter

FORMAT = 1
"""Version of what is passed to the prompts; part of the fingerprint."""

LEAST_CHARS = 1000
"""Least room for evidence that a card may set."""


def room(value: object) -> object:
    """Refuse what is neither of the two, in one sentence for both."""
    number = isinstance(value, int) and not isinstance(value, bool) and value >= LEAST_CHARS
    if number or value == "all":
        return value
    raise ValueError(f"must be a whole number of at least {LEAST_CHARS}, or all")


def spelt_out(model: type[BaseModel]) -> Callable[[object], object]:
    """What reads `evidence`, the short spelling too; what is wrong inside keeps its place.

    Args:
        model: What it is read as.
    """

    def read(value: object) -> object:
        if value == "all":
            return {"max_chars": "all"}
        return value if isinstance(value, model) else converter(model)(value)

    return read


class EvidenceSettings(BaseModel):
    """How much a prompt holds, and who chooses it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_chars: Annotated[int | Literal["all"], BeforeValidator(room)] = Field(
        default=120_000,
        description=f"Characters of files, log and receipt, at least {LEAST_CHARS}; `all` is what "
        "fits.",
    )
    selection: Literal["ranked", "model"] = Field(
        default="ranked",
        description="Where not all files fit, those come first that share most words with the "
        "criteria (`ranked`), or those that the model names, asked once for each group (`model`).",
    )


class PromptFiles(BaseModel):
    """Names of the prompt templates, relative to the card."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    system: str = Field(default="system.jinja2", description="What a judge is told at first.")
    paper: str = Field(default="paper.jinja2", description="Paper, addenda, attachments.")
    part: str = Field(default="part.jinja2", description="One part of the evidence.")
    leaf: str = Field(default="leaf.jinja2", description="What is the leaf's own: the criterion.")
    rank: str = Field(
        default="rank.jinja2", description="What the model is told that names files to show."
    )
    topic: str = Field(default="topic.jinja2", description="The subtree that they are for.")


class SimpleSettings(BaseModel):
    """The settings of a `simple` judge."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: ModelConfig = Field(description="The model that is asked, and how.")
    evidence: Annotated[EvidenceSettings, BeforeValidator(spelt_out(EvidenceSettings))] = Field(
        default=EvidenceSettings(),
        description="What a prompt holds of the submission; `all` is short for `{max_chars: all}`.",
    )
    prompts: PromptFiles = Field(
        default=PromptFiles(), description="Names of the templates, relative to the card."
    )


_RANKING = frozenset({"rank", "topic"})


def prompt_files(settings: SimpleSettings, folder: Path) -> dict[str, Path]:
    """Where the templates of a card stand, by name: those of ranking only where the model ranks.

    Args:
        settings: What the card says.
        folder: Where the card lies.
    """
    ranks = settings.evidence.selection == "model"
    names = settings.prompts.model_dump().items()
    return {name: folder / file for name, file in names if ranks or name not in _RANKING}
