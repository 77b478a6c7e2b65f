"""Our own layout of a case: `case.yaml`, `labels.yaml`, `submission/`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from rubric_engine.errors import CaseError, LabelsError
from rubric_engine.grading import Grade
from rubric_engine.judgeeval.cases.case import LabelledCase
from rubric_engine.judgeeval.cases.place import case_name, require_apart, submission_in
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.layout import ADJUDICATE, GOLD, PLAN, TODO
from rubric_engine.labels import Labels, load_labels
from rubric_engine.lookup import is_file, is_path
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_model
from rubric_engine.task import load_task

CASE = "case.yaml"
OTHERS = "labels"
"""Folder of what further annotators said, a file each, as `label` leaves it."""

TRUTH = ("labels.yaml", "labels.jsonl", f"{OTHERS}/{GOLD}")
"""Where the labels stand that judges are held against, the first that is there."""


def _no_nul(name: str) -> str:
    if "\0" in name:
        raise ValueError("a path holds no NUL character")
    return name


_Name = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_no_nul)]


class CaseFile(BaseModel):
    """The content of `case.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: _Name = Field(description="Name of a task, or its path, relative to the case's folder.")
    submission: _Name = Field(
        default="submission", description="Path, relative to the folder and inside it."
    )
    execution: _Name | None = Field(
        default=None,
        description="Log, or execution.json, of a run of reproduce.sh that was made elsewhere,"
        " relative to the folder; the submission is what that run left.",
    )
    source: str = Field(default="", description="Where the case comes from.")
    sha256: str | None = Field(default=None, description="Hash of the submission's files.")


def load_own(folder: Path) -> LabelledCase:
    """Load a case of our layout.

    Raises:
        CaseError: `case.yaml` does not parse, or what it names is missing.
        LabelsError: Labels are missing or wrong.
        TaskError: There is no such task.
    """
    file = load_model(folder / CASE, CaseFile, error=CaseError, code="E544")
    path = submission_in(folder, file.submission)
    named = str(folder / file.task) if is_path(file.task) else file.task
    task = load_task(named, untrusted=path)
    truth = _truth(folder, path, task.rubric)
    return LabelledCase(
        name=case_name(folder.resolve()),
        folder=folder,
        task=task,
        annotator=truth.annotator,
        labels=truth.grades(),
        others=dict(_others(folder, path, task.rubric)),
        path=path,
        sha256=file.sha256,
        elsewhere=file.execution is not None,
        record=None if file.execution is None else _record(folder, file.execution),
        source=file.source,
    )


def _record(folder: Path, name: str) -> Path:
    path = folder / name
    if not is_file(path):
        raise CaseError(
            f"{folder / CASE} names the run {name!r}, and there is none",
            code="E544",
            looked=[str(path)],
            fix=["give its log or its execution.json; leave `execution` out if nothing ran"],
        )
    return path


def _truth(folder: Path, submission: Path, rubric: Rubric) -> Labels:
    for name in TRUTH:
        if (folder / name).is_file():
            return _outside(folder / name, submission, rubric)
    raise LabelsError(
        f"case {folder} has no labels",
        looked=[str(folder / name) for name in TRUTH],
        fix=["rubric-engine label assign SUBMISSION --task TASK --annotators NAME"],
    )


def _others(
    folder: Path, submission: Path, rubric: Rubric
) -> Iterator[tuple[str, dict[str, Grade]]]:
    place = folder / OTHERS
    planned = LabelFolder(place).plan.annotators if (place / PLAN).is_file() else None
    for path in sorted(place.glob("*")):
        if path.suffix in (".yaml", ".jsonl") and _is_annotators(path.name, planned):
            labels = _outside(path, submission, rubric)
            yield labels.annotator, labels.grades()


def _is_annotators(name: str, planned: Sequence[str] | None) -> bool:
    """Whether a file holds an annotator's own words: no work sheet, and nothing adjudicated."""
    if planned is not None:
        return name.rpartition(".")[0] in planned
    return name != GOLD and not name.startswith((TODO, ADJUDICATE))


def _outside(path: Path, submission: Path, rubric: Rubric) -> Labels:
    require_apart(path, submission)
    return load_labels(path, rubric)
