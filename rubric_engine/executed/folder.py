"""The folder that `reproduce -o DIR` writes, and that `grade DIR` recognises as ours.

DIR/submission/      the executed submission
DIR/reproduce.log    what the run printed
DIR/execution.json   what happened, under a keyed hash
DIR/handed_in/       the submission as it was handed in, by content: code is judged as it came
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from rubric_engine.errors import RunError, StorageError
from rubric_engine.executed.leftovers import sweep_beside
from rubric_engine.executed.sealing import Sealed, hash_of, log_as_written
from rubric_engine.globs import matches
from rubric_engine.isolation import SCRIPT, Execution, RunSpec
from rubric_engine.kept.log_file import LOG, keep_log
from rubric_engine.kept.reading import read_as
from rubric_engine.lookup import is_file, is_folder
from rubric_engine.rundir import storing
from rubric_engine.submission import FolderSubmission, load_snapshot, save_snapshot
from rubric_engine.submission.removing import remove_tree
from rubric_engine.submission.snapshot import SnapshotSubmission
from rubric_engine.submitted import Submission

RECORD, FILES, HANDED_IN = "execution.json", "submission", "handed_in"
_NAMES = frozenset({RECORD, FILES, HANDED_IN, LOG})
_INDEX = "index"
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


@dataclass(frozen=True, eq=False)
class _HandedIn(SnapshotSubmission):
    """A submission as handed in; `root` says where nothing is to be believed."""

    root: Path


@dataclass(frozen=True)
class Executed:
    """A run out of a folder.

    Attributes:
        folder: The folder.
        settings: How it was run.
        handed_in: The submission as handed in.
        execution: What happened, with the executed submission.
    """

    folder: Path
    settings: RunSpec
    handed_in: Submission
    execution: Execution

    def require_fit(self, *, skip: tuple[str, ...] | None, outputs: Iterable[str]) -> None:
        """Make sure that the run was made as a task wants it.

        Args:
            skip: The task's patterns of what is skipped.
            outputs: Its globs of results, which are removed before a run.

        Raises:
            RunError: The files are listed by other patterns, or results lay ready before it.
        """
        fix = ["rubric-engine reproduce SUBMISSION -o DIR --task TASK   with this task"]
        if skip != self.settings.skip:
            raise RunError(
                f"{self.folder} was reproduced with other `skip` patterns than the task has",
                code="E535",
                fix=fix,
            )
        globs, removed = tuple(outputs), self.execution.removed_before
        left = [
            file.path
            for file in self.handed_in.files
            if file.path not in removed and any(matches(glob, file.path) for glob in globs)
        ]
        if left:
            raise RunError(
                f"{self.folder} was reproduced while {left[0]!r}, an output of the task, lay there",
                code="E535",
                looked=[f"outputs: {', '.join(globs)}"],
                fix=fix,
            )


def is_executed(folder: Path) -> bool:
    """Whether a folder looks like one that `reproduce` wrote; nothing is believed yet.

    Two of its three parts are enough, so that a damaged one is refused and not taken for a
    submission. One with a script at its root is a submission.
    """
    found = (
        os.path.lexists(folder / RECORD),
        is_folder(folder / FILES),
        is_folder(folder / HANDED_IN),
    )
    return sum(found) > 1 and not os.path.lexists(folder / SCRIPT)


def require_free(folder: Path) -> None:
    """Make sure that a run may be written to a folder: a new or empty one, or an earlier run's.

    Raises:
        StorageError: It holds something else.
    """
    with storing(folder, "name another folder with -o DIR"):
        if not folder.is_symlink() and (not folder.exists() or not any(folder.iterdir())):
            return
    ours = None if folder.is_symlink() else _our_record(folder)
    if ours is None or {entry.name for entry in folder.iterdir()} - _NAMES:
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
            sweep_beside(folder, _NAMES)
            (half / FILES).mkdir(parents=True)
            _write(half, handed_in, execution, settings)
            _put(half, folder)
    finally:
        remove_tree(half)


def _write(half: Path, handed_in: Submission, execution: Execution, settings: RunSpec) -> None:
    assert execution.submission is not None
    execution.submission.export(half / FILES)
    save_snapshot(handed_in, half / HANDED_IN, _INDEX)
    keep_log(execution, half / LOG)
    record = Record(
        settings=settings,
        handed_in=hash_of(_list(half)),
        executed=_files(half, execution.submission.name, settings).files.sha256,
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


def load_executed(folder: Path) -> Executed:
    """Get a run back.

    Raises:
        RunError: It is not this user's, damaged, or was changed.
    """
    record = _our_record(folder)
    if record is None:
        raise RunError(
            f"{folder / RECORD} was not written by you, or was changed or removed since",
            code="E533",
            looked=["an execution record counts where its keyed hash is yours"],
            fix=[
                f"rubric-engine grade {folder} --executed   takes the run on trust",
                "rubric-engine reproduce SUBMISSION -o DIR   makes a run of your own",
            ],
        )
    index = _list(folder)
    if not index.is_file() or hash_of(index) != record.handed_in:
        raise _changed(folder, HANDED_IN)
    handed_in = load_snapshot(folder / HANDED_IN, _INDEX)
    assert isinstance(handed_in, SnapshotSubmission)
    if not is_folder(folder / FILES):
        raise _changed(folder, FILES)
    files = _files(folder, handed_in.name, record.settings)
    if files.files.sha256 != record.executed:
        raise _changed(folder, FILES)
    return Executed(
        folder=folder,
        settings=record.settings,
        handed_in=_HandedIn(**vars(handed_in), root=folder),
        execution=record.run.model_copy(
            update={"submission": files, "log_file": log_as_written(folder / LOG, record.log)}
        ),
    )


def _our_record(folder: Path) -> Record | None:
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


def _list(folder: Path) -> Path:
    return folder / HANDED_IN / f"{_INDEX}.json"


def _files(folder: Path, name: str, settings: RunSpec) -> FolderSubmission:
    return FolderSubmission.of(folder / FILES, name=name, skip=settings.skip)


def _changed(folder: Path, name: str) -> RunError:
    return RunError(
        f"{folder / name} was changed since the run",
        code="E534",
        fix=[
            f"rubric-engine grade {folder} --executed   takes it as it is, on trust",
            "rubric-engine reproduce SUBMISSION -o DIR   runs again",
        ],
    )
