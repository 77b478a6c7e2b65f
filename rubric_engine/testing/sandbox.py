"""A sandbox that runs nothing."""

from __future__ import annotations

from dataclasses import dataclass

from rubric_engine.isolation import Execution, RunSpec
from rubric_engine.submitted import Submission


@dataclass
class FakeSandbox:
    """A sandbox that runs nothing and returns the execution it was given.

    Attributes:
        execution: What `run` returns; where it names no executed submission, the one handed in.
        isolates: Whether it claims to isolate.
        name: Its name in executions.
    """

    execution: Execution
    isolates: bool = True
    name: str = "fake"

    async def run(self, submission: Submission, spec: RunSpec) -> Execution:
        """Return the execution."""
        if self.execution.submission is not None:
            return self.execution
        return self.execution.model_copy(update={"submission": submission})
