"""What the card of a `simple` judge says, and the prompts beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.errors import JudgeCardError
from rubric_engine.model import ModelConfig, text_hash

FORMAT = 1
"""Version of what is passed to the prompts; part of the fingerprint."""


class EvidenceSettings(BaseModel):
    """How much a prompt holds, and who chooses it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_chars: Annotated[int, Field(ge=1000)] | Literal["all"] = Field(
        default=120_000, description="Characters of files, log and receipt; all is what fits."
    )
    selection: Literal["ranked", "model"] = Field(
        default="ranked",
        description="Where not all files fit, those come first that share most words with the "
        "criteria (ranked), or those that the model names, asked once for each group (model).",
    )


class PromptFiles(BaseModel):
    """Names of the prompt templates, relative to the card."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    system: str = "system.jinja2"
    paper: str = "paper.jinja2"
    part: str = "part.jinja2"
    leaf: str = "leaf.jinja2"
    rank: str = "rank.jinja2"
    topic: str = "topic.jinja2"


class SimpleSettings(BaseModel):
    """The settings of a `simple` judge."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: ModelConfig
    evidence: EvidenceSettings = EvidenceSettings()
    prompts: PromptFiles = PromptFiles()


_RANKING = frozenset({"rank", "topic"})


def read_prompts(settings: SimpleSettings, folder: Path) -> dict[str, str]:
    """Read the templates that a judge uses: those of ranking only where the model ranks.

    Args:
        settings: What the card says.
        folder: Where the card lies.

    Returns:
        Text by name.

    Raises:
        JudgeCardError: One is missing.
    """
    texts = {}
    ranks = settings.evidence.selection == "model"
    for name, file in settings.prompts.model_dump().items():
        if name in _RANKING and not ranks:
            continue
        path = folder / file
        try:
            texts[name] = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise JudgeCardError(
                f"prompt {name!r} cannot be read: {path}: {error}",
                fix=["copy the folder of the shipped card `simple`, which holds all prompts"],
            ) from None
    return texts


def prompt_hashes(texts: dict[str, str]) -> dict[str, str]:
    """What of the prompts goes into a fingerprint."""
    return {name: text_hash(text) for name, text in texts.items()} | {"format": str(FORMAT)}
