"""Masking: nothing of an answer is left, in files and in history."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.expbench.making import exp_task
from tests.benchmarks.expbench.repositories import (
    git,
    leaks,
    masked,
    plain,
    state,
    with_history,
    write,
)


def test_nothing_of_the_answer_is_left_in_files_or_history(tmp_path: Path) -> None:
    repo = with_history(tmp_path)
    before = state(repo)
    task = exp_task(masked_files=("/workspace/train.py", "/workspace/sub/module/eval.py"))
    done = masked(repo, task)
    assert set(done.hidden) == {"train.py", "README.md", "sub/module/eval.py"}
    assert leaks(repo) != []
    assert leaks(done.folder) == []
    assert git(done.folder, "ls-files").split() == [b"a.py", b"sub/module/util.py"]
    assert git(done.folder, "status", "--porcelain", "--ignored") == b""
    assert git(done.folder, "log", "--all", "--format=%H %an %ad").count(b"\n") == 1
    assert git(done.folder, "rev-list", "--all", "--reflog").split() == [done.commit.encode()]
    assert {".git", "sub/module/.git", ".gitmodules"} <= set(done.left_out)
    assert state(repo) == before


def test_the_commit_follows_from_the_files_alone(tmp_path: Path) -> None:
    first = masked(plain(tmp_path / "one"))
    second = masked(plain(tmp_path / "two"))
    assert first.commit == second.commit


def test_nothing_that_a_repository_brings_along_is_run(tmp_path: Path) -> None:
    repo = plain(tmp_path, _DOT_gitattributes="*.py filter=evil -text\n")
    git(repo, "init", "-q")
    run = f"touch {tmp_path}/pwned; cat"
    for name in ("core.fsmonitor", "filter.evil.clean", "core.sshCommand", "core.editor"):
        git(repo, "config", name, run)
    git(repo, "config", "core.hooksPath", "hooks")
    hook = write(repo, hooks__pre_commit=f"#!/bin/sh\n{run}\n") / "hooks/pre_commit"
    hook.rename(hook.with_name("pre-commit")).chmod(0o755)
    done = masked(repo)
    assert not (tmp_path / "pwned").exists()
    assert git(done.folder, "show", "HEAD:keep.py") == b"print('keep')\n"


def test_histories_among_the_files_go(tmp_path: Path) -> None:
    repo = with_history(tmp_path)
    git(repo, "clone", "-q", "--bare", ".", "vendor/old.git")
    git(repo, "bundle", "create", "-q", "all.bundle", "main")
    pack = next((repo / ".git/objects/pack").glob("*.pack"))
    write(repo, saved_DOT_bin=pack.read_bytes())
    done = masked(repo, exp_task(masked_files=("train.py", "sub/module/eval.py")))
    assert {"vendor/old.git", "all.bundle", "saved.bin"} <= set(done.left_out)
    assert leaks(done.folder) == []
