"""`load_submission`: from a path that a person gave to a submission."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rubric_engine.errors import SubmissionError
from rubric_engine.files import File, FileIndex
from rubric_engine.near import near
from rubric_engine.submission.archive import extract
from rubric_engine.submission.empty import empty_error
from rubric_engine.submission.folder import FolderSubmission
from rubric_engine.submission.scratch import Scratch
from rubric_engine.submission.tree import reason_of
from rubric_engine.submission_names import called
from rubric_engine.submitted import Submission

_INNER = "submission"


def load_submission(
    path: str | Path, *, skip: Sequence[str] | None = None, allow_empty: bool = False
) -> Submission:
    """Index a submission.

    Args:
        path: A folder, or a tar archive (plain or packed with gzip, bzip2 or xz). An archive's
            only top folder, and a folder's only entry if it is a folder `submission`, are the
            root.
        skip: Patterns, as in a .gitignore file, of what is skipped; None stands for `files.SKIP`.
        allow_empty: Accept a submission without a single file that a judge can read.

    Returns:
        The submission. What an archive held is removed with it.

    Raises:
        SubmissionError: Nothing is there, it is no folder and no archive, the archive is broken
            or too large to unpack, or the submission is empty.
        StorageError: There is no room to unpack.
        UsageError: A pattern is not valid.
    """
    place = Path(path)
    try:
        mode = place.stat().st_mode
        found = _load_folder(place, skip) if stat.S_ISDIR(mode) else _load_file(place, mode, skip)
    except FileNotFoundError as error:
        raise _not_found(place) from error
    except OSError as error:
        raise SubmissionError(f"{place} cannot be read: {reason_of(error)}", code="E302") from error
    if not found.files and not allow_empty:
        raise empty_error(str(place), found.files)
    return found


def _load_folder(place: Path, skip: Sequence[str] | None) -> FolderSubmission:
    root = place.resolve()
    return FolderSubmission.of(_inner(root), name=root.name, skip=skip, called=called(root))


def _load_file(place: Path, mode: int, skip: Sequence[str] | None) -> FolderSubmission:
    if not stat.S_ISREG(mode):
        raise SubmissionError(f"{place} is neither a folder nor a file", code="E302")
    scratch = Scratch()
    refused = extract(place, scratch.path)
    top = _only_folder(scratch.path)
    root = _inner(top or scratch.path)
    known = called(place.resolve())
    found = FolderSubmission.of(root, name=place.name, skip=skip, scratch=scratch, called=known)
    prefix = "" if root == scratch.path else f"{root.relative_to(scratch.path)}/"
    entries = [*found.files.entries, *(_below(prefix, file) for file in refused)]
    return replace(found, files=FileIndex.of(entries))


def _below(prefix: str, file: File) -> File:
    return replace(file, path=file.path.removeprefix(prefix))


def _only_folder(folder: Path) -> Path | None:
    with os.scandir(folder) as entries:
        found = list(entries)
    if len(found) == 1 and found[0].is_dir(follow_symlinks=False):
        return Path(found[0].path)
    return None


def _inner(folder: Path) -> Path:
    only = _only_folder(folder)
    return only if only and only.name == _INNER else folder


def _not_found(place: Path) -> SubmissionError:
    try:
        siblings = sorted(item.name for item in place.parent.iterdir())
    except OSError:
        siblings = []
    hint = near(place.name, siblings)
    return SubmissionError(
        f"submission not found: {place}" + (f"; {hint}" if hint else ""),
        code="E304",
        looked=[f"{place.absolute()} does not exist"],
        fix=["check the path; a submission is a folder or a tar archive"],
    )
