"""The folder that `reproduce -o DIR` wrote: recognising it, and getting the run back."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rubric_engine.errors import RunError
from rubric_engine.executed.record import (
    FILES,
    HANDED_IN,
    INDEX,
    RECORD,
    executed_files,
    handed_in_list,
    our_record,
)
from rubric_engine.executed.sealing import hash_of, log_as_written
from rubric_engine.globs import matches
from rubric_engine.isolation import SCRIPT, Execution, RunSpec
from rubric_engine.kept.log_file import LOG
from rubric_engine.lookup import is_folder
from rubric_engine.submission import load_snapshot
from rubric_engine.submission.snapshot import SnapshotSubmission
from rubric_engine.submitted import Submission


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


def load_executed(folder: Path) -> Executed:
    """Get a run back.

    Raises:
        RunError: It is not this user's, damaged, or was changed.
    """
    record = our_record(folder)
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
    index = handed_in_list(folder)
    if not index.is_file() or hash_of(index) != record.handed_in:
        raise _changed(folder, HANDED_IN)
    handed_in = load_snapshot(folder / HANDED_IN, INDEX)
    assert isinstance(handed_in, SnapshotSubmission)
    if not is_folder(folder / FILES):
        raise _changed(folder, FILES)
    files = executed_files(folder, handed_in.name, record.settings)
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


def _changed(folder: Path, name: str) -> RunError:
    return RunError(
        f"{folder / name} was changed since the run",
        code="E534",
        fix=[
            f"rubric-engine grade {folder} --executed   takes it as it is, on trust",
            "rubric-engine reproduce SUBMISSION -o DIR   runs again",
        ],
    )
