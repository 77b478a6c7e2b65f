"""What must hold between parts of a file: weights, dependencies, categories and metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from rubric_engine.categories import BUILT_IN
from rubric_engine.criterion import Criterion
from rubric_engine.formulas import read_metrics
from rubric_engine.near import near
from rubric_engine.rubric_file.flaws import Flaw, Flaws, Node
from rubric_engine.rubric_file.form import Form
from rubric_engine.rubric_file.scalars import is_null, shown

_MOST_NAMES = 5_000
"""Above so many ids nobody waits for the search for a near miss."""


def check_categories(nodes: Sequence[Node], form: Form, flaws: Flaws) -> list[str]:
    """A category that nobody declared and that looks like a known one is a slip of the pen.

    Returns:
        Warnings for the other undeclared ones, which see all and need no run.
    """
    known = {*BUILT_IN, *form.categories}
    names = [_category(node) for node in nodes]
    used = Counter(name for name in names if name)
    strangers = {name: near(name, known) for name in used if name not in known}
    if form.strict:
        for node, name in zip(nodes, names, strict=True):
            if meant := strangers.get(name):
                message = f"category of {node.name} is {shown(name)}"
                hint = f"{meant}; if it is a category of its own, declare it under categories"
                flaws.add(Flaw("E219", message, node.raw, ("task_category",), node=node, hint=hint))
    return [
        f"category {shown(name)} ({used[name]}x) is not declared: it sees all and needs no run"
        + (f"; {meant}" if meant else "")
        for name, meant in strangers.items()
    ]


def check_metrics(nodes: Sequence[Node], form: Form, header: Any, flaws: Flaws) -> None:
    """Every metric is a formula of categories and metrics that there are, in no circle.

    Args:
        nodes: The criteria, whose categories need no declaration.
        form: The form of the file.
        header: Its outermost value, where the metrics stand.
        flaws: What is wrong.
    """
    if not form.metrics:
        return
    used = filter(None, map(_category, nodes))
    _, found = read_metrics(form.metrics, dict.fromkeys([*BUILT_IN, *form.categories, *used]))
    for one in found:
        flaws.add(
            Flaw(
                one.code,
                one.message,
                header["metrics"],
                (one.name,),
                of_key=one.at is None,
                hint=one.hint,
                inside=one.at or 0,
            )
        )


def _category(node: Node) -> str:
    """The category as the file says it; empty where it says none, or no text."""
    raw = node.raw.get("task_category")
    return "" if is_null(raw) or not isinstance(raw, str) else str(raw)


def _depends(node: Node) -> list[str]:
    """What a criterion depends on, as the file says it, whatever else is wrong with it."""
    raw = node.raw.get("depends_on")
    if not isinstance(raw, list) or not all(isinstance(name, str) for name in raw):
        return []
    return [str(name) for name in raw]


def check_weights(
    nodes: Sequence[Node], criteria: Sequence[Criterion | None], flaws: Flaws
) -> None:
    """Every group needs a child that weighs something; groups with broken children are left."""
    weighs: dict[int, bool] = {}
    for node, criterion in zip(nodes, criteria, strict=True):
        if node.parent is not None:
            parent = id(node.parent)
            some = criterion is None or criterion.weight > 0
            weighs[parent] = weighs.get(parent, False) or some
    for node in nodes:
        if weighs.get(id(node)) is False:
            message = f"all sub-tasks of {node.name} weigh 0, so it has no score"
            hint = "give at least one a weight above 0"
            flaws.add(Flaw("E211", message, node.raw, ("sub_tasks",), node=node, hint=hint))


def check_dependencies(nodes: Sequence[Node], keys: Sequence[str], flaws: Flaws) -> None:
    """`depends_on` names criteria of this rubric, and never itself over others."""
    depends = [(node, key, names) for node, key in zip(nodes, keys, strict=True)
               if (names := _depends(node))]  # fmt: skip
    if not depends:
        return
    known = set(keys)
    for node, _, names in depends:
        for index, name in enumerate(names):
            if name not in known:
                message = f"{node.name} depends on {name!r}, which is no id of this rubric"
                look = not flaws.full and len(known) <= _MOST_NAMES
                hint = near(name, known) if look else None
                loc = ("depends_on", index)
                flaws.add(Flaw("E212", message, node.raw, loc, node=node, hint=hint))
    by_key = {key: (node, names) for node, key, names in depends if key}
    try:
        TopologicalSorter({key: names for key, (_, names) in by_key.items()}).prepare()
    except CycleError as error:
        circle = error.args[1]
        node = by_key[circle[0]][0]
        message = "dependencies in a circle: " + " needs ".join(map(repr, reversed(circle[:20])))
        flaws.add(Flaw("E212", message, node.raw, ("depends_on",), node=node))
