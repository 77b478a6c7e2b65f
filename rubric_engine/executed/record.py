"""What the folder that `reproduce -o DIR` writes is made of, and the record in it.

DIR/submission/      the executed submission
DIR/reproduce.log    what the run printed
DIR/execution.json   what happened, under a keyed hash
DIR/handed_in/       the submission as it was handed in, by content: code is judged as it came
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from rubric_engine.errors import RunError
from rubric_engine.executed.sealing import Sealed
from rubric_engine.isolation import Execution, RunSpec
from rubric_engine.kept.log_file import LOG
from rubric_engine.kept.reading import read_as
from rubric_engine.lookup import is_file
from rubric_engine.submission import FolderSubmission

RECORD, FILES, HANDED_IN = "execution.json", "submission", "handed_in"
NAMES = frozenset({RECORD, FILES, HANDED_IN, LOG})
INDEX = "index"
_LARGEST_RECORD = 500_000_000


class Record(Sealed):
    """The content of execution.json.

    Attributes:
        execution: Version of the format.
        settings: How it was run.
        handed_in: Hash of the list of what was handed in.
        executed: Hash of the files of the executed submission.
        log: Hash of the log's file, where there is one.
        run: What happened.
    """

    kind: ClassVar[str] = "execution"

    execution: Literal[1] = 1
    settings: RunSpec
    handed_in: str
    executed: str
    log: str | None = None
    run: Execution


def our_record(folder: Path) -> Record | None:
    """The record, where this user's engine wrote it as it stands."""
    path = folder / RECORD
    try:
        # Somebody may have put a pipe, a link or a giant there.
        if not is_file(path) or path.is_symlink() or path.stat().st_size > _LARGEST_RECORD:
            return None
        record = read_as(path, Record)
    except (OSError, RunError):
        return None
    return record if record.is_ours else None


def handed_in_list(folder: Path) -> Path:
    """The list of what was handed in."""
    return folder / HANDED_IN / f"{INDEX}.json"


def executed_files(folder: Path, name: str, settings: RunSpec) -> FolderSubmission:
    """The executed submission."""
    return FolderSubmission.of(folder / FILES, name=name, skip=settings.skip)
