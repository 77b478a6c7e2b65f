"""The seam itself: what a sandbox is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from rubric_engine.isolation.asked import RunSpec
from rubric_engine.isolation.execution import Execution
from rubric_engine.limits import Limits
from rubric_engine.submitted import Submission


@dataclass(frozen=True)
class Conditions:
    """What a run stands on besides the submission and what is asked for.

    Attributes:
        image: Digest of the image.
        recipe: The recipe, told by content.
        limits: The limits that will hold.
    """

    image: str
    recipe: str
    limits: Limits


@runtime_checkable
class Repeatable(Protocol):
    """A sandbox whose runs come out alike, so that one that was kept may stand for the next."""

    async def conditions(self, submission: Submission, spec: RunSpec) -> Conditions:
        """What a run of this submission would stand on.

        Raises:
            SandboxError: It cannot be told.
        """
        ...


@runtime_checkable
class Sandbox(Protocol):
    """Runs the `reproduce.sh` of a submission on a copy of it.

    Attributes:
        name: Its name in executions.
        isolates: Whether the script can do no harm outside the copy.
    """

    name: str
    isolates: bool

    async def run(self, submission: Submission, spec: RunSpec) -> Execution:
        """Run it and return what happened; the submission itself is never changed.

        Raises:
            SandboxError: The sandbox could not do its work.
        """
        ...
