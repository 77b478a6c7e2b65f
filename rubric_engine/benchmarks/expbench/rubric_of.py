"""A question of EXP-Bench as a rubric: design, implementation, execution and conclusion.

Each of the four is worth a quarter, and the leaves of one are worth the same, so that a category's
score is the share of its variables, or requirements, that are met.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rubric_engine.benchmarks.expbench.task import ExpTask, Values
from rubric_engine.categories import Category
from rubric_engine.checks import ExitCode, Produced
from rubric_engine.criterion import Criterion
from rubric_engine.rubric import Rubric

DESIGN, IMPLEMENTATION = "Design", "Implementation"
EXECUTION, CONCLUSION = "Execution", "Conclusion"

ANSWER = "answer.json"
"""Where an answer says its design and its conclusion."""

CATEGORIES = {
    DESIGN: Category(
        question="Does the design in answer.json name this variable, with the values said here?",
        sees=("code", "docs"),
    ),
    IMPLEMENTATION: Category(
        question="Does the code carry out this requirement?",
        sees=("code", "docs", "script"),
    ),
    EXECUTION: Category(
        question="Did running reproduce.sh carry this out?",
        sees=("script", "log", "produced"),
        needs_run=True,
    ),
    CONCLUSION: Category(
        question="Does the conclusion in answer.json say the same, in direction and in substance?",
        sees=("code", "docs"),
    ),
}

METRICS = {
    "D": DESIGN,
    "I": IMPLEMENTATION,
    "E": EXECUTION,
    "C": CONCLUSION,
    "C.D": "C and D",
    "I.E": "I and E",
    "All": "D and I and C",
    "All.E": "All and E",
}
"""What is asked of an answer as a whole; one that asks of a part that is left out is undefined."""

_TITLE = 120
_ALL = {
    "constant": "The design keeps constant",
    "independent": "The design varies",
    "dependent": "The design measures",
}
# Where the original does it: files that nobody who judges is shown.
_REFERENCE = re.compile(r"\((/(?:workspace|tmp)/[^()]*)\)$")


def rubric_of(task: ExpTask) -> Rubric:
    """The rubric of a question; a part of which nothing is known is left out.

    Args:
        task: The question.

    Returns:
        A rubric with a leaf for each variable, one for each requirement, two for the run and one
        for the conclusion. It holds the answer: it is for judges alone.
    """
    root = Criterion(
        key="root", id="root", requirements="The experiment is designed, built, run and concluded"
    )
    pairs: list[tuple[str | None, Criterion]] = [(None, root)]
    pairs += _part("design", DESIGN, "The design names the variables", list(_design(task)))
    pairs += _part(
        "implementation", IMPLEMENTATION, "The code carries out the set-up", list(_steps(task))
    )
    pairs += _part("execution", EXECUTION, "The experiment runs and leaves results", list(_runs()))
    pairs += [("root", _conclusion(task))]
    title = " ".join(f"{task.id}: {task.question}".split())
    title = title if len(title) <= _TITLE else title[: _TITLE - 1] + "…"
    return Rubric.build(pairs, title=title, categories=CATEGORIES, metrics=METRICS)


def _part(
    name: str, category: str, says: str, leaves: list[Criterion]
) -> Iterator[tuple[str | None, Criterion]]:
    """A group and its leaves; a single leaf stands for itself."""
    leaves = [leaf.model_copy(update={"task_category": category}) for leaf in leaves]
    if len(leaves) > 1:
        yield "root", Criterion(key=name, id=name, requirements=says)
    groups = dict.fromkeys(leaf.key.partition("-")[0] for leaf in leaves)
    for group in groups if name == "design" and len(groups) > 1 else [""]:
        yield from _group(name, group, leaves)


def _group(
    name: str, group: str, leaves: list[Criterion]
) -> Iterator[tuple[str | None, Criterion]]:
    """Leaves under their part, or those of one kind of variables under a group of their own."""
    above = name if len(leaves) > 1 else "root"
    inside = [leaf for leaf in leaves if not group or leaf.key.startswith(f"{group}-")]
    if group and len(inside) > 1:
        above, key = f"{name}-{group}", f"{name}-{group}"
        says, weight = f"{_ALL[group]} what it must", float(len(inside))
        yield name, Criterion(key=key, id=key, requirements=says, weight=weight)
    for leaf in inside:
        yield above, leaf


def _design(task: ExpTask) -> Iterator[Criterion]:
    for group, variables in task.design.groups():
        for name, values in variables.items():
            text = f'{_ALL[group]} "{name}": {_shown(values)}'
            yield _leaf(f"{group}-{name}", text, evidence=(ANSWER,))


def _shown(values: Values) -> str:
    if isinstance(values, str):
        return values or "no value is said"
    return "; ".join(values) or "no value is said"


def _steps(task: ExpTask) -> Iterator[Criterion]:
    for number, text in enumerate(task.requirements, start=1):
        found = _REFERENCE.search(text.rstrip())
        note = f"In the original: {found[1]}" if found else None
        words = text[: found.start()].rstrip() if found else ""
        yield _leaf(f"implementation-{number}", words or text, note_to_judge=note)


def _runs() -> Iterator[Criterion]:
    yield _leaf(
        "execution-ending",
        "reproduce.sh ends by itself, without an error (exit code 0)",
        checks=(ExitCode(),),
    )
    yield _leaf(
        "execution-output",
        "The run leaves at least one file that was not there before, or changes one",
        checks=(Produced(file="**"),),
    )


def _conclusion(task: ExpTask) -> Criterion:
    text = f"The conclusion agrees with what was to be expected: {task.expected_outcome}"
    return _leaf("conclusion", text, evidence=(ANSWER,), task_category=CONCLUSION)


def _leaf(key: str, requirements: str, **fields: object) -> Criterion:
    return Criterion.model_validate({"key": key, "id": key, "requirements": requirements, **fields})
