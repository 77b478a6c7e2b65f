"""Repositories with an answer in them, and where it is left."""

from __future__ import annotations

import io
import os
import subprocess
import zipfile
from pathlib import Path

from rubric_engine.benchmarks.expbench import ExpTask
from rubric_engine.benchmarks.expbench.masking import Masked, mask
from tests.benchmarks.expbench.making import exp_task

ANSWER = "".join(
    f"result_{number} = secret_formula(alpha={number}, beta={number * 7})\n" for number in range(30)
)
MARKS = (b"secret_formula", b"secret of the module", b"secret of the readme")
README = "# How to answer\n\nsecret of the readme: run train.py with the settings of table 4\n"
MODULE = "def score(x):\n    return 'secret of the module', x\n" + "# the rest of it\n" * 3


def git(folder: Path, *words: str) -> bytes:
    """Run git as its owner would."""
    known = {
        "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
    }  # fmt: skip
    settings = ("-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *settings, *words], cwd=folder, env=os.environ | known, capture_output=True,
        check=True,
    )  # fmt: skip
    return done.stdout


def write(folder: Path, **files: str | bytes) -> Path:
    """Write files; `__` in a name is a slash, `_DOT_` a dot."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def plain(tmp_path: Path, **files: str | bytes) -> Path:
    """A folder with the answer and more, without a history."""
    files = {"train_DOT_py": ANSWER, "keep_DOT_py": "print('keep')\n", **files}
    return write(tmp_path / "repo", **files)


def masked(repo: Path, task: ExpTask | None = None, **options: bool | list[str]) -> Masked:
    """Mask it beside itself."""
    question = exp_task() if task is None else task
    return mask(repo, question, repo.parent / "masked", **options)  # type: ignore[arg-type]


def leaks(folder: Path) -> list[str]:
    """Where a folder holds a mark: in the bytes of a file, or in an object of its history."""
    found = [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and any(mark in path.read_bytes() for mark in MARKS)
    ]
    objects = git(folder, "cat-file", "--batch-all-objects", "--batch", "--unordered")
    return found + ["an object"] * any(mark in objects for mark in MARKS)


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """What would show that a folder was written to."""
    return {
        str(path): (path.lstat().st_mtime_ns, path.lstat().st_size) for path in folder.rglob("*")
    }


def with_history(tmp_path: Path) -> Path:
    """A repository whose history holds the answer in every way that git knows."""
    lender = write(tmp_path / "lender", b_DOT_txt=ANSWER)
    module = write(tmp_path / "module", eval_DOT_py=MODULE, util_DOT_py="pass\n")
    for folder in (lender, module):
        git(folder, "init", "-q")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "one")
    repo = write(tmp_path / "repo", train_DOT_py=ANSWER, README_DOT_md=README, a_DOT_py="a = 1\n")
    git(repo, "init", "-q")
    git(repo, "submodule", "--quiet", "add", str(module), "sub/module")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "secret_formula is in train.py")
    git(repo, "tag", "-a", "v1", "-m", "secret_formula")
    git(repo, "notes", "add", "-m", "secret_formula")
    git(repo, "branch", "other")
    write(repo, train_DOT_py=ANSWER + "secret_formula(1)\n")
    git(repo, "stash")
    git(repo, "gc", "-q")
    git(repo, "worktree", "add", "-q", str(tmp_path / "tree"), "other")
    (repo / ".git/objects/info/alternates").write_text(f"{lender}/.git/objects\n")
    write(repo, _DOT_git__lfs__objects__aa__bb__secret=ANSWER)
    write(repo, _DOT_git__hooks__post_commit="#!/bin/sh\n# secret_formula\n")
    return repo


def zipped(name: str = "x.py", content: str = ANSWER) -> bytes:
    """An archive that holds one file."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return raw.getvalue()
