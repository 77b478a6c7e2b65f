"""`mask`: a repository without the files that answer a question, and without a past."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rubric_engine.benchmarks.expbench.masking.copying import Written, write_masked
from rubric_engine.benchmarks.expbench.masking.hiding import (
    readmes,
    resolved,
    seek,
)
from rubric_engine.benchmarks.expbench.masking.repository import (
    MODULES,
    Repository,
    empty_modules,
    look_over,
)
from rubric_engine.benchmarks.expbench.masking.survey import contents_of, survey
from rubric_engine.benchmarks.expbench.task import ExpTask
from rubric_engine.errors import InputError, Place, Problem, StorageError, UsageError
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
        copies: Further files that were removed as they repeat one of these, and how.
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
    keep_readme: bool = False,
    allow_missing: bool = False,
) -> Masked:
    """Copy a repository without the files that answer a question, with a history of one commit.

    Hidden are, of kind 1, the files to be masked and those that answer it, of kind 2 those that
    answer it, and of all kinds the README at the root; then copies of all these. The repository is
    only read, and no git runs in it.

    Args:
        repository: Its folder, with submodules checked out; they become plain folders.
        task: The question.
        folder: Where the copy goes; missing or empty.
        also: Further paths to hide.
        keep_readme: Leave the README where it is.
        allow_missing: Go on, with a warning, where a named file is not there.

    Raises:
        InputError: It is no repository with files, or a named file is not there.
        UsageError: One of the two folders lies in the other.
        StorageError: The copy's folder holds something, or cannot be written, or git fails.
    """
    _check(repository, folder)
    found = _looked_over(repository)
    empty = empty_modules(found)
    sought = seek([*task.hidden_files, *also], list(found.files), found.links)
    if sought.missing and not allow_missing:
        raise _not_there(sought.missing, task, repository, empty)
    hidden = dict(sought.found)
    if not keep_readme:
        paths = readmes(found.files, found.links)
        hidden.update({path: "README" for path in paths if path not in hidden})
    seen = survey(found, _taken_out(found, hidden))
    for path in seen.copies:
        found.files.pop(path)
    _drop_the_rest(found)
    written = write_masked(found, folder)
    warnings = (
        *_missing(sought.missing),
        *seen.warnings,
        *_unfilled(empty),
        *_untracked(folder, written),
    )
    return Masked(
        folder, written.commit, len(found.files), hidden, seen.copies, found.left_out, warnings
    )


def _check(repository: Path, folder: Path) -> None:
    source, target = repository.resolve(), folder.resolve()
    if target.is_relative_to(source) or source.is_relative_to(target):
        raise UsageError(
            f"{repository} and {folder} lie in each other; nothing is written to a repository",
            fix=["name a folder outside of it with -o DIR"],
        )
    if folder.is_symlink() or (folder.exists() and not _is_empty(folder)):
        raise StorageError(
            f"{folder} is there already, and is no empty folder",
            code="E617",
            fix=["name a new folder with -o DIR"],
        )


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and not any(folder.iterdir())


def _looked_over(repository: Path) -> Repository:
    try:
        found = look_over(repository)
    except OSError as error:
        raise _unusable(repository, reason_of(error)) from None
    if "HEAD" in found.files and _BARE.issubset(found.folders):
        raise _unusable(repository, "it holds a history and no files; git clone it first")
    if not found.files:
        raise _unusable(repository, "it holds no files")
    return found


def _taken_out(found: Repository, hidden: Iterable[str]) -> dict[str, bytes]:
    """Take files out of a repository, and give their contents."""
    entries = {path: found.files.pop(path) for path in hidden}
    try:
        return contents_of(found.root, entries)
    except OSError as error:
        raise _unusable(found.root, reason_of(error)) from None


def _unusable(repository: Path, why: str) -> InputError:
    return InputError(
        f"{repository} cannot be masked: {why}",
        code="E615",
        fix=["git clone --recurse-submodules URL repo   makes a folder with the files"],
    )


def _drop_the_rest(found: Repository) -> None:
    """Leave out where submodules come from, and links to what is not there any more."""
    if MODULES in found.files:
        found.drop(MODULES, "submodules are plain folders now")
    there = {*found.files, *found.folders}
    for path in list(found.links):
        real = resolved(path, found.links)
        if real is None or (real and real not in there):
            found.drop(path, f"a link to {found.links[path]!r}, which is not there")


def _missing(missing: Mapping[str, Sequence[str]]) -> list[Problem]:
    return [
        Problem(MISSING, "is not there, so it was not hidden", Place(name), hint=_meant(near))
        for name, near in missing.items()
    ]


def _unfilled(empty: Sequence[str]) -> list[Problem]:
    hint = "git submodule update --init --recursive"
    return [
        Problem(EMPTY, "this submodule holds nothing", Place(path), hint=hint) for path in empty
    ]


def _untracked(folder: Path, written: Written) -> list[Problem]:
    if not written.untracked:
        return []
    message = f"git cannot hold {written.untracked} of its names: they are not in the commit"
    return [Problem(UNTRACKED, message, Place(str(folder)))]


def _not_there(
    missing: Mapping[str, Sequence[str]], task: ExpTask, repository: Path, empty: Sequence[str]
) -> InputError:
    names = list(missing)
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    looked = [f"{name}: {_meant(near) or 'nothing like it'}" for name, near in missing.items()]
    looked += [f"the submodule {path} holds nothing" for path in empty]
    likely = dict.fromkeys(near[0] for near in missing.values() if near)
    words = "".join(f" --also {shlex.quote(path)}" for path in likely)
    fix = ["git submodule update --init --recursive   in the repository"] if empty else []
    fix.append(f"--allow-missing{words}   masks what is there" + (", and these" if words else ""))
    return InputError(
        f"{task.id} hides {names[0]}{more}, not found in {repository}",
        code="E616",
        looked=looked,
        fix=fix,
    )


def _meant(near: Sequence[str]) -> str | None:
    return f"did you mean {', '.join(near)}?" if near else None
