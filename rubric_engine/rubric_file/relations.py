"""What must hold between criteria: weights of siblings, and dependencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from rubric_engine.categories import BUILT_IN
from rubric_engine.criterion import Criterion
from rubric_engine.near import near
from rubric_engine.rubric_file.flaws import Flaw, Flaws, Node
from rubric_engine.rubric_file.form import Form
from rubric_engine.rubric_file.scalars import shown

_MOST_NAMES = 5_000
"""Above so many ids nobody waits for the search for a near miss."""


def check_categories(
    nodes: Sequence[Node], criteria: Sequence[Criterion | None], form: Form, flaws: Flaws
) -> list[str]:
    """A category that nobody declared and that looks like a known one is a slip of the pen.

    Returns:
        Warnings for the other undeclared ones, which see all and need no run.
    """
    known = {*BUILT_IN, *form.categories}
    used = Counter(c.task_category for c in criteria if c is not None and c.task_category)
    strangers = {name: near(name, known) for name in used if name not in known}
    if form.strict:
        for node, criterion in zip(nodes, criteria, strict=True):
            name = criterion.task_category if criterion is not None else None
            if meant := strangers.get(name or ""):
                message = f"category of {node.name} is {shown(name)}"
                hint = f"{meant}; if it is a category of its own, declare it under categories"
                flaws.add(Flaw("E219", message, node.raw, ("task_category",), node=node, hint=hint))
    return [
        f"category {shown(name)} ({used[name]}x) is not declared: it sees all and needs no run"
        + (f"; {meant}" if meant else "")
        for name, meant in strangers.items()
    ]


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


def check_dependencies(
    nodes: Sequence[Node], criteria: Sequence[Criterion | None], keys: Sequence[str], flaws: Flaws
) -> None:
    """`depends_on` names criteria of this rubric, and never itself over others."""
    depends = {
        key: (node, criterion)
        for node, criterion, key in zip(nodes, criteria, keys, strict=True)
        if criterion is not None and criterion.depends_on
    }
    if not depends:
        return
    known = set(keys)
    for node, criterion in depends.values():
        for index, name in enumerate(criterion.depends_on):
            if name not in known:
                message = f"{node.name} depends on {name!r}, which is no id of this rubric"
                look = not flaws.full and len(known) <= _MOST_NAMES
                hint = near(name, known) if look else None
                loc = ("depends_on", index)
                flaws.add(Flaw("E212", message, node.raw, loc, node=node, hint=hint))
    try:
        TopologicalSorter({key: c.depends_on for key, (_, c) in depends.items()}).prepare()
    except CycleError as error:
        circle = error.args[1]
        node = depends[circle[0]][0]
        message = "dependencies in a circle: " + " needs ".join(map(repr, reversed(circle[:20])))
        flaws.add(Flaw("E212", message, node.raw, ("depends_on",), node=node))
