"""What is asked of a sandbox: how a submission is to be run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.limits import Limits

Network = Literal["none", "install", "open"]

SCRIPT = "reproduce.sh"
SETUP = "setup.sh"
"""What a submission installs with, where its network is `install`."""


class RunSpec(BaseModel):
    """How a submission is to be run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    limits: Limits = Limits()
    outputs: tuple[str, ...] = Field(
        default=(), description="Globs of results; what matches is removed before the run."
    )
    skip: tuple[str, ...] | None = Field(default=None, description="See `Task.skip`.")
    network: Network = Field(
        default="none",
        description="install: a first container is online and installs; open: the script is.",
    )
    gpus: tuple[str, ...] = Field(default=(), description="Device ids.")
    secrets: Mapping[str, str] = Field(
        default={}, exclude=True, repr=False, description="Variables for the script alone."
    )
