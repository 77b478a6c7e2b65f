"""From the mapping of a criterion to a `Criterion`, and what a file without a header may leave."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pydantic import ValidationError

from rubric_engine.categories import BUILT_IN
from rubric_engine.criterion import Criterion, CriterionFields
from rubric_engine.near import near
from rubric_engine.rubric_file import scalars
from rubric_engine.rubric_file.flaws import Flaw, Flaws, Node, near_key
from rubric_engine.rubric_file.form import GRADE_KEYS, Form
from rubric_engine.rubric_file.models import too_deep, validation_problems
from rubric_engine.rubric_file.scalars import NotJsonError, Wrong, is_null, shown
from rubric_engine.rubric_file.schema import Node as FileNode
from rubric_engine.rubric_file.typed import LEFT_OUT, fields_of, unknown

_NAMES = FileNode.model_fields
_LISTED = 20


class CriterionReader:
    """Turns the nodes of one file into criteria.

    Attributes:
        unknown: How often each unknown key was kept in `extra`.
        untitled: How many groups have no text of their own.
        numbered: How many ids are numbers in the file.
    """

    def __init__(self, form: Form, flaws: Flaws) -> None:
        self.form = form
        self.flaws = flaws
        self.unknown: Counter[str] = Counter()
        self.untitled = 0
        self.numbered = 0

    def id_of(self, node: Node) -> str | None:
        """The id as text, or None where there is none; the model then says what is wrong."""
        raw = node.raw.get("id")
        if isinstance(raw, str):
            return str(raw) or None
        if self._number_as_id(raw):
            self.numbered += 1
            return str(raw)
        return None

    def read(self, node: Node, key: str) -> Criterion | None:
        """The criterion, or None where something is wrong with it."""
        before = len(self.flaws)
        values = self._values(node)
        values["key"] = key
        self._category_fits(node, values.get("task_category"))
        try:
            criterion = Criterion.model_validate(values)
        except ValidationError as failed:
            self._report(failed, node)
            return None
        return criterion if len(self.flaws) == before else None

    def warnings(self) -> list[str]:
        """What was let pass, one line each."""
        lines = []
        for name, count in self.unknown.most_common(_LISTED):
            meant = near(name, _NAMES)
            line = f"unknown key {shown(name)} kept ({count}x)"
            lines.append(f"{line}; {meant}" if meant else line)
        if len(self.unknown) > _LISTED:
            lines.append(f"{len(self.unknown) - _LISTED} more unknown keys kept")
        if self.untitled:
            lines.append(f"{self.untitled} groups lack requirements; their title, if any, is used")
        if self.numbered:
            lines.append(f"{self.numbered} ids are numbers; they were read as text")
        return lines

    def _values(self, node: Node) -> dict[str, Any]:
        converters = fields_of(CriterionFields)
        values: dict[str, Any] = {}
        extra: dict[str, Any] = {}
        for name, raw in node.raw.items():
            if isinstance(raw, dict | list) and name != "sub_tasks" and too_deep(raw):
                self._flaw("E213", f"{shown(name)} is nested too deeply", node, name)
            elif name in converters:
                value = converters[name](raw)
                if value is not LEFT_OUT:
                    values[name] = value
            elif name != "sub_tasks":
                self._unknown(name, raw, node, extra)
        if extra:
            values["extra"] = extra
        if not self.form.strict:
            self._lenient(node, values)
        return values

    def _lenient(self, node: Node, values: dict[str, Any]) -> None:
        """Fill in what PaperBench's relatives leave out."""
        if self._number_as_id(node.raw.get("id")):
            values["id"] = str(node.raw["id"])
        if node.leaf is False and is_null(node.raw.get("requirements")):
            self.untitled += 1
            title = node.raw.get("title")
            values["requirements"] = str(title) if isinstance(title, str) else ""

    def _number_as_id(self, raw: Any) -> bool:
        return not self.form.strict and type(raw) in (int, float)

    def _unknown(self, name: str, raw: Any, node: Node, extra: dict[str, Any]) -> None:
        if self.form.strict:
            hint = None if self.flaws.full else unknown(name, _NAMES).hint
            message = f"unknown key {shown(name)}"
            self.flaws.add(Flaw("E208", message, node.raw, (name,), True, node, hint))
        elif not (self.form.graded and name in GRADE_KEYS):
            self.unknown[name] += 1
            try:
                extra[name] = scalars.free(raw)
            except NotJsonError as error:
                self._flaw("E209", f"{shown(name)}: {error}", node, name)

    def _category_fits(self, node: Node, category: Any) -> None:
        if isinstance(category, Wrong) or node.leaf is None:
            return
        if node.leaf and not category:
            known = ", ".join(BUILT_IN)
            hint = f"add task_category: {known}; or sub_tasks, if it is meant to be a group"
            flaw = Flaw("E205", f"leaf {node.name} has no category", node.raw, node=node, hint=hint)
            self.flaws.add(flaw)
        elif category and not node.leaf:
            message = f"group {node.name} has a category; only leaves have one"
            hint = "remove task_category, or the sub_tasks"
            self._flaw("E206", message, node, "task_category", hint)

    def _report(self, failed: ValidationError, node: Node) -> None:
        if self.flaws.full:
            self.flaws.unkept += failed.error_count()
            return
        for loc, kind, message, hint in validation_problems(failed):
            if loc[0] == "weight":
                found = shown(node.raw.get("weight"))
                message = f"weight of {node.name} is {found}; weights are numbers, 0 or more"
                hint = "to leave a criterion out of the score use weight: 0"
                self._flaw("E204", message, node, "weight", hint)
                continue
            inner = ".".join(map(str, loc))
            of_key = kind == "extra_forbidden"
            if kind == "missing":
                message = f"criterion {node.name} lacks {inner!r}"
                hint = near_key(inner, node.raw)
            elif loc == ("aggregate",):
                message = f"aggregate of {node.name} is {shown(node.raw.get('aggregate'))}"
                hint = "known: weighted_mean, all, any, min, product, at_least(k)"
            elif not of_key:
                message = f"{inner} of {node.name}: {message}"
            code = "E210" if loc[0] == "checks" else "E209"
            self.flaws.add(Flaw(code, message, node.raw, loc, of_key, node, hint))

    def _flaw(self, code: str, message: str, node: Node, key: str, hint: str | None = None) -> None:
        self.flaws.add(Flaw(code, message, node.raw, (key,), node=node, hint=hint))
