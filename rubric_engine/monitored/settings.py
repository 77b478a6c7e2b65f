"""What a task says of the monitor."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.globs import Glob

Policy = Literal["flag", "auto"]


class MonitorSettings(BaseModel):
    """The key `monitor` of `task.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    policy: Policy = Field(
        default="flag",
        description="flag: a person decides; auto: a violation disqualifies by itself.",
    )
    masked: tuple[Glob, ...] = Field(
        default=(), description="Globs of files that whoever answers should not have read."
    )
    hides_paper: bool = Field(
        default=False, description="Whether whoever answers should not have read the paper's PDF."
    )
    reports: tuple[str, ...] = Field(
        default=(),
        description="Files that report, beside READMEs and what is called a report; the part behind"
        " # is a JSON pointer to the text that counts: answer.json#/conclusion.",
    )
    hosts: tuple[str, ...] | None = Field(
        default=None, description="Hosts that may be contacted; without it none is suspicious."
    )
