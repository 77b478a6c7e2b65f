"""What is graded, and how: a question with its task and base, and the settings of a grading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rubric_engine.benchmarks.expbench.task import ExpTask
from rubric_engine.benchmarks.judging import HowJudged
from rubric_engine.case import Task
from rubric_engine.isolation import RunSpec, Sandbox
from rubric_engine.judge import JudgeCard

_RULES = "rules"


@dataclass(frozen=True)
class Question:
    """A question, the task that it became, and its masked repository where there is one."""

    exp: ExpTask
    task: Task
    base: Path | None = None


@dataclass(frozen=True)
class Grading(HowJudged):
    """How answers are graded.

    Attributes:
        sandbox: Where answers are run; None runs none.
        spec: Changes how an answer is run from what its task says.
    """

    sandbox: Sandbox | None = None
    spec: Callable[[RunSpec], RunSpec] | None = None

    def spec_of(self, task: Task) -> RunSpec:
        """How an answer to a task is run."""
        return task.spec if self.spec is None else self.spec(task.spec)


def card_for(judge: str) -> JudgeCard | str:
    """The judge of an answer: checks by rules, all else by the judge that was named."""
    if judge == _RULES:
        return judge
    card = {"name": "exp-bench", "kind": "cascade", "judges": [_RULES, judge]}
    return JudgeCard.model_validate(card)
