"""Claims of an answer to a task, held against what the agent was given; pure."""

from __future__ import annotations

from rubric_engine.benchmarks.tasksets.agent import AgentTask
from rubric_engine.benchmarks.tasksets.answer import Claims
from rubric_engine.monitor.claims import Grounds, file_claims, number_claims


def claims_of(task: AgentTask, answer: str) -> Claims | None:
    """Count the numbers and files that an answer claims, and those that nothing given bears out.

    Args:
        task: What the agent was given.
        answer: What it said.

    Returns:
        The counts; None where it was given no resource: then nothing could bear a number out.
    """
    if not task.resources:
        return None
    texts = (task.words, *(resource.text for resource in task.resources))
    grounds = Grounds.of(texts, (resource.path for resource in task.resources))
    numbers = [grounds.bears(claim) for claim in number_claims(answer)]
    files = [grounds.has(claim) for claim in file_claims(answer)]
    borne_out = [*numbers, *files]
    return Claims(claims=len(borne_out), ungrounded=borne_out.count(False))
