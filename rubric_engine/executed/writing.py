"""Writing a run to a folder: it is there whole, or as it was."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

from rubric_engine.errors import StorageError
from rubric_engine.executed.leftovers import sweep_beside
from rubric_engine.executed.record import (
    FILES,
    HANDED_IN,
    INDEX,
    NAMES,
    RECORD,
    Record,
    executed_files,
    handed_in_list,
    our_record,
)
from rubric_engine.executed.sealing import hash_of
from rubric_engine.isolation import Execution, RunSpec
from rubric_engine.kept.log_file import LOG, keep_log
from rubric_engine.rundir import storing
from rubric_engine.submission import save_snapshot
from rubric_engine.submission.removing import remove_tree
from rubric_engine.submitted import Submission


def require_free(folder: Path) -> None:
    """Make sure that a run may be written to a folder: a new or empty one, or an earlier run's.

    Raises:
        StorageError: It holds something else.
    """
    with storing(folder, "name another folder with -o DIR"):
        if not folder.is_symlink() and (not folder.exists() or not any(folder.iterdir())):
            return
    ours = None if folder.is_symlink() else our_record(folder)
    if ours is None or {entry.name for entry in folder.iterdir()} - NAMES:
        raise StorageError(
            f"{folder} holds something that `reproduce` did not write",
            code="E906",
            fix=["name a new folder with -o DIR"],
        )


def write_executed(
    folder: Path, handed_in: Submission, execution: Execution, settings: RunSpec
) -> None:
    """Write a run; the folder is there whole, or as it was.

    Args:
        folder: One that `require_free` let pass; an earlier run in it is replaced.
        handed_in: The submission as handed in.
        execution: What happened, with the executed submission.
        settings: How it was run.

    Raises:
        StorageError: The disk refuses.
        SubmissionError: The submission changed meanwhile.
    """
    folder = folder.resolve()  # a name such as "." has no neighbours
    half = folder.with_name(f".{folder.name}-{secrets.token_hex(4)}")
    try:
        with storing(folder, "name another folder with -o DIR"):
            sweep_beside(folder, NAMES)
            (half / FILES).mkdir(parents=True)
            _write(half, handed_in, execution, settings)
            _put(half, folder)
    finally:
        remove_tree(half)


def _write(half: Path, handed_in: Submission, execution: Execution, settings: RunSpec) -> None:
    assert execution.submission is not None
    execution.submission.export(half / FILES)
    save_snapshot(handed_in, half / HANDED_IN, INDEX)
    keep_log(execution, half / LOG)
    record = Record(
        settings=settings,
        handed_in=hash_of(handed_in_list(half)),
        executed=executed_files(half, execution.submission.name, settings).files.sha256,
        log=hash_of(half / LOG) if (half / LOG).exists() else None,
        run=execution,
    )
    content = json.dumps(record.sealed().model_dump(mode="json"), indent=1)
    (half / RECORD).write_text(content, encoding="ascii")


def _put(half: Path, folder: Path) -> None:
    """Move it to its place, and what was there out of the way first."""
    old = half.with_name(f"{half.name}-old")
    if folder.exists():
        folder.rename(old)
    try:
        half.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    remove_tree(old)
