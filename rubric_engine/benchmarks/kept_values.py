"""Values that files of results hold, which people can edit."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

RunName = Annotated[str, Field(pattern=r"^\w[\w.-]*$", max_length=200)]
"""Name of a run: of a folder beside the ledger, and no way to anywhere else."""

Amount = Annotated[float, Field(ge=0, le=1e15, allow_inf_nan=False)]
"""Calls, tokens or dollars; a sum of them is still a number."""

ExitCode = Annotated[int, Field(ge=0, le=255)]
"""What a process can end with."""
