"""Where a result comes from: the facts that tell one run from another."""

from __future__ import annotations

import platform
from collections.abc import Collection
from importlib.metadata import version
from typing import Any

from rubric_engine.case import Task
from rubric_engine.isolation import Execution, RunSpec, Sandbox
from rubric_engine.judge import JudgeCard
from rubric_engine.submission_names import CALLED
from rubric_engine.submitted import Submission

_DECIDERS = ("duckdb", "google-re2")
"""Packages besides ours whose version may decide a verdict."""

_OF_EXECUTION = {
    "sandbox",
    "isolates",
    "status",
    "exit_code",
    "signal",
    "duration_s",
    "fault",
    "image",
    "network",
    "gpus",
}


def mode_of(mode: str, category: str | None, only: Collection[str] | None = None) -> str:
    """Name of the way of grading, with the view if it is one."""
    parts = [mode, *([f"{category} only"] if category is not None else [])]
    return ", ".join(parts if only is None else [*parts, f"{len(only)} chosen leaves only"])


def judging_facts(task: Task, card: JudgeCard) -> dict[str, Any]:
    """What is graded against, by whom, and with which versions."""
    versions = {name: version(name) for name in ("rubric-engine", *_DECIDERS)}
    return {
        "task": task.name,
        "mode": mode_of(task.mode, task.category, task.only),
        "category": task.category,
        "rubric_sha256": task.rubric.sha256,
        "paper_sha256": task.paper_sha256,
        "judge": {
            "name": card.name,
            "kind": card.kind,
            "fingerprint": card.fingerprint,
            "card": card.model_dump(mode="json"),
        },
        "versions": versions | {"python": platform.python_version()},
    }


def submission_facts(submission: Submission, spec: RunSpec, box: Sandbox | None) -> dict[str, Any]:
    """What is graded, and how its script is run."""
    return {
        "submission": submission.name,
        **_called(submission),
        "submission_sha256": submission.files.sha256,
        "settings": spec.model_dump(mode="json") | {"sandbox": box.name if box else None},
    }


def execution_facts(execution: Execution) -> dict[str, Any]:
    """How the run of `reproduce.sh` ended, and what it left."""
    facts = execution.model_dump(mode="json", include=_OF_EXECUTION)
    if execution.submission is None:
        return facts
    return facts | {"submission_sha256": execution.submission.files.sha256}


def _called(submission: Submission) -> dict[str, str]:
    """What people call it, where that is not its name."""
    known = str(getattr(submission, "called", ""))
    return {CALLED: known} if known and known != submission.name else {}
