"""What a run was about, out of its folder: what somebody reads who checks its judge."""

from __future__ import annotations

from pathlib import Path

from rubric_engine.case import Case
from rubric_engine.kept import load_kept_execution, load_kept_task
from rubric_engine.rubric import Rubric
from rubric_engine.submission import load_snapshot


def kept_case(run: Path, rubric: Rubric) -> Case:
    """The task, the submission and the run of its script, as a run folder kept them.

    Args:
        run: The folder.
        rubric: The rubric that was graded.

    Raises:
        RunError: One of them is missing or damaged.
    """
    task = load_kept_task(run / "task.json", rubric)
    return Case(task, load_snapshot(run, "handed_in"), load_kept_execution(run))
