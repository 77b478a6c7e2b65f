"""The claims of an answer, against what the agent was given."""

from __future__ import annotations

import pytest

from rubric_engine.benchmarks.tasksets.agent import AgentTask, GivenFile
from rubric_engine.benchmarks.tasksets.answer import Claims
from rubric_engine.benchmarks.tasksets.grounding import claims_of

GIVEN = (GivenFile(path="data/runs.csv", text="seed,accuracy\n1,0.8731\n2,0.9042\n"),)


@pytest.mark.parametrize(
    ("answer", "claims", "ungrounded"),
    [
        ("The accuracy is 0.873 and 90.4 %.", 2, 0),
        ("The accuracy is 0.873 and 0.951.", 2, 1),
        ("See `data/runs.csv` and `data/more.csv`.", 2, 1),
        ("Nothing is claimed.", 0, 0),
    ],
)
def test_claims_are_held_against_what_was_given(answer: str, claims: int, ungrounded: int) -> None:
    task = AgentTask(task_id="t", question="How accurate?", resources=GIVEN, words="How accurate?")
    assert claims_of(task, answer) == Claims(claims=claims, ungrounded=ungrounded)


def test_without_resources_nothing_is_said() -> None:
    task = AgentTask(task_id="t", question="How accurate?", words="How accurate?")
    assert claims_of(task, "It is 0.951.") is None
