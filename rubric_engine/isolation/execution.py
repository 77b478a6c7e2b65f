"""What came of a run of `reproduce.sh`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.files import File, Kind
from rubric_engine.isolation.asked import Network
from rubric_engine.limits import Limits
from rubric_engine.submitted import Submission

ExecutionStatus = Literal[
    "ok",
    "failed",
    "timeout",
    "oom",
    "killed",
    "disk_full",
    "no_script",
    "declared",
    "cancelled",
    "infra.image",
    "infra.engine",
    "infra.gpu",
    "infra.lost",
    "infra.install",
]


class Log(BaseModel):
    """Head and tail of what a run printed, standard output and error in one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    head: str = ""
    tail: str = ""
    omitted_bytes: int = Field(default=0, description="Bytes between head and tail.")

    @property
    def text(self) -> str:
        """The log as one text, with a line where bytes were left out."""
        if not self.omitted_bytes:
            return self.head + self.tail
        return f"{self.head}\n[... {self.omitted_bytes} bytes left out ...]\n{self.tail}"


@dataclass(frozen=True)
class LogFile:
    """The file of a log that is longer than what judges are shown; bounded, too.

    Attributes:
        path: The file; what stands in it is untrusted, and may be no text.
        holder: As long as it is in use, the file is there.
    """

    path: Path
    holder: object = None


class Device(BaseModel):
    """A GPU that a run was given, and the memory in use on it while no run of ours was there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(description="Its own id, such as `GPU-7a3f...`.")
    name: str = ""
    before: int | None = Field(default=None, description="Bytes in use before the run.")
    after: int | None = Field(default=None, description="Bytes in use after it.")


class Omitted(BaseModel):
    """Something that the run left and that was not taken out of the sandbox."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    size: int | None = Field(default=None, description="Bytes, where they are known.")
    why: str
    kind: Kind = Field(default="special", description="What it is; `binary` is any file.")


class Execution(BaseModel):
    """What happened when `reproduce.sh` was run.

    Only the submission's own endings (`ok`, `failed`, `timeout`, `oom`, `killed`, `disk_full`,
    `no_script`) may touch a grade; `infra` ones say that the sandbox failed, not the script, and
    `infra.install` that what is installed before it could not be: the script was not run.
    `declared` is a run made elsewhere, taken at its word.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    status: ExecutionStatus
    exit_code: int | None = None
    signal: int | None = Field(default=None, description="Signal that its exit code stands for.")
    oom_seen: bool = Field(default=False, description="Whether the kernel killed for memory.")
    duration_s: float | None = Field(default=None, description="Seconds, by the host's clock.")
    created: tuple[str, ...] = Field(default=(), description="Files that the run made.")
    modified: tuple[str, ...] = Field(default=(), description="Files whose content changed.")
    deleted: tuple[str, ...] = Field(default=(), description="Files that are gone.")
    copied: tuple[str, ...] = Field(
        default=(),
        description="Of what was made or changed: same content as a file that was handed in.",
    )
    odd_times: dict[str, int] = Field(
        default={},
        description="Of what was made or changed, and is no copy: seconds since 1970 when it was"
        " last changed, where that lies before or after the run.",
    )
    rewritten: tuple[str, ...] = Field(
        default=(),
        description="Files whose content is as it was, and whose time says that the run wrote it.",
    )
    removed_before: tuple[str, ...] = Field(
        default=(), description="Outputs that stood there and were removed before the run."
    )
    log: Log | None = Field(
        default=Log(), description="What it printed; None where nobody kept it."
    )
    log_file: LogFile | None = Field(
        default=None, exclude=True, description="The longer log, where there is one."
    )
    omitted: tuple[Omitted, ...] = Field(
        default=(), description="What it left and nobody took out: links, devices, what is too big."
    )
    image: str | None = Field(default=None, description="Image digest, where there is one.")
    engine: str = Field(default="", description="Engine and its version, where there is one.")
    network: Network | None = Field(
        default=None, description="Its network; None: nobody closed it."
    )
    gpus: tuple[str, ...] = Field(default=(), description="Ids of the devices it was given.")
    devices: tuple[Device, ...] = Field(
        default=(), description="These devices, where they could be looked at."
    )
    fault: str = Field(
        default="", description="What went wrong where the status is an `infra` one; untrusted."
    )
    notes: tuple[str, ...] = Field(
        default=(), description="What the sandbox says of the run, for its reader."
    )
    limits: Limits | None = Field(
        default=None, description="Its limits; the local sandbox holds those on time and log alone."
    )
    started: datetime | None = Field(default=None, description="By the host's clock.")
    peak_memory: int | None = Field(
        default=None,
        description="Bytes, where they were measured; in the local sandbox, its largest process.",
    )
    cpu_s: float | None = Field(default=None, description="Seconds of CPU time.")
    sandbox: str = Field(default="", description="Name of the sandbox.")
    isolates: bool = Field(default=False, description="Whether the sandbox isolated the run.")
    attempts: int = 1
    guessed: bool = Field(
        default=False, description="Whether what it made is told by kind of file, not known."
    )
    submission: Submission | None = Field(
        default=None, exclude=True, description="The executed submission."
    )

    @property
    def produced(self) -> frozenset[str]:
        """Paths that the run made or changed, without mere copies of what was handed in."""
        return frozenset(self.created).union(self.modified).difference(self.copied)

    @property
    def not_taken(self) -> tuple[File, ...]:
        """What was left in the sandbox, as entries of an index that no judge sees."""
        return tuple(
            File(left.path, left.size or 0, None, left.kind, f"left in the sandbox: {left.why}")
            for left in self.omitted
        )

    @property
    def usable(self) -> bool:
        """True where the outcome is the submission's own and may touch a grade."""
        return not self.status.startswith("infra") and self.status != "cancelled"
