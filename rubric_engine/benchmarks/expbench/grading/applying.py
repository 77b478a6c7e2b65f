"""Applying a patch to a copy of a base: git does it, outside every repository."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from rubric_engine.errors import StorageError
from rubric_engine.submission.tree import Tree, scan

_PATIENCE_S = 300
_MOST_SAID = 300
_NOWHERE = f"{os.devnull}/none"


def apply_patch(patch: Path, folder: Path) -> str | None:
    """Apply a patch that `patch.why_refused` let pass.

    No repository is read, and so no hook, filter or setting. git itself refuses to write through
    links, out of the folder and into `.git`.

    Args:
        patch: The patch's file.
        folder: The copy that is changed. Where the patch does not apply it is as it was.

    Returns:
        Why it does not apply; None where it was applied.

    Raises:
        StorageError: git is missing, or cannot be started.
    """
    git = _git()
    if not patch.stat().st_size:
        return None
    before = _links(folder)
    try:
        done = _run([git, "apply", "--whitespace=nowarn", str(patch)], folder)
    except subprocess.TimeoutExpired:
        return f"git does not come to an end with it in {_PATIENCE_S} s"
    except OSError as error:
        raise StorageError(
            f"git failed to apply a patch: {error}",
            code="E618",
            looked=[f"ran `git apply {patch}` in {folder}"],
            fix=[f"git apply --check {shlex.quote(str(patch.absolute()))}   tries it in a copy"],
        ) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip() or f"git ended with {done.returncode}"
        return said[:_MOST_SAID]
    return "it makes a link" if _links(folder) - before else None


def _git() -> str:
    git = shutil.which("git")
    if git is None:
        raise StorageError(
            "git is missing, so no patch can be applied",
            code="E618",
            looked=[f"looked for git in {os.environ.get('PATH', os.defpath)}"],
            fix=["git --version   says whether it is installed"],
        )
    return git


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S603 (our own words, and no shell)
        command,
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_PATIENCE_S,
        check=False,
    )


def _links(folder: Path) -> set[str]:
    with Tree(folder) as tree:
        return {entry.path for entry in scan(tree) if entry.kind == "link"}


def _environment() -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.devnull,
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_DIR": _NOWHERE,
    }
