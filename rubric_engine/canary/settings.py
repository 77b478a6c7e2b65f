"""What a judge card says of canaries."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class CanarySettings(BaseModel):
    """How many canaries a run has, and where they come from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    count: int = Field(ge=0, le=1000, description="How many.")
    seed: int = Field(default=0, description="Another seed draws others.")
    rubrics: tuple[str, ...] = Field(
        default=(),
        description="Tasks whose leaves they are, by name or path; the shipped ones by default.",
    )


def spelt_out(value: object) -> object:
    """Read the short spelling: a number, as YAML or as text."""
    number = value.strip() if isinstance(value, str) else value
    if isinstance(number, str) and number.isdecimal():
        number = int(number)
    if isinstance(number, int) and not isinstance(number, bool):
        return {"count": number}
    return value
