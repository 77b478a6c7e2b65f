"""Which of the known forms a file has: our own with a header, PaperBench's tree, a graded tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from rubric_engine.categories import Category
from rubric_engine.rubric_file.flaws import Flaw, Flaws, near_key
from rubric_engine.rubric_file.models import too_deep, validation_problems
from rubric_engine.rubric_file.scalars import is_null, shown
from rubric_engine.rubric_file.schema import VERSIONS, Header, RubricFile
from rubric_engine.rubric_file.typed import record, unknown

GRADE_KEYS = frozenset({"score", "valid_score", "explanation", "judge_metadata"})
"""What PaperBench's graded trees add to a criterion."""


@dataclass(frozen=True)
class Form:
    """How a file is to be read.

    Attributes:
        root: The outermost criterion's mapping, or None where there is none.
        strict: True with a header: nothing unknown and nothing twice.
        graded: True where criteria carry grades.
        title: Title from the header.
        categories: Categories from the header.
        metrics: Texts of the metrics from the header.
    """

    root: dict[str, Any] | None
    strict: bool = False
    graded: bool = False
    title: str | None = None
    categories: Mapping[str, Category] = field(default_factory=dict)
    metrics: Mapping[str, str] = field(default_factory=dict)


def form_of(value: Any, flaws: Flaws) -> Form:
    """Recognise the form of a document's outermost value."""
    if not isinstance(value, dict) or not value:
        empty = is_null(value) or value == {}
        what = "the file is empty" if empty else f"the file is {shown(value)}"
        hint = "begin with 'rubric: 1' and 'root:', or with the root criterion itself"
        flaws.add(Flaw("E207", f"{what}; a rubric is a mapping", value, hint=hint))
        return Form(None)
    if "rubric" in value:
        return _with_header(value, flaws)
    if "graded_task_tree" in value and "id" not in value:
        return _tree(value, "graded_task_tree", flaws, strict=False, graded=True)
    rooted = "root" in value or near_key("root", value)
    if "id" not in value and "sub_tasks" not in value and rooted:
        hint = "add 'rubric: 1' as the first line"
        flaws.add(Flaw("E209", "the header has no 'rubric: 1'", value, hint=hint))
        return Form(None)
    return Form(value, graded="score" in value)


def _with_header(value: dict[str, Any], flaws: Flaws) -> Form:
    head = {key: item for key, item in value.items() if key in Header.model_fields}
    for key in value:
        if key not in RubricFile.model_fields:
            wrong = unknown(key, RubricFile.model_fields)
            flaws.add(
                Flaw("E208", wrong.message, value, (key,), of_key=True, hint=_hint(wrong, flaws))
            )
    header = _header(head, value, flaws)
    tree = _tree(value, "root", flaws, strict=True, graded=False)
    if header is None:
        return tree
    return Form(
        tree.root,
        strict=True,
        title=header.title,
        categories=header.categories,
        metrics=header.metrics,
    )


def _header(head: dict[str, Any], value: dict[str, Any], flaws: Flaws) -> Header | None:
    if too_deep(head):
        flaws.add(Flaw("E213", "the header is nested too deeply", value))
        return None
    try:
        return Header.model_validate(record(Header, head))
    except ValidationError as failed:
        for loc, kind, message, hint in validation_problems(failed):
            name = ".".join(map(str, loc))
            if loc == ("rubric",):
                known = ", ".join(map(str, VERSIONS))
                found = shown(head["rubric"])
                message = f"rubric: {found} is no version of the format; known: {known}"
            elif kind != "extra_forbidden":
                message = f"{name}: {message}"
            code = "E208" if kind == "extra_forbidden" else "E209"
            flaws.add(Flaw(code, message, value, loc, of_key=code == "E208", hint=hint))
        return None


def _tree(value: dict[str, Any], key: str, flaws: Flaws, *, strict: bool, graded: bool) -> Form:
    root = value.get(key)
    if isinstance(root, dict):
        return Form(root, strict=strict, graded=graded)
    if key not in value:
        hint = near_key(key, value) or "put the outermost criterion under 'root:'"
        flaws.add(Flaw("E209", f"the header has no {key!r}", value, hint=hint))
    else:
        message = f"{key!r} is {shown(root)}; a criterion, which is a mapping, is due"
        flaws.add(Flaw("E209", message, value, (key,)))
    return Form(None, strict=strict)


def _hint(wrong: Any, flaws: Flaws) -> str | None:
    return None if flaws.full else str(wrong.hint)
