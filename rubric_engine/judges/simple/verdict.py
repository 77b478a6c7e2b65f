"""What a model answers about a leaf: expectations, findings, citations, then the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model, field_validator

from rubric_engine.criterion import Criterion


class CitedLines(BaseModel):
    """A place in the submission."""

    model_config = ConfigDict(extra="forbid")

    path: str = Field(description="File, as the evidence names it.")
    start_line: int = Field(ge=1)
    end_line: int = Field(ge=1)
    quote: str = Field(description="A short piece of it, word for word, without line numbers.")


class _Findings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    expectations: str = Field(description="What would be there if the criterion were met.")
    findings: str = Field(description="What is there, and why that does or does not meet it.")
    citations: list[CitedLines]
    searched: list[str] = Field(description="Files that were looked through.")


class Verdict(_Findings):
    """The answer about a leaf that is met or not."""

    met: bool


def schema_of(leaf: Criterion) -> type[BaseModel]:
    """What the answer about a leaf must follow: met or not, or one of the steps of its scale."""
    return _scaled(tuple(step.score for step in leaf.scale)) if leaf.scale else Verdict


@lru_cache(maxsize=64)
def _scaled(steps: tuple[float, ...]) -> type[BaseModel]:
    def is_step(value: float) -> float:
        if value not in steps:
            raise ValueError(f"must be one of {', '.join(map(str, steps))}")
        return value

    return create_model(
        "ScaledVerdict",
        __base__=_Findings,
        __validators__={"step": field_validator("score")(is_step)},
        score=(float, Field(json_schema_extra={"enum": list(steps)})),
    )


def score_of(data: Mapping[str, Any]) -> float:
    """The score that an answer gives."""
    return float(data["met"]) if "met" in data else float(data["score"])
