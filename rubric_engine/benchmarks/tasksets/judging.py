"""The judge of a task: rules for what they can tell, then a model, asked as often as is due."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.benchmarks.tasksets.as_rubric import rules_of
from rubric_engine.benchmarks.tasksets.outcomes import outcome
from rubric_engine.benchmarks.tasksets.rule import ANSWER
from rubric_engine.benchmarks.tasksets.rules import RULES
from rubric_engine.benchmarks.tasksets.task import MOST_SAMPLES, ExpectedOutput, NamedRule, SetTask
from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.errors import Place, SubmissionError
from rubric_engine.grading import Grade
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.judges import Cascade, Repeat, RulesJudge, load_judge
from rubric_engine.judges.rules.combine import grade_of
from rubric_engine.judges.settings import settings_of

_HERE = "rubric_engine.benchmarks.tasksets.judging"
KIND = f"{_HERE}:task_judge"
"""Kind of the card that makes the judge of a task."""

_RULES_JUDGE = "answer-rules"


class _Rules(BaseModel):
    """What the card of the rules says: those of each leaf, and the form that is due."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rules: dict[str, NamedRule] = {}
    expected_output: ExpectedOutput = ExpectedOutput()


class AnswerRules(RulesJudge):
    """Grades leaves by the rules that a task names, and by checks as the rules judge does.

    Args:
        card: The card that defines it.
    """

    def __init__(self, card: JudgeCard) -> None:
        super().__init__(card)
        self._settings = settings_of(card, _Rules, Place("the card of a task's rules"))

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`."""
        by_key = {leaf.key: leaf for leaf in leaves}
        text = await asyncio.to_thread(_answer, case)
        async for key, grade in super().grade(leaves, case, sample=sample):
            # Without an answer the check that every rule comes with has said so.
            named = self._by_rule(by_key[key], text) if text is not None else None
            yield key, named or grade

    def _by_rule(self, leaf: Criterion, text: str) -> Grade | None:
        """The grade by the rule of a leaf; None where checks alone say it, or there is none."""
        named = self._settings.rules.get(leaf.key)
        if named is None:
            return None
        rule = RULES[named.name].model_validate(named.settings)
        found = outcome(named.name, rule, text, self._settings.expected_output)
        return None if found is None else grade_of(leaf, [found])


def _answer(case: Case) -> str | None:
    try:
        return case.submission.read(ANSWER)
    except SubmissionError:
        return None


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    of: str = Field(min_length=1, description="Judge that is asked what rules cannot tell.")
    samples: int = Field(default=1, ge=1, le=MOST_SAMPLES, description="How often it is asked.")
    rules: dict[str, Any] = Field(description="Card of the rules.")


def task_judge(card: JudgeCard, context: JudgeContext) -> Judge:
    """Make the judge of a task; for the kind `KIND`.

    Args:
        card: Its card: `of`, the judge behind the rules, and `samples`, how often it is asked.
        context: What judges are made with.
    """
    settings = settings_of(card, _Settings, context.place)
    asked = load_judge(settings.of, context=context)
    if settings.samples > 1:
        mean = {"kind": "repeat", "of": settings.of, "n": settings.samples, "vote": "mean"}
        name = f"{asked.card.name or asked.card.kind} x{settings.samples}"
        again = JudgeCard.model_validate({"name": name, **mean})
        asked = Repeat(asked, again, settings.samples, "mean")
    both = {"kind": "cascade", "judges": [_RULES_JUDGE, asked.card.name or asked.card.kind]}
    rules = AnswerRules(JudgeCard.model_validate(settings.rules))
    return Cascade([rules, asked], JudgeCard.model_validate({"name": card.name, **both}))


def card_for(task: SetTask, judge: str) -> JudgeCard:
    """The card of the judge of a task.

    Args:
        task: The task.
        judge: Name or path of the card of the judge that is asked what rules cannot tell.
    """
    rules = _rules_card(task)
    if not task.judge.asks_model:
        return JudgeCard.model_validate(rules)
    samples = task.judge.llm.sampling_times if task.judge.llm is not None else 1
    settings: dict[str, Any] = {"of": judge, "samples": samples, "rules": rules}
    return JudgeCard.model_validate({"name": "task", "kind": KIND, **settings})


def _rules_card(task: SetTask) -> dict[str, Any]:
    own = rules_of(task)
    named = {
        key: {"name": each.name, **rule.model_dump(mode="json", by_alias=True, exclude_none=True)}
        for (key, rule), each in zip(own.items(), task.judge.rules[: len(own)], strict=True)
    }
    expected = task.expected_output.model_dump(mode="json")
    kind = f"{_HERE}:AnswerRules"
    return {"name": _RULES_JUDGE, "kind": kind, "rules": named, "expected_output": expected}


def model_for(task: SetTask, model: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of the judging model: those that were given, else the one that the task names."""
    named = task.judge.llm.model if task.judge.llm is not None else None
    return ({"name": named} if named is not None else {}) | dict(model)
