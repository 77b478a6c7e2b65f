"""What `grade` is given, made into what grading works on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rubric_engine.case import Task
from rubric_engine.connection import Connection, Spending
from rubric_engine.decision import DecisionModel
from rubric_engine.errors import TaskError, UsageError
from rubric_engine.judge import JudgeContext
from rubric_engine.judges.settings import check_model
from rubric_engine.lookup import inside, planted
from rubric_engine.model import ChatModel
from rubric_engine.rubric import Rubric
from rubric_engine.rundir import new_run_name
from rubric_engine.spending import listed_window
from rubric_engine.state import fence_code, state_folder
from rubric_engine.submitted import Submission
from rubric_engine.task import read_text, task_of


def connection_for(
    run_dir: str | Path | None,
    untrusted: Path | None,
    model: str | Mapping[str, Any] | ChatModel | DecisionModel | None,
    spending: Spending,
) -> Connection:
    """The way to models and to the ledger of paid calls, which lies beside the run.

    Args:
        run_dir: Folder of the run; None has the ledger in ./runs, or among the user's state where
            the current folder is in the submission.
        untrusted: The submission's root, where it has one.
        model: The model, where it is one of somebody's own.
        spending: What may be spent.
    """
    asked = model if isinstance(model, ChatModel | DecisionModel) else None
    if run_dir is not None:
        whole = Path(run_dir).resolve()  # as a resume will find it
        return Connection(whole.parent, whole.name, spending, asked, new=True)
    here = Path("runs")
    if untrusted is not None and inside(Path(), untrusted):
        here = state_folder() / "runs"
    return Connection(here, new_run_name("call"), spending, asked, new=True)


def judge_context(
    connection: Connection, model: str | Mapping[str, Any] | ChatModel | DecisionModel | None
) -> JudgeContext:
    """What a judge is made with: a model of a name or of settings takes the place of its card's."""
    settings: Mapping[str, Any] = {}
    if isinstance(model, str):
        settings = {"name": model}
    elif isinstance(model, Mapping):
        check_model(model)
        settings = model
    return JudgeContext(
        connect=connection.connect,
        decide=connection.decide,
        nonce=fence_code,
        model=settings,
        window=listed_window,
    )


def task_given(given: Task | Rubric, paper: str | Path | None) -> Task:
    """The task, or one made of a rubric alone; the paper takes the place of the task's.

    Raises:
        UsageError: It is neither.
    """
    if not isinstance(given, Task | Rubric):
        message = f"grade takes a task or a rubric, not {given!r}"
        raise UsageError(message, fix=["load_rubric(path), or load_task(name)"])
    task = given if isinstance(given, Task) else task_of(given)
    return task if paper is None else replace(task, paper=read_text(Path(paper)))


def root_of(submission: Submission | str | Path) -> Path | None:
    """Where a submission lies, and nothing is to be believed; None where it lies in no folder."""
    if isinstance(submission, str | Path):
        return Path(submission)
    root = getattr(submission, "root", None)
    return root if isinstance(root, Path) else None


def refuse_planted(task: Task, untrusted: Path | None) -> None:
    """Refuse a task that a bare name found inside the submission: it is the submission's own.

    Raises:
        TaskError: It is such a task.
    """
    if task.found_in is not None and planted(task.found_in, "rubrics", untrusted):
        raise TaskError(
            f"task {task.name!r} was found inside the submission, in {task.found_in}",
            code="E416",
            fix=["load the task from another current folder, or give its path to mean this one"],
        )
