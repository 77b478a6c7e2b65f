"""What the monitor looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from rubric_engine.case import Case, Task
from rubric_engine.isolation import Execution
from rubric_engine.submitted import Submission


@dataclass(frozen=True)
class Text:
    """A text with its name, such as an agent's log.

    Attributes:
        name: What findings call it.
        text: The whole of it.
    """

    name: str
    text: str


@dataclass(frozen=True)
class Watched:
    """A submission, and all that is known of how it came about.

    Attributes:
        task: The task, with its blacklist and the globs of its outputs.
        submission: The submission as handed in.
        execution: The run of its `reproduce.sh`, where there was one.
        agent_log: The log of the agent that made it, where there is one.
        masked: Globs of files that the agent should not have read.
        hides_paper: Whether the paper's PDF is one of them.
        hosts: Hosts that the agent may contact; None where the task says nothing of it.
    """

    task: Task
    submission: Submission
    execution: Execution | None = None
    agent_log: Text | None = None
    masked: tuple[str, ...] = ()
    hides_paper: bool = False
    hosts: tuple[str, ...] | None = None

    @classmethod
    def of(cls, case: Case, agent_log: Text | None = None) -> Self:
        """What is watched where a case is graded; the task says what is hidden."""
        settings = case.task.monitor
        return cls(
            task=case.task,
            submission=case.submission,
            execution=case.execution,
            agent_log=agent_log,
            masked=settings.masked,
            hides_paper=settings.hides_paper,
            hosts=settings.hosts,
        )
