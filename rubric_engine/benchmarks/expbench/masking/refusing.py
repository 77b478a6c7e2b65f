"""Why a repository is not masked."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from rubric_engine.benchmarks.expbench.task import ExpTask
from rubric_engine.errors import InputError, StorageError, UsageError


def check_folders(repository: Path, folder: Path) -> None:
    """Make sure that a copy can go to a folder.

    Raises:
        UsageError: One of the two folders lies in the other.
        StorageError: The copy's folder holds something.
    """
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


def unusable(repository: Path, why: str) -> InputError:
    """The error for a folder that cannot be masked."""
    return InputError(
        f"{repository} cannot be masked: {why}",
        code="E615",
        fix=["git clone --recurse-submodules URL repo   makes a folder with the files"],
    )


def not_there(
    missing: Mapping[str, Sequence[str]], task: ExpTask, repository: Path, empty: Sequence[str]
) -> InputError:
    """The error for names that lead to nothing, each with paths that may be meant."""
    names = list(missing)
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    looked = [f"{name}: {meant(near) or 'nothing like it'}" for name, near in missing.items()]
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


def not_close(name: str, copy: str | None) -> UsageError:
    """The error for a path that is to be kept and is close to no copy of what is hidden.

    Args:
        name: The path.
        copy: A file there that holds all of an answer.
    """
    why = f"{copy} is more than close to a copy, and never kept" if copy else "nothing there is"
    return UsageError(
        f"--keep {name}: only what is close to a copy of a hidden file is kept by name; {why}",
        fix=["without --keep, `mask` lists under `copies` what it takes out"],
    )


def meant(near: Sequence[str]) -> str | None:
    """Words for paths that may be meant, None where there are none."""
    return f"did you mean {', '.join(near)}?" if near else None
