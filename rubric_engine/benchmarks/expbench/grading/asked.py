"""What is graded, and how: a question with its task and base, and the settings of a grading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.expbench.task import ExpTask
from rubric_engine.case import Task
from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.isolation import RunSpec, Sandbox
from rubric_engine.judge import JudgeCard
from rubric_engine.model import ChatModel

_RULES = "rules"


@dataclass(frozen=True)
class Question:
    """A question, the task that it became, and its masked repository where there is one."""

    exp: ExpTask
    task: Task
    base: Path | None = None


@dataclass(frozen=True)
class Grading:
    """How answers are graded.

    Attributes:
        judge: Name or path of a judge's card.
        model: Settings of its model in place of its card's, or a model of one's own.
        sandbox: Where answers are run; None runs none.
        spec: Changes how an answer is run from what its task says.
        runs: Folder of the runs and the ledger.
        spending: What may be spent.
    """

    judge: str = "simple"
    model: Mapping[str, Any] | ChatModel = field(default_factory=dict)
    sandbox: Sandbox | None = None
    spec: Callable[[RunSpec], RunSpec] | None = None
    runs: Path = Path("runs")
    spending: Spending = NO_LIMIT

    def spec_of(self, task: Task) -> RunSpec:
        """How an answer to a task is run."""
        return task.spec if self.spec is None else self.spec(task.spec)


def card_for(judge: str) -> JudgeCard | str:
    """The judge of an answer: checks by rules, all else by the judge that was named."""
    if judge == _RULES:
        return judge
    card = {"name": "exp-bench", "kind": "cascade", "judges": [_RULES, judge]}
    return JudgeCard.model_validate(card)
