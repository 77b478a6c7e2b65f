"""A set of tasks as a value, with the hashes that tell one version from another."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rubric_engine.benchmarks.tasksets.task import FACTS, SetTask, fact_of
from rubric_engine.errors import UsageError
from rubric_engine.near import near


@dataclass(frozen=True)
class TaskSet:
    """Tasks, and the texts of the files that they give to agents.

    Attributes:
        name: Name for people: that of the file's folder, or of the file.
        version: What its author calls this version, or None.
        tasks: The tasks, in the order of the file.
        texts: Text of each resource, by its path.
        path: The file.
        sha256: Hash of the whole set as it was loaded, resources included.
    """

    name: str
    version: str | None
    tasks: tuple[SetTask, ...]
    texts: Mapping[str, str]
    path: Path
    sha256: str = ""

    def __iter__(self) -> Iterator[SetTask]:
        return iter(self.tasks)

    def __len__(self) -> int:
        return len(self.tasks)

    def __getitem__(self, task_id: str) -> SetTask:
        found = next((task for task in self.tasks if task.task_id == task_id), None)
        if found is None:
            raise KeyError(f"no task {task_id!r} in this set")
        return found

    def hash_of(self, task: SetTask) -> str:
        """Hash of one task with its resources: equal where two sets ask and judge the same."""
        return _digest(
            [task.model_dump(mode="json"), {r.path: self.texts[r.path] for r in task.resources}]
        )

    def choose(self, filters: Sequence[str] = (), limit: int | None = None) -> TaskSet:
        """The tasks that pass, at most so many; the hash stays that of the whole set.

        Args:
            filters: Each ``key=value``, the key one of `task_id` and `FACTS`. A task passes that
                has, for every key, one of the values given for it.
            limit: Take the first so many.

        Raises:
            UsageError: A filter has another form, or no task passes them all.
        """
        wanted: dict[str, set[str]] = {}
        for key, value in map(self._filter, filters):
            wanted.setdefault(key, set()).add(value)
        tasks = tuple(
            task
            for task in self.tasks
            if all(fact_of(task, key) in values for key, values in wanted.items())
        )
        if not tasks:
            known = ", ".join(task.task_id for task in self.tasks[:5])
            raise UsageError(
                f"no task of {self.name} passes {' '.join(filters)}",
                code="E630",
                looked=[f"tasks: {known}{', ...' if len(self.tasks) > 5 else ''}"],
                fix=["leave a --filter out: a task must pass all that are given"],
            )
        return replace(self, tasks=tasks[:limit])

    def _filter(self, text: str) -> tuple[str, str]:
        key, equals, value = text.partition("=")
        keys = ("task_id", *FACTS)
        if not equals or key not in keys:
            meant = near(key, keys) or f"keys: {', '.join(keys)}"
            raise UsageError(
                f"--filter {text!r} is no key=value that tasks have; {meant}",
                code="E630",
                fix=["--filter phase=writing"],
            )
        values = sorted({fact_of(task, key) for task in self.tasks})
        if value not in values:
            meant = near(value, values) or f"values: {', '.join(values[:8])}"
            shown = f"--filter {shlex.quote(f'{key}={values[0]}')}"
            raise UsageError(f"no task has {key} {value!r}; {meant}", code="E630", fix=[shown])
        return key, value


def set_hash(version: str | None, tasks: Sequence[SetTask], texts: Mapping[str, str]) -> str:
    """Hash of a whole set: the same for every spelling of the same tasks."""
    return _digest([version, [task.model_dump(mode="json") for task in tasks], dict(texts)])


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
