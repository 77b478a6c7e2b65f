"""What is wrong with a task whose keys are all of the right type: it could not be judged so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from rubric_engine.benchmarks.tasksets.rule import Rule
from rubric_engine.benchmarks.tasksets.rules import NEEDS, RULES
from rubric_engine.benchmarks.tasksets.schema_lite import flaws, is_schema
from rubric_engine.benchmarks.tasksets.task import NamedRule, SetTask
from rubric_engine.near import near
from rubric_engine.rubric_file.models import in_words, validation_problems
from rubric_engine.rubric_file.typed import record


@dataclass(frozen=True)
class Slip:
    """One thing that is wrong.

    Attributes:
        code: Its code.
        message: What is wrong.
        loc: Where in the task.
        hint: What would mend it.
    """

    code: str
    message: str
    loc: tuple[Any, ...]
    hint: str | None = None


def slips(task: SetTask) -> Iterator[Slip]:
    """Everything that keeps a task from being judged."""
    yield from _of_method(task)
    for at, named in enumerate(task.judge.rules):
        yield from _of_rule(named, task, ("judge", "rules", at))
    yield from _of_weights(task)
    yield from _of_structure(task)


def _of_structure(task: SetTask) -> Iterator[Slip]:
    kind, structure = task.expected_output.type, task.expected_output.structure
    where: tuple[Any, ...] = ("expected_output", "structure")
    if isinstance(structure, list):
        if kind in ("number", "list", "code"):
            words = f"expected_output.structure: a list of names says nothing of type {kind}"
            yield Slip("E626", words, where)
        for at, name in enumerate(structure):
            if not isinstance(name, str) or not name.strip():
                yield Slip("E626", "expected_output.structure: names are texts", (*where, at))
    if is_schema(structure) and kind in ("text", "table", "csv", "code"):
        words = f"expected_output.structure: a schema says nothing of type {kind}"
        yield Slip("E626", words, where, "give a list of names")
        return
    if is_schema(structure):
        for loc, message in flaws(structure):
            yield Slip("E626", f"expected_output.structure: {message}", (*where, *loc))


def _of_method(task: SetTask) -> Iterator[Slip]:
    judge, method = task.judge, task.judge.method
    points = task.reference is not None and (task.reference.points or model_reads_answer(task))
    dimensions = judge.llm.dimensions if judge.llm is not None else ()
    if judge.has_rules and not judge.rules:
        hint = "name rules, or use method: llm"
        yield Slip("E622", f"judge.method {method} needs judge.rules", ("judge", "method"), hint)
    if judge.asks_model and not dimensions and not points:
        hint = "add judge.llm.dimensions, or a reference"
        words = f"judge.method {method} gives a model nothing to judge"
        yield Slip("E622", words, ("judge", "method"), hint)
    if not judge.has_rules and judge.rules:
        hint = "method: hybrid counts both"
        yield Slip("E622", "judge.rules are not used by method llm", ("judge", "rules"), hint)
    if not judge.asks_model and dimensions:
        hint = "method: hybrid counts both"
        words = "judge.llm is not used by method rules"
        yield Slip("E622", words, ("judge", "llm"), hint)
    if not judge.asks_model and task.reference is not None and task.reference.points:
        hint = "method: hybrid has a model judge them"
        words = "reference.points are not used by method rules"
        yield Slip("E622", words, ("reference", "points"), hint)
    names = [each.name for each in dimensions]
    for at, name in enumerate(names):
        if name in names[:at]:
            loc = ("judge", "llm", "dimensions", at)
            yield Slip("E622", f"dimension {name!r} stands twice", loc)


def _of_rule(named: NamedRule, task: SetTask, loc: tuple[Any, ...]) -> Iterator[Slip]:
    if named.name not in RULES:
        hint = near(named.name, RULES) or f"known: {', '.join(RULES)}"
        yield Slip("E623", f"no rule is called {named.name!r}", (*loc, "name"), hint)
        return
    if (why := _unfit(named.name, task)) is not None:
        yield Slip("E623", f"rule {named.name} {why}", loc)
        return
    try:
        rule_of(named, task)
    except ValidationError as failed:
        for where, kind, message, hint in validation_problems(failed):
            words = f"rule {named.name}: {in_words(where, kind, message)}"
            yield Slip("E623", words, (*loc, *where), hint)
    except ValueError as error:
        yield Slip("E623", f"rule {named.name}: {error}", loc)


def _unfit(name: str, task: SetTask) -> str | None:
    need = NEEDS.get(name)
    return need(task) if need is not None else None


def rule_of(named: NamedRule, task: SetTask) -> Rule:
    """The rule that a task names, with what it takes from the task.

    Raises:
        ValidationError: Its keys are wrong.
        ValueError: It lacks something.
    """
    model = RULES[named.name]
    return model.model_validate(record(model, named.settings)).completed(task)


def _of_weights(task: SetTask) -> Iterator[Slip]:
    """Parts that all weigh 0 have no mean."""
    judge = task.judge
    rules = [rule.weight for rule in judge.rules] if judge.has_rules else []
    asked = weights_of_model(task) if judge.asks_model else []
    apart = judge.method == "rule_and_llm"
    for name, weights in (("rules", rules), ("llm", asked)) if apart else (("", rules + asked),):
        if weights and not any(weights):
            words = f"all {name} weights are 0".replace("  ", " ")
            yield Slip("E624", words, ("judge", name) if name else ("judge",), "weigh one above 0")


_TAKE_ANSWER = {"exact": "text", "number_close": "equals"}
"""Rules that take the reference answer where this key of theirs is left out."""


def model_reads_answer(task: SetTask) -> bool:
    """Whether a model is asked if an answer says the same as the reference answer.

    It is, unless a rule of the task compares the two already.
    """
    if task.reference is None or task.reference.answer is None or not task.judge.asks_model:
        return False
    rules = task.judge.rules if task.judge.has_rules else ()
    return not any(
        rule.name in _TAKE_ANSWER and _TAKE_ANSWER[rule.name] not in rule.settings for rule in rules
    )


def weights_of_model(task: SetTask) -> list[float]:
    """Weights of all that a model judges."""
    weights = []
    if task.reference is not None:
        weights = [point.weight for point in task.reference.points]
        if model_reads_answer(task):
            weights.append(task.reference.weight)
    dimensions = task.judge.llm.dimensions if task.judge.llm is not None else ()
    return [*weights, *(dimension.weight for dimension in dimensions)]
