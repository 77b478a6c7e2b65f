"""What is graded: a public rubric, a made-up paper, and a made-up submission of 120 files."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from rubric_engine import Submission, Task, load_rubric, load_submission
from rubric_engine.declared import declared_execution
from rubric_engine.isolation import Execution
from rubric_engine.task import task_of

MAKER = "perf_inputs.py"


def make_inputs(data: Path, folder: Path) -> None:
    """Write paper, addendum and submission, the same every time.

    Args:
        data: The folder of test data, which holds the program that makes them.
        folder: Where to.
    """
    made = [sys.executable, str(data / MAKER), str(folder)]
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL)


def load_inputs(rubric: Path, folder: Path) -> tuple[Task, Submission, Execution]:
    """Load what one grading needs.

    Args:
        rubric: The rubric's file.
        folder: What `make_inputs` wrote.

    Returns:
        The task, the submission, and its run, taken at its word.
    """
    submission = load_submission(folder / "submission")
    task = replace(
        task_of(load_rubric(rubric)),
        name=rubric.parent.name,
        paper=(folder / "paper.md").read_text(),
        addendum=(folder / "addendum.md").read_text(),
    )
    return task, submission, declared_execution(submission)
