"""`load_task_set`: from `tasks.json` to a set, or to one error with all that is wrong in it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rubric_engine.benchmarks.tasksets.resources import read_resource
from rubric_engine.benchmarks.tasksets.sense import Slip, slips
from rubric_engine.benchmarks.tasksets.task import SetTask
from rubric_engine.benchmarks.tasksets.task_set import TaskSet, set_hash
from rubric_engine.errors import InputError, Problem, TaskError
from rubric_engine.near import near
from rubric_engine.rubric_file.document import Document
from rubric_engine.rubric_file.json_text import parse_json
from rubric_engine.rubric_file.models import (
    fault_problems,
    in_words,
    mark_of,
    several,
    too_deep,
    validation_problems,
)
from rubric_engine.rubric_file.parsing import parse
from rubric_engine.rubric_file.scalars import shown
from rubric_engine.rubric_file.source import Blame, read_source
from rubric_engine.rubric_file.typed import record

CODE = "E620"
_HEADER = ("version", "tasks")
_HINTED = re.compile(r"did you mean '(.*)'\?")
_BLAME = Blame(TaskError, CODE, "task set")


def load_task_set(path: str | os.PathLike[str]) -> TaskSet:
    """Read a set of tasks: a list of them, or ``{"version": ..., "tasks": [...]}``.

    Args:
        path: The file, JSON or YAML, or a folder that holds `tasks.json`.

    Raises:
        TaskError: It cannot be read or something is wrong in it; `problems` lists everything, with
            file, line and column.
    """
    place = Path(path)
    place = place / "tasks.json" if place.is_dir() else place
    document = _document(place)
    reader = _Reader(document, place.parent)
    tasks = tuple(reader.tasks())
    if reader.problems:
        raise several(reader.problems, TaskError, unkept=document.unkept)
    inside = place.resolve()
    name = inside.parent.name if inside.stem == "tasks" else inside.stem
    sha256 = set_hash(reader.version, tasks, reader.texts)
    return TaskSet(name, reader.version, tasks, reader.texts, place, sha256)


def _document(place: Path) -> Document:
    text = read_source(place, _BLAME)
    if text.lstrip().startswith("[") and place.suffix != ".yaml":
        return parse_json(text, str(place), _BLAME, placed=True)
    return parse(text, str(place), _BLAME, placed=True)


@dataclass
class _Reader:
    """Reads the tasks of one document and keeps what is wrong."""

    document: Document
    folder: Path
    version: str | None = None
    texts: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def tasks(self) -> Iterator[SetTask]:
        """The tasks that are right."""
        self.problems += fault_problems(self.document, CODE)
        seen: dict[str, int] = {}
        raws = self._raw_tasks()
        for at, raw in enumerate(raws, 1):
            task = self._task(raw, raws, at)
            if task is None:
                continue
            if task.task_id in seen:
                first = f"it is that of task {seen[task.task_id]} already"
                self._add(
                    "E621",
                    f"task_id {shown(task.task_id)} stands twice: {first}",
                    raw,
                    ("task_id",),
                )
            seen.setdefault(task.task_id, at)
            for slip in slips(task):
                self._slip(slip, raw)
            self._resources(task, raw)
            yield task

    def _raw_tasks(self) -> list[Any]:
        value = self.document.value
        if isinstance(value, list):
            tasks: Any = value
        elif isinstance(value, dict):
            self._header(value)
            tasks = value.get("tasks")
        else:
            tasks = None
        if not isinstance(tasks, list):
            self._add(CODE, "a list of tasks is due, or a mapping with the key 'tasks'", value)
            return []
        if not tasks:
            self._add(CODE, "the set holds no task", value)
        return tasks

    def _header(self, value: dict[str, Any]) -> None:
        for key in value:
            if key not in _HEADER:
                hint = near(key, _HEADER) or f"known: {', '.join(_HEADER)}"
                self._add(CODE, f"unknown key {shown(key)}", value, (key,), of_key=True, hint=hint)
        version = value.get("version")
        if version is not None and not isinstance(version, str):
            self._add(CODE, f"version: a text is due, found {shown(version)}", value, ("version",))
        else:
            self.version = None if version is None else str(version)

    def _task(self, raw: Any, raws: list[Any], at: int) -> SetTask | None:
        """A task as it stands or, where its keys are wrong, as it may be meant."""
        if not isinstance(raw, dict):
            self._add(CODE, f"task {at} is {shown(raw)}; a mapping is due", raws, (at - 1,))
            return None
        if too_deep(raw):
            self._add(CODE, f"task {at} is nested too deeply", raw)
            return None
        try:
            return SetTask.model_validate(record(SetTask, raw))
        except ValidationError as failed:
            problems = list(validation_problems(failed))
            for loc, kind, message, hint in problems:
                words = f"task {_name(raw, at)}: {in_words(loc, kind, message)}"
                if kind == "missing" and hint is None:
                    hint = near(str(loc[-1]), _inside(raw, loc[:-1]))
                self._add(CODE, words, raw, loc, of_key=kind == "extra_forbidden", hint=hint)
            unknown = [(loc, hint) for loc, kind, _, hint in problems if kind == "extra_forbidden"]
            return _meant(raw, unknown)

    def _slip(self, slip: Slip, raw: Any) -> None:
        words = f"task {_name(raw, 0)}: {slip.message}"
        self._add(slip.code, words, raw, slip.loc, hint=slip.hint)

    def _resources(self, task: SetTask, raw: Any) -> None:
        for at, resource in enumerate(task.resources):
            try:
                self.texts[resource.path] = read_resource(self.folder, resource.path)
            except InputError as error:
                words = f"task {_name(raw, 0)}: resource {shown(resource.path)}: {error.message}"
                hint = error.fix[0] if error.fix else None
                self._add("E625", words, raw, ("resources", at), hint=hint)

    def _add(
        self,
        code: str,
        message: str,
        value: Any,
        loc: Sequence[Any] = (),
        *,
        of_key: bool = False,
        hint: str | None = None,
    ) -> None:
        assert self.document.places is not None
        mark = mark_of(self.document.places, value, loc, "extra_forbidden" if of_key else "")
        self.problems.append(Problem(code, message, self.document.place(mark), hint=hint))


def _meant(
    raw: dict[str, Any], unknown: Sequence[tuple[Sequence[Any], str | None]]
) -> SetTask | None:
    """A task as it may be meant where only keys are wrong, so that all else is told at once.

    An unknown key gives its value to the one that is nearly called so; None where that is no task
    either.
    """
    meant = deepcopy(raw)
    for (*above, name), hint in unknown:
        inside, known = _at(meant, above), _HINTED.fullmatch(hint or "")
        if isinstance(inside, dict) and name in inside:
            value = inside.pop(name)
            if known:
                inside.setdefault(known[1], value)
    try:
        return SetTask.model_validate(record(SetTask, meant))
    except ValidationError:
        return None


def _name(raw: dict[str, Any], at: int) -> str:
    """The task's id as a message shows it, or its number."""
    found = raw.get("task_id")
    return shown(found) if isinstance(found, str) and found else str(at)


def _inside(value: Any, loc: Sequence[Any]) -> list[str]:
    """The keys of the mapping that a path leads to."""
    found = _at(value, loc)
    return list(found) if isinstance(found, dict) else []


def _at(value: Any, loc: Sequence[Any]) -> Any:
    """What a path leads to; None where it leads nowhere."""
    for part in loc:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value
