"""PaperBench's layout of a case, `judge_eval/<paper>/<n>/`, read as it stands.

Its rubric is the one inside `expected_result.json`: official rubrics were edited after labelling.
The submission is what a run left, so the case counts as executed elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rubric_engine.case import Task
from rubric_engine.errors import PaperError, TaskError
from rubric_engine.judgeeval.cases.case import LabelledCase
from rubric_engine.judgeeval.cases.place import case_name, require_apart, submission_in
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_grades, load_rubric
from rubric_engine.task import load_task, task_of

GRADING = "grading"
EXPECTED = f"{GRADING}/expected_result.json"
SUBMISSIONS = ("submission", "submission.tar")
ANNOTATOR = "expert"
"""PaperBench names nobody: each leaf has one label of the paper's expert."""


def load_paperbench(folder: Path) -> LabelledCase:
    """Load a case of PaperBench's JudgeEval.

    The paper is looked for beside `judge_eval`, then in `$PAPERBENCH_DATA_DIR`.

    Raises:
        RubricError: The graded tree is wrong.
        LabelsError: It carries no grades.
        CaseError: The submission is a link out of the folder, or to the labels.
    """
    whole = folder.resolve()
    paper, rubric = whole.parent.name, load_rubric(folder / EXPECTED)
    task, notes = _task(paper, whole, rubric)
    return LabelledCase(
        name=case_name(whole.parent, whole),
        folder=folder,
        task=task,
        annotator=ANNOTATOR,
        labels=load_grades(folder / EXPECTED),
        path=_submission(folder),
        elsewhere=True,
        source="PaperBench JudgeEval",
        notes=notes,
    )


def _submission(folder: Path) -> Path:
    """Where the submission lies; where it would be unpacked if there is none."""
    names = [name for name in SUBMISSIONS if os.path.lexists(folder / name)]
    path = submission_in(folder, names[0] if names else SUBMISSIONS[0])
    require_apart(folder / GRADING, path)
    return path


def _task(paper: str, folder: Path, rubric: Rubric) -> tuple[Task, tuple[str, ...]]:
    """The paper's task with the case's rubric; without its texts where they are not at hand."""
    bare = task_of(rubric, name=paper)
    places = list(dict.fromkeys(_places(paper, folder)))
    for place in places:
        if not place.is_dir():
            continue
        try:
            found = load_task(place)
        except (PaperError, TaskError) as error:
            return bare, (f"the paper of {paper} is left out: {error.message}",)
        missing = () if found.paper else (f"{place} holds no paper.md: no judge sees the paper",)
        return replace(found, rubric=rubric), missing
    looked = ", ".join(map(str, places))
    return bare, (f"no paper of {paper} is at hand, so no judge sees it (tried {looked})",)


def _places(paper: str, folder: Path) -> Iterator[Path]:
    yield folder.parent.parent.parent / "papers" / paper
    if data := os.environ.get("PAPERBENCH_DATA_DIR"):
        yield Path(data) / "papers" / paper
