"""`mask`: a repository without the files that answer a question, and without a past."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rubric_engine.benchmarks.expbench.masking.copying import Written, write_masked
from rubric_engine.benchmarks.expbench.masking.hiding import readmes, resolved, seek, spellings
from rubric_engine.benchmarks.expbench.masking.refusing import (
    check_folders,
    meant,
    not_close,
    not_there,
    unusable,
)
from rubric_engine.benchmarks.expbench.masking.repository import (
    MODULES,
    Repository,
    empty_modules,
    look_over,
)
from rubric_engine.benchmarks.expbench.masking.survey import Survey, contents_of, survey
from rubric_engine.benchmarks.expbench.task import ExpTask
from rubric_engine.errors import Place, Problem
from rubric_engine.submission.tree import reason_of

MISSING, EMPTY, UNTRACKED = "W244", "W247", "W249"

_BARE = frozenset({"objects", "refs"})


@dataclass(frozen=True)
class Masked:
    """What became of a repository.

    Attributes:
        folder: Where it lies.
        commit: Id of its one commit.
        files: How many files it holds.
        hidden: Files that the question hides, each with the name by which it was sought.
        copies: Further files that were removed as they hold one of these, or nearly all of it.
        left_out: What else was not copied, and why.
        warnings: What was not found, and what may still give the answer away.
    """

    folder: Path
    commit: str
    files: int
    hidden: Mapping[str, str]
    copies: Mapping[str, str]
    left_out: Mapping[str, str]
    warnings: tuple[Problem, ...]


def mask(
    repository: Path,
    task: ExpTask,
    folder: Path,
    *,
    also: Sequence[str] = (),
    keep: Sequence[str] = (),
    keep_readme: bool = False,
    allow_missing: bool = False,
) -> Masked:
    """Copy a repository without the files that answer a question, with a history of one commit.

    Hidden are the task's files and the README at the root; then all that holds one of these, or
    nearly all of it. The repository is only read, and no git runs in it.

    Args:
        repository: Its folder, with submodules checked out; they become plain folders.
        task: The question.
        folder: Where the copy goes; missing or empty.
        also: Further paths to hide.
        keep: Paths that stay although they are close to a copy of what is hidden.
        keep_readme: Leave the README where it is.
        allow_missing: Go on, with a warning, where a named file is not there.

    Raises:
        InputError: It is no repository with files, or a named file is not there.
        UsageError: One folder lies in the other, or what is to be kept is close to no copy.
        StorageError: The copy's folder holds something, or cannot be written, or git fails.
    """
    found, empty = _looked_over(repository, folder)
    sought = seek([*task.hidden_files, *also], list(found.files), found.links)
    if sought.missing and not allow_missing:
        raise not_there(sought.missing, task, repository, empty)
    hidden = dict(sought.found) | ({} if keep_readme else _readmes(found, sought.found))
    seen = _take_out(found, hidden, keep)
    written = write_masked(found, folder)
    warnings = (*_missing(sought.missing, empty), *seen.warnings, *_untracked(folder, written))
    counted, left = len(found.files), found.left_out
    return Masked(folder, written.commit, counted, hidden, seen.copies, left, warnings)


def _looked_over(repository: Path, folder: Path) -> tuple[Repository, list[str]]:
    """What lies in a repository, and the submodules of it that hold nothing."""
    check_folders(repository, folder)
    try:
        found = look_over(repository)
    except OSError as error:
        raise unusable(repository, reason_of(error)) from None
    if "HEAD" in found.files and _BARE.issubset(found.folders):
        raise unusable(repository, "it holds a history and no files; git clone it first")
    if not found.files:
        raise unusable(repository, "it holds no files")
    return found, empty_modules(found)


def _readmes(found: Repository, hidden: Mapping[str, str]) -> dict[str, str]:
    paths = readmes(found.files, found.links)
    return {path: "README" for path in paths if path not in hidden}


def _take_out(found: Repository, hidden: Iterable[str], keep: Sequence[str]) -> Survey:
    """Take out of a repository what is hidden, what holds it, and what leads nowhere then."""
    entries = {path: found.files.pop(path) for path in hidden}
    try:
        answers = contents_of(found.root, entries)
    except OSError as error:
        raise unusable(found.root, reason_of(error)) from None
    kept = {name: _at(name, found.files) for name in keep}
    seen = survey(found, answers, {path for paths in kept.values() for path in paths})
    for name, paths in kept.items():
        if seen.near.isdisjoint(paths):
            raise not_close(name, next((path for path in paths if path in seen.copies), None))
    for path in seen.copies:
        found.files.pop(path)
    for path, why in seen.histories.items():
        found.drop(path, why)
    _drop_the_rest(found)
    return seen


def _at(name: str, files: Iterable[str]) -> list[str]:
    """The file of a name, or those in the folder of that name."""
    plain = next(spellings(name)).rstrip("/")
    return [path for path in files if path == plain or path.startswith(f"{plain}/")]


def _drop_the_rest(found: Repository) -> None:
    """Leave out where submodules come from, and links to what is not there any more."""
    if MODULES in found.files:
        found.drop(MODULES, "submodules are plain folders now")
    there = {*found.files, *found.folders}
    for path in list(found.links):
        real = resolved(path, found.links)
        if real is None or (real and real not in there):
            found.drop(path, f"a link to {found.links[path]!r}, which is not there")


def _missing(missing: Mapping[str, Sequence[str]], empty: Sequence[str]) -> Iterator[Problem]:
    for name, near in missing.items():
        yield Problem(MISSING, "is not there, so it was not hidden", Place(name), hint=meant(near))
    hint = "git submodule update --init --recursive"
    for path in empty:
        yield Problem(EMPTY, "this submodule holds nothing", Place(path), hint=hint)


def _untracked(folder: Path, written: Written) -> list[Problem]:
    if not written.untracked:
        return []
    message = f"git cannot hold {written.untracked} of its names: they are not in the commit"
    return [Problem(UNTRACKED, message, Place(str(folder)))]
