"""What the tests of kept runs share: a sandbox whose runs may stand for one another."""

from __future__ import annotations

from dataclasses import dataclass, field

from rubric_engine.isolation import Conditions, Execution, RunSpec
from rubric_engine.sandbox import LocalSandbox
from rubric_engine.submitted import Submission


@dataclass
class Alike:
    """Runs locally and says that it was isolated, on an image of that name.

    Attributes:
        image: The image.
        fields: What of its executions is otherwise.
        runs: How often it ran.
    """

    image: str = "sha256:1"
    fields: dict[str, object] = field(default_factory=dict)
    name: str = "alike"
    isolates: bool = True
    runs: int = 0

    async def conditions(self, submission: Submission, spec: RunSpec) -> Conditions:
        """See `isolation.Repeatable`; it has two cores."""
        limits = spec.limits.model_copy(update={"cpus": min(2.0, spec.limits.cpus)})
        return Conditions(self.image, "recipe", limits)

    async def run(self, submission: Submission, spec: RunSpec) -> Execution:
        """See `isolation.Sandbox`."""
        self.runs += 1
        execution = await LocalSandbox().run(submission, spec)
        changes = {"network": spec.network, "gpus": spec.gpus, "image": self.image} | self.fields
        return execution.model_copy(update=changes)
