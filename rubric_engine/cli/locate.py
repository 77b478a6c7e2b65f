"""Where the command line finds the task of a submission and keeps its runs."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from rubric_engine.case import Task
from rubric_engine.errors import InputError, TaskError, UsageError
from rubric_engine.lookup import Lookup, inside, is_file, is_folder, shipped
from rubric_engine.near import near
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import RUBRIC_NAMES, load_rubric
from rubric_engine.state import state_folder
from rubric_engine.task import load_task, read_text, rubric_in, task_of


def find_task(
    submission: Path,
    *,
    task: str | None,
    rubric: Path | None,
    paper: Path | None,
    command: str = "grade",
) -> Task:
    """Find what a submission is graded against.

    Args:
        submission: Path of the submission; nothing inside it is found unless a flag names it.
        task: Value of `--task`.
        rubric: Value of `--rubric`.
        paper: Value of `--paper`.
        command: The command that looks for it, for what an error advises.

    Raises:
        UsageError: Both `--task` and `--rubric`.
        TaskError: Nothing is found; the error lists what was tried.
    """
    if task is not None and rubric is not None:
        raise UsageError("give --task or --rubric, not both")
    if task is not None:
        found = load_task(task, untrusted=submission)
    else:
        path = rubric if rubric is not None else _rubric_nearby(submission, command)
        found = task_of(load_rubric(path), name=_name(path))
    return found if paper is None else replace(found, paper=read_text(paper))


def _rubric_nearby(submission: Path, command: str) -> Path:
    tried = []
    for folder in (Path(), _shown(submission.resolve().parent)):
        for name in RUBRIC_NAMES:
            path = folder / name
            if inside(path, submission):
                tried.append(f"{path} (passed over: it lies inside the submission)")
            elif path.is_file():
                return path
            else:
                tried.append(str(path))
    raise TaskError(
        "no rubric given, and none found",
        code="E415",
        looked=[
            *(f"tried {path}" for path in dict.fromkeys(tried)),
            f"tasks that are shipped: {', '.join(shipped('rubrics'))}",
        ],
        fix=[
            f"rubric-engine {command} SUBMISSION --rubric RUBRIC.yaml",
            f"rubric-engine {command} SUBMISSION --task NAME",
        ],
    )


def _shown(folder: Path) -> Path:
    """The folder relative to the current one where it lies in it, for messages."""
    here = Path().resolve()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def _name(rubric: Path) -> str:
    if rubric.is_dir():
        return rubric.resolve().name
    return rubric.resolve().parent.name if rubric.name in RUBRIC_NAMES else rubric.stem


def rubric_of(name: str) -> tuple[Rubric, Path]:
    """Load the rubric that an argument names: a file, a task's folder, or a task by name."""
    path = Path(name)
    if not is_file(path) and not is_folder(path):
        look = Lookup("rubrics", RUBRIC_NAMES)
        folder = look.find(name)
        if folder is None and (path.suffix or os.sep in name):
            return load_rubric(path), path  # raises, with near misses beside the path
        if folder is None:
            raise look.missing(name, "rubric or task", InputError)
        path = folder
    if path.is_dir():
        path = rubric_in(path)
    return load_rubric(path), path


def exact_category(rubric: Rubric, category: str) -> str:
    """The category that a person means, whatever case it was written in.

    Raises:
        UsageError: Neither the rubric nor the built-in list knows the category.
    """
    from rubric_engine.categories import BUILT_IN

    used = {rubric[key].task_category or "" for key in rubric.leaves()}
    known = sorted(used | set(rubric.categories) | set(BUILT_IN))
    exact = {name.lower(): name for name in known}.get(category.lower())
    if exact is None:
        meant = near(category, known)
        raise UsageError(
            f"no category {category!r}" + (f"; {meant}" if meant else ""),
            looked=[f"categories: {', '.join(known)}"],
        )
    return exact


def runs_folder(given: Path | None, submission: Path | None = None) -> Path:
    """Where runs are kept: what was given, else ./runs, else the user's state folder.

    The current folder is passed over where it lies in the submission, which is not ours to write
    into.
    """
    if given is not None:
        return given
    if submission is not None and inside(Path(), submission):
        return state_folder() / "runs"
    return Path("runs")


def run_bases(given: Path | None) -> list[Path]:
    """Where runs are looked for."""
    return [given] if given is not None else [Path("runs"), state_folder() / "runs"]
