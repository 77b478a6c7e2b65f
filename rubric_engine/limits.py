"""What a run of `reproduce.sh` may use."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from rubric_engine.units import as_bytes, as_seconds

Size = Annotated[int, BeforeValidator(as_bytes)]
Seconds = Annotated[float, BeforeValidator(as_seconds)]

_MIB = 1 << 20
_GIB = 1 << 30

LEAST_MEMORY = 16 * _MIB
"""Bytes of memory below which nothing is run."""

# Past these no machine goes, and past some of them engines cannot read the number.
_MOST_BYTES = 1 << 50
_MOST_SECONDS = 10 * 366 * 86_400
_MOST_PIDS = 1 << 22
_MOST_CPUS = 1 << 16
_MOST_FILES = 10**9


class Limits(BaseModel):
    """What a run of `reproduce.sh` may use; sizes may be given as `4g`, times as `12h`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    time: Seconds = Field(
        default=3600.0,
        gt=0,
        le=_MOST_SECONDS,
        allow_inf_nan=False,
        description="Seconds, by clock.",
    )
    log_bytes: Size = Field(
        default=10_000_000,
        ge=1000,
        le=_MOST_BYTES,
        description="Bytes of log that judges may be shown.",
    )
    log_file_bytes: Size = Field(
        default=100_000_000,
        ge=1000,
        le=_MOST_BYTES,
        description="Bytes of log in `reproduce.log`; never fewer than `log_bytes`.",
    )
    memory: Size = Field(
        default=4 * _GIB, ge=LEAST_MEMORY, le=_MOST_BYTES, description="Bytes; there is no swap."
    )
    cpus: float = Field(
        default=2.0,
        ge=0.01,
        le=_MOST_CPUS,
        allow_inf_nan=False,
        description="Cores' worth of time.",
    )
    pids: int = Field(
        default=512, ge=8, le=_MOST_PIDS, description="Processes and threads at a time."
    )
    disk: Size = Field(
        default=10 * _GIB, ge=_MIB, le=_MOST_BYTES, description="Bytes it may write, `/tmp` aside."
    )
    tmp: Size = Field(
        default=_GIB, ge=_MIB, le=_MOST_BYTES, description="Bytes of `/tmp`, which is memory."
    )
    shm: Size = Field(
        default=64 * _MIB, ge=_MIB, le=_MOST_BYTES, description="Bytes of shared memory."
    )
    out_bytes: Size = Field(
        default=2 * _GIB, ge=1, le=_MOST_BYTES, description="Bytes of files taken out."
    )
    out_files: int = Field(default=50_000, ge=1, le=_MOST_FILES, description="Files taken out.")
