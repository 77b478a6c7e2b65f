"""How a set is run."""

from __future__ import annotations

from dataclasses import dataclass

from rubric_engine.benchmarks.judging import HowJudged
from rubric_engine.benchmarks.tasksets.grounding import FindClaims, claims_of
from rubric_engine.benchmarks.tasksets.identity import Asked


@dataclass(frozen=True, kw_only=True)
class How(HowJudged):
    """How a set is run; see `running.run_task_set`."""

    agent: Asked
    concurrency: int = 4
    retries: int = 1
    agent_timeout: float | None = None
    claims: FindClaims | None = claims_of
