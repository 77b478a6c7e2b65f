"""The git history that a script finds: one commit of the copy, and nothing of what was before.

Old commits may hold answers, and the configuration of a repository names programs that git runs.
So no repository of a submission is passed on; where there was one, a new one stands.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from rubric_engine.files import FileIndex
from rubric_engine.submission.removing import OPEN_FOLDER, empty_folder
from rubric_engine.submission.tree import scan
from rubric_engine.submission.writing import TreeWriter

_GIT = ".git"
_NAME = "submission"
_DATE = "2000-01-01T00:00:00Z"
_PATIENCE_S = 600

# Files are added as they are and not squeezed: the history is read once, if at all.
_SETTINGS = {
    "core.compression": "0",
    "core.autocrlf": "false",
    "core.fsync": "none",
    "gc.auto": "0",
    "init.defaultBranch": "main",
    "user.name": _NAME,
    "user.email": f"{_NAME}@localhost",
    "commit.gpgSign": "false",
}

# No attribute of a submission changes a content on its way into the history, or forbids it.
_ATTRIBUTES = "* -text -eol -filter -ident -working-tree-encoding\n"


def had_history(files: FileIndex) -> bool:
    """Whether a submission came with a repository of its own at its root."""
    return any(f"{file.path}/".startswith(f"{_GIT}/") for file in files.entries)


def renew_history(folder: Path, *, wanted: bool) -> bool:
    """Remove every repository in a copy and make a new one of it, with one commit.

    The commit's id follows from the files alone. Where git is missing or fails there is none.

    Args:
        folder: The copy; no program in it is run, no hook and no filter.
        wanted: Whether there is to be a new one.

    Returns:
        Whether there is one.
    """
    _remove_repositories(folder)
    git = shutil.which("git")
    if not wanted or git is None:
        return False
    # One step may refuse names that git cannot hold; the others are added all the same.
    made = _run(git, folder, "init", "--quiet", "--template=") and _keep_contents(folder)
    _run(git, folder, "add", "--all", "--force", "--ignore-errors")
    done = made and _run(git, folder, "commit", "--quiet", "--allow-empty", "-m", _NAME)
    if not done:
        _remove_repositories(folder)
    return done


def _keep_contents(folder: Path) -> bool:
    info = folder / _GIT / "info"
    try:
        info.mkdir(exist_ok=True)
        (info / "attributes").write_text(_ATTRIBUTES, encoding="ascii")
    except OSError:
        return False
    return True


def _run(git: str, folder: Path, *arguments: str) -> bool:
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    try:
        done = subprocess.run(  # noqa: S603 (our own words, and no shell)
            [git, *settings, *arguments],
            cwd=folder,
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _environment(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.devnull,
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_DIR": str(folder / _GIT),
        "GIT_WORK_TREE": str(folder),
        "GIT_AUTHOR_DATE": _DATE,
        "GIT_COMMITTER_DATE": _DATE,
    }


def _remove_repositories(folder: Path) -> None:
    with TreeWriter(folder) as tree:
        found = [
            (entry.path, entry.kind)
            for entry in scan(tree, lambda path: path.rpartition("/")[2] != _GIT)
            if entry.path.rpartition("/")[2] == _GIT and entry.trouble is None
        ]
        for path, kind in found:
            if kind == "folder":
                _remove_folder(tree, path)
            else:
                tree.remove_file(path)


def _remove_folder(tree: TreeWriter, path: str) -> None:
    above, _, name = path.rpartition("/")
    descriptor = os.open(name, OPEN_FOLDER, dir_fd=tree.folder(above))
    try:
        empty_folder(descriptor)
    finally:
        os.close(descriptor)
    os.rmdir(name, dir_fd=tree.folder(above))
