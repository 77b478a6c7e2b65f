"""How a set is run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.tasksets.grounding import FindClaims, claims_of
from rubric_engine.benchmarks.tasksets.identity import Asked
from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.model import ChatModel


@dataclass(frozen=True)
class How:
    """How a set is run; see `running.run_task_set`."""

    agent: Asked
    judge: str
    model: Mapping[str, Any] | ChatModel
    spending: Spending = NO_LIMIT
    concurrency: int = 4
    retries: int = 1
    agent_timeout: float | None = None
    runs: Path = Path("runs")
    claims: FindClaims | None = claims_of
