"""Making a labelling: who labels which leaves of a submission."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.case import Task
    from rubric_engine.judgeeval.labelling.folder import LabelFolder
    from rubric_engine.submitted import Submission


def make_labelling(
    path: Path,
    submission: Path,
    found: Task,
    handed_in: Submission,
    names: Sequence[str],
    *,
    sample: int | None = None,
    overlap: int = 100,
    seed: int = 0,
) -> LabelFolder:
    """Draw leaves, deal them out, and keep the plan with a work file for each annotator.

    Raises:
        UsageError: The folder lies in the submission, or there is nothing to label.
        LabelsError: It holds a plan already.
        StorageError: It cannot be written.
    """
    from rubric_engine.judgeeval.labelling.folder import LabelFolder
    from rubric_engine.judgeeval.labelling.planning import LabelPlan, planned_leaves
    from rubric_engine.submission_names import called

    plan = LabelPlan(
        task=found.name,
        submission=str(submission.resolve()),
        name=called(submission.resolve()),
        rubric_sha256=found.rubric.sha256,
        submission_sha256=handed_in.files.sha256,
        seed=seed,
        overlap=overlap,
        of=len(found.rubric.leaves()),
        annotators=tuple(names),
        leaves=planned_leaves(found.rubric, names, sample=sample, overlap=overlap, seed=seed),
    )
    return LabelFolder.make(path, plan, found.rubric, outside=submission)


def usual_folder(task: str, submission: Path) -> Path:
    """Where the labels of a submission lie if nobody says otherwise.

    Args:
        task: Name of the task.
        submission: Path of the submission.
    """
    from rubric_engine.judgeeval.labelling.finding import BASE
    from rubric_engine.submission_names import called

    known = called(submission.resolve())
    name = known if known.startswith(task) else f"{task}-{known}"
    return BASE / (re.sub(r"[^\w.-]+", "-", name).strip("-.")[:80] or "labels")


def serve_command(
    submission: Path, task: str | None, rubric: Path | None, folder: Path | None
) -> str:
    """The command that labels in the browser, without the name of who labels.

    Args:
        submission: Path of the submission.
        task: Value of `--task`.
        rubric: Value of `--rubric`.
        folder: Folder of the labels, where it is not the usual one.
    """
    options = {"--task": task, "--rubric": rubric, "--plan": folder}
    given = [word for name, value in options.items() if value is not None
             for word in (name, str(value))]  # fmt: skip
    return "rubric-engine label serve " + shlex.join([str(submission), *given])
