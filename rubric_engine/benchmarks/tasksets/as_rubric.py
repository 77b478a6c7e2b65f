"""From a task of a set to a task and a rubric of the engine. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from rubric_engine.benchmarks.tasksets.rule import ANSWER, Rule
from rubric_engine.benchmarks.tasksets.sense import model_reads_answer, rule_of
from rubric_engine.benchmarks.tasksets.task import Dimension, Scale, SetTask
from rubric_engine.benchmarks.tasksets.wording import reference_words, words_of
from rubric_engine.case import Task
from rubric_engine.categories import Category
from rubric_engine.criterion import Criterion, ScaleStep
from rubric_engine.rubric import Rubric

RULES_CATEGORY, REFERENCE_CATEGORY, DIMENSIONS_CATEGORY = "Rules", "Reference", "Dimensions"
"""The categories of leaves."""

CATEGORIES: Mapping[str, Category] = MappingProxyType(
    {
        RULES_CATEGORY: Category(
            question="Does the answer keep to this rule?", sees=("docs", "code")
        ),
        REFERENCE_CATEGORY: Category(
            question="Does the answer say this, in these or in other words?", sees=("docs",)
        ),
        DIMENSIONS_CATEGORY: Category(
            question="How good is the answer in this respect?", sees=("docs",)
        ),
    }
)

_QUARTERS = ("not at all", "to a small part", "by half", "for the most part", "fully")
_STEPS: Mapping[Scale, tuple[ScaleStep, ...]] = MappingProxyType(
    {
        "0-1": tuple(ScaleStep(score=at / 4, says=said) for at, said in enumerate(_QUARTERS)),
        "0-10": tuple(ScaleStep(score=at / 10, says=f"{at} of 10") for at in range(11)),
    }
)
_TEN = re.compile(r"(?<!\d)0\s*(?:-|\u2013|\u2014|~|to|\u5230|\u81f3)\s*10(?!\d)", re.IGNORECASE)
"""A scale of ten, as texts in English and in Chinese name it."""


def scale_of(dimension: Dimension) -> Scale:
    """The scale of a dimension: as it says, or as its text says, else quarters."""
    if dimension.scale is not None:
        return dimension.scale
    return "0-10" if _TEN.search(f"{dimension.name} {dimension.description}") else "0-1"


def engine_task(task: SetTask, texts: Mapping[str, str]) -> Task:
    """A task of the engine: what was asked stands where a paper does, the rubric judges.

    Args:
        task: The task.
        texts: Text of each resource, by its path.
    """
    return Task(
        name=task.task_id,
        rubric=rubric_of(task),
        title=task.task_id,
        paper=words_of(task),
        judge_addendum=reference_words(task),
        attachments={each.path: texts[each.path] for each in task.resources},
        mode=f"task set, {task.judge.method}",
    )


def rubric_of(task: SetTask) -> Rubric:
    """The rubric of a task.

    All that is judged counts by its weight; under `rule_and_llm` the rules and the model's part
    have a mean each, and the lower one counts.
    """
    rules = list(_rules(task)) if task.judge.has_rules else []
    asked = list(_asked(task)) if task.judge.asks_model else []
    apart = task.judge.method == "rule_and_llm"
    root = _group("answer", f"Task {task.task_id} is answered", "min" if apart else None)
    pairs: list[tuple[str | None, Criterion]] = [(None, root)]
    if apart:
        pairs.append(("answer", _group("rules", "The answer keeps to the rules")))
        pairs += [("rules", leaf) for leaf in rules]
        pairs.append(("answer", _group("llm", "The answer is good in what a model judges")))
        pairs += [("llm", leaf) for leaf in asked]
    else:
        pairs += [("answer", leaf) for leaf in (*rules, *asked)]
    return Rubric.build(pairs, title=task.task_id, categories=CATEGORIES)


def _group(key: str, text: str, aggregate: str | None = None) -> Criterion:
    return Criterion(key=key, id=key, requirements=text, aggregate=aggregate)


def rules_of(task: SetTask) -> dict[str, Rule]:
    """The rules of a task, by the keys of their leaves."""
    named = task.judge.rules if task.judge.has_rules else ()
    return {
        f"rule-{number}-{each.name}": rule_of(each, task) for number, each in enumerate(named, 1)
    }


def _rules(task: SetTask) -> Iterator[Criterion]:
    for (key, rule), named in zip(rules_of(task).items(), task.judge.rules, strict=True):
        checks: list[dict[str, Any]] = rule.checks() or [{"file_exists": {"file": ANSWER}}]
        yield Criterion.model_validate(
            {
                "key": key,
                "id": key,
                "requirements": rule.says(),
                "weight": named.weight,
                "task_category": RULES_CATEGORY,
                "checks": checks,
                "aggregate": "weighted_mean" if len(checks) > 1 else None,
            }
        )


def _asked(task: SetTask) -> Iterator[Criterion]:
    note = task.judge.llm_system_prompt
    if task.reference is not None:
        for number, point in enumerate(task.reference.points, 1):
            key = f"point-{number}"
            yield _leaf(key, point.text, point.weight, REFERENCE_CATEGORY, note)
        if model_reads_answer(task):
            text = f"The answer says the same as this one: {task.reference.answer}"
            yield _leaf("reference", text, task.reference.weight, REFERENCE_CATEGORY, note)
    for dimension in task.judge.llm.dimensions if task.judge.llm is not None else ():
        about = f": {dimension.description}" if dimension.description else ""
        yield _leaf(
            f"dimension-{dimension.name}",
            f"{dimension.name}{about}",
            dimension.weight,
            DIMENSIONS_CATEGORY,
            note,
            _STEPS[scale_of(dimension)],
        )


def _leaf(
    key: str,
    text: str,
    weight: float,
    category: str,
    note: str | None,
    scale: tuple[ScaleStep, ...] = (),
) -> Criterion:
    return Criterion(
        key=key,
        id=key,
        requirements=text,
        weight=weight,
        task_category=category,
        note_to_judge=note,
        scale=scale,
    )
