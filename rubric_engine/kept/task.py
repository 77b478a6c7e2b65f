"""A task as plain values; its rubric is kept beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from rubric_engine.case import Task
from rubric_engine.isolation import Limits, Network
from rubric_engine.kept.reading import read_as
from rubric_engine.monitored import MonitorSettings
from rubric_engine.rubric import Rubric


class _KeptTask(BaseModel):
    """The fields of `Task`, without its rubric and where it was found."""

    model_config = ConfigDict(frozen=True, extra="forbid", from_attributes=True)

    name: str
    title: str | None
    paper: str | None
    addendum: str | None
    judge_addendum: str | None
    attachments: dict[str, str]
    blacklist: tuple[str, ...]
    mode: str
    skip: tuple[str, ...] | None
    network: Network
    outputs: tuple[str, ...]
    limits: Limits | None
    monitor: MonitorSettings = MonitorSettings()
    category: str | None
    only: tuple[str, ...] | None = None


def task_values(task: Task) -> dict[str, Any]:
    """The task as plain JSON values, without its rubric."""
    return _KeptTask.model_validate(task).model_dump(mode="json")


def load_kept_task(path: Path, rubric: Rubric) -> Task:
    """Get a task back.

    Raises:
        RunError: The file is missing or damaged.
    """
    kept = read_as(path, _KeptTask)
    return Task(rubric=rubric, **{name: getattr(kept, name) for name in _KeptTask.model_fields})
