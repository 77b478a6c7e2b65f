"""`load_rubric`: from a file to a `Rubric`, or to one error with everything that is wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rubric_engine.collector import without_collecting
from rubric_engine.criterion import Criterion
from rubric_engine.errors import Place, RubricError
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file.criteria import CriterionReader
from rubric_engine.rubric_file.document import Document
from rubric_engine.rubric_file.flaws import Flaw, Flaws, Node
from rubric_engine.rubric_file.form import Form, form_of
from rubric_engine.rubric_file.naming import keys_of, repeats, report_repeats
from rubric_engine.rubric_file.parsing import parse
from rubric_engine.rubric_file.relations import (
    check_categories,
    check_dependencies,
    check_metrics,
    check_weights,
)
from rubric_engine.rubric_file.scalars import is_null, shown
from rubric_engine.rubric_file.source import Blame, read_source

RUBRIC_NAMES = ("rubric.yaml", "rubric.yml", "rubric.json")
"""What a rubric is called in a folder."""


@dataclass(frozen=True)
class Tree:
    """What was read.

    Attributes:
        form: The form of the file.
        nodes: The criteria as they stand in the file, in document order.
        keys: Their keys.
        rubric: The rubric, or None where something is wrong.
    """

    form: Form
    nodes: Sequence[Node]
    keys: Sequence[str]
    rubric: Rubric | None


def load_rubric(path: str | os.PathLike[str]) -> Rubric:
    """Read a rubric: our YAML, PaperBench's JSON, a graded tree, or a relative of these.

    A file with the header ``rubric: 1`` is read strictly. In one without, repeated ids become
    ``id#2`` and unknown keys are kept in `Criterion.extra`; `Rubric.warnings` says so.

    Args:
        path: The file, or a folder that holds one of `RUBRIC_NAMES`.

    Raises:
        RubricError: It cannot be read or something is wrong in it; `problems` lists everything,
            with file, line and column.

    Examples:
        >>> load_rubric("no/such/rubric.yaml")
        Traceback (most recent call last):
        rubric_engine.errors.RubricError: [E201] rubric not found: no/such/rubric.yaml
    """
    rubric = load_tree(path).rubric
    assert rubric is not None
    return rubric


def load_tree(path: str | os.PathLike[str]) -> Tree:
    """Read a rubric and keep what its file says of every criterion.

    Args:
        path: As for `load_rubric`.

    Raises:
        RubricError: As for `load_rubric`.
    """
    source = _file_of(Path(path))
    blame = Blame()
    text = read_source(source, blame)
    with without_collecting():
        return tree_of(text, str(source))


def criterion_places(path: str | os.PathLike[str]) -> dict[str, Place]:
    """Say where the criteria of a rubric that loads stand in its file, by key.

    Args:
        path: As for `load_rubric`.

    Raises:
        RubricError: The file does not parse.
    """
    source = _file_of(Path(path))
    document = parse(read_source(source, Blame()), str(source), Blame(), placed=True)
    assert document.places is not None
    tree = _read(document, Flaws(document))
    starts = (document.places.start(node.raw) for node in tree.nodes)
    return {key: document.place(mark) for key, mark in zip(tree.keys, starts, strict=True)}


def tree_of(text: str, file: str) -> Tree:
    """Read the text of a rubric file.

    Args:
        text: The text.
        file: Its name, for messages.

    Raises:
        RubricError: Something is wrong in it.
    """
    for placed in (False, True):
        document = parse(text, file, Blame(), placed=placed)
        flaws = Flaws(document)
        tree = _read(document, flaws)
        if not flaws and not document.faults:
            return tree
    raise flaws.error()


def _file_of(path: Path) -> Path:
    if not path.is_dir():
        return path
    found = [path / name for name in RUBRIC_NAMES if (path / name).exists()]
    if found:
        return found[0]
    raise RubricError(
        f"{str(path)!r} is a folder without a rubric",
        code="E201",
        looked=[str(path / name) for name in RUBRIC_NAMES],
        fix=["give the path of the rubric's file"],
    )


def _read(document: Document, flaws: Flaws) -> Tree:
    form = form_of(document.value, flaws)
    nodes = _nodes(form.root, flaws) if form.root is not None else []
    reader = CriterionReader(form, flaws)
    ids = [reader.id_of(node) for node in nodes]
    keys = keys_of(ids)
    if form.strict:
        report_repeats(nodes, ids, flaws)
    criteria = [reader.read(node, key) for node, key in zip(nodes, keys, strict=True)]
    strangers = check_categories(nodes, form, flaws)
    check_weights(nodes, criteria, flaws)
    check_dependencies(nodes, keys, flaws)
    check_metrics(nodes, form, document.value, flaws)
    if flaws or document.faults:
        return Tree(form, nodes, keys, None)
    warnings = [*repeats(ids, keys), *reader.warnings(), *strangers]
    return Tree(form, nodes, keys, _rubric(form, nodes, criteria, warnings))


def _nodes(root: dict[str, Any], flaws: Flaws) -> list[Node]:
    """All criteria in document order; parents before children."""
    nodes: list[Node] = []
    stack: list[tuple[dict[str, Any], Node | None]] = [(root, None)]
    while stack:
        raw, parent = stack.pop()
        below: Any = raw.get("sub_tasks")
        below = [] if is_null(below) else below
        node = Node(raw, parent, not below if isinstance(below, list) else None)
        nodes.append(node)
        if node.leaf is None:
            message = f"sub_tasks of {node.name} is {shown(below)}, a list is due"
            flaws.add(Flaw("E209", message, raw, ("sub_tasks",), node=node))
            continue
        for index in range(len(below) - 1, -1, -1):
            if isinstance(below[index], dict):
                stack.append((below[index], node))
            else:
                found = shown(below[index])
                message = f"sub-task {index + 1} of {node.name} is {found}, a mapping is due"
                flaws.add(Flaw("E209", message, below, (index,), node=node))
    return nodes


def _rubric(
    form: Form,
    nodes: Sequence[Node],
    criteria: Sequence[Criterion | None],
    warnings: Sequence[str],
) -> Rubric:
    key_of: dict[int, str] = {}
    pairs: list[tuple[str | None, Criterion]] = []
    for node, criterion in zip(nodes, criteria, strict=True):
        assert criterion is not None
        key_of[id(node)] = criterion.key
        pairs.append((key_of[id(node.parent)] if node.parent else None, criterion))
    return Rubric.build(
        pairs,
        title=form.title,
        categories=form.categories,
        metrics=form.metrics,
        warnings=warnings,
    )
