"""A labelled case: a task, a submission where there is one, and what humans say of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rubric_engine.case import Task
from rubric_engine.declared import declared_execution
from rubric_engine.errors import CaseError, RunError, SubmissionError
from rubric_engine.files import FileIndex, sniff
from rubric_engine.grading import Grade
from rubric_engine.isolation import Execution
from rubric_engine.kept import task_values
from rubric_engine.lookup import is_file, is_folder
from rubric_engine.submission import load_submission
from rubric_engine.submitted import Submission

_POINTER_BYTES = 1024


HandedIn = tuple[Submission, Execution | None]
"""A submission, and the run of it that was made elsewhere."""


@dataclass(frozen=True)
class LabelledCase:
    """One submission with its labels.

    Attributes:
        name: Name in tables.
        folder: Where it lies.
        task: What the submission is graded against.
        annotator: Whose labels a judge is held against.
        labels: Their grades by key; a leaf that they could not judge has no score.
        others: Grades of further annotators, by name.
        path: Where the submission lies, or would; see `is_absent`.
        sha256: Hash of the submission that was labelled, where it is known.
        elsewhere: Whether `reproduce.sh` was run elsewhere, and the submission is what it left.
        record: Log of that run or its `execution.json`, where it lies outside the submission.
        source: Where the case comes from.
        notes: What is missing, in words.
    """

    name: str
    folder: Path
    task: Task
    annotator: str
    labels: Mapping[str, Grade]
    path: Path
    others: Mapping[str, Mapping[str, Grade]] = field(default_factory=dict)
    sha256: str | None = None
    elsewhere: bool = False
    record: Path | None = None
    source: str = ""
    notes: tuple[str, ...] = ()

    @cached_property
    def labelled(self) -> tuple[str, ...]:
        """Keys of the leaves with a label, in document order."""
        keys = self.task.rubric.leaves()
        return tuple(
            key for key in keys if key in self.labels and self.labels[key].score is not None
        )

    @cached_property
    def labels_sha256(self) -> str:
        """Hash of all labels."""
        whose = {self.annotator: self.labels, **{f"other {k}": v for k, v in self.others.items()}}
        scores = {
            name: {key: grade.score for key, grade in grades.items()}
            for name, grades in whose.items()
        }
        return hashlib.sha256(json.dumps(scores, sort_keys=True).encode()).hexdigest()

    @cached_property
    def inputs_sha256(self) -> str:
        """Hash of all that a judge is given beside the submission and the rubric.

        These are the task's texts and settings, and the record of a run made elsewhere.
        """
        record = self.record.read_bytes() if self.record is not None else b""
        given = json.dumps([task_values(self.task), self.elsewhere], sort_keys=True)
        return hashlib.sha256(given.encode() + record).hexdigest()

    @cached_property
    def absence(self) -> str | None:
        """Why there is no submission to read; None where there is one."""
        if is_folder(self.path):
            return None
        if not is_file(self.path):
            return f"{self.path} does not exist, or is neither a folder nor a file"
        with suppress(OSError):  # what cannot be read is said when it is loaded
            small = self.path.stat().st_size < _POINTER_BYTES
            if small and sniff(self.path.read_bytes()) == "lfs_pointer":
                return f"{self.path} is a Git LFS pointer: git lfs pull"
        return None

    def sha256_of(self, handed_in: HandedIn) -> str | None:
        """Hash of a submission's files; None where there is none."""
        return None if self.absence else handed_in[0].files.sha256

    def load(self) -> HandedIn:
        """Load the submission, and describe the run of it that was made elsewhere.

        Where it is absent, an empty one stands in, for judges that read none.

        Raises:
            SubmissionError: It cannot be read.
            CaseError: It is not the one that was labelled.
        """
        if self.absence:
            return AbsentSubmission(self.path.name), None
        submission = load_submission(self.path, skip=self.task.skip)
        if self.sha256 is not None and submission.files.sha256 != self.sha256:
            raise CaseError(
                f"the submission of case {self.name!r} is not the one that was labelled",
                code="E543",
                looked=[f"labelled: {self.sha256}", f"now: {submission.files.sha256}"],
                fix=["restore the submission, or label it again and write its hash to case.yaml"],
            )
        if not self.elsewhere:
            return submission, None
        return submission, self._declared(submission)

    def _declared(self, submission: Submission) -> Execution:
        """The run made elsewhere, taken at its word."""
        if self.record is None or self.record.suffix != ".json":
            return declared_execution(submission, outputs=self.task.outputs, log=self.record)
        return recorded(self.record).model_copy(
            update={"submission": submission, "sandbox": "declared", "isolates": False}
        )


def recorded(path: Path) -> Execution:
    """Read an `execution.json`; nobody vouches for it but the case's author.

    Raises:
        RunError: It cannot be read.
    """
    try:
        content = json.loads(path.read_bytes())
        return Execution.model_validate(content.get("run", content))
    except (OSError, ValueError, AttributeError) as error:
        first = str(error).splitlines()[0]
        raise RunError(f"{path} is no record of a run: {first}", code="E524") from None


@dataclass(frozen=True)
class AbsentSubmission:
    """Stands for a submission that is not at hand: it holds nothing."""

    name: str
    files: FileIndex = field(default_factory=lambda: FileIndex.of([]))

    def read(self, path: str, *, max_bytes: int | None = None) -> str:
        """Refuse: nothing is there."""
        raise self._missing(path)

    def read_bytes(self, path: str, *, max_bytes: int | None = None) -> bytes:
        """Refuse: nothing is there."""
        raise self._missing(path)

    def export(self, folder: Path) -> None:
        """Copy nothing."""

    def _missing(self, path: str) -> SubmissionError:
        return SubmissionError(f"{path!r}: the submission is absent", code="E304")
