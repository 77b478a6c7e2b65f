"""What a measured process says of itself."""

from __future__ import annotations

import json
import resource
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True)
class Figures:
    """One process's work.

    Attributes:
        wall: Seconds on the clock for the work itself.
        whole: The same with loading the judge and writing the report.
        cpu: Seconds of processor time, on all cores.
        peak_mb: Most memory of the process since it began, in millions of bytes.
        leaves: Leaves, or calls where nothing is graded.
        graded: Of them, those that got an answer.
    """

    wall: float
    whole: float
    cpu: float
    peak_mb: float
    leaves: int
    graded: int

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote."""
        return cls(**json.loads(text))

    def to_json(self) -> str:
        """Write as JSON."""
        return json.dumps(asdict(self))


def peak_mb() -> float:
    """Most memory that this process ever had, in millions of bytes."""
    status = Path("/proc/self/status")
    if status.is_file():  # Linux counts the parent's peak in `ru_maxrss`, but not here
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
