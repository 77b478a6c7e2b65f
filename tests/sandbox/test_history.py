"""The git history that a script finds."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.isolation import Execution
from rubric_engine.sandbox.workspace import Workspace
from rubric_engine.submission import load_submission
from tests.sandbox.conftest import log_of

Run = Callable[..., Execution]


def git(folder: Path, *arguments: str) -> str:
    settings = ["-c", "user.name=a", "-c", "user.email=a@b"]
    done = subprocess.run(
        ["git", *settings, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout


@pytest.fixture
def repository(root: Path) -> Path:
    """A submission whose first commit holds an answer."""
    (root / "answer").write_text("42")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "first")
    git(root, "rm", "--quiet", "answer")
    git(root, "commit", "--quiet", "-m", "second")
    return root


def test_a_script_finds_one_commit_and_no_old_one(repository: Path, run: Run) -> None:
    (repository / ".gitignore").write_text("*.txt")
    (repository / "results.csv").write_text("made before")
    script = "git log --format=%s; git rev-list --all --objects | grep -c answer; git status -s"
    execution = run(script, outputs=("results.csv",))
    assert log_of(execution).text == "submission\n0\n"
    assert execution.removed_before == ("results.csv",)
    assert execution.created == ()


def test_outputs_that_were_removed_are_not_in_the_history(repository: Path, run: Run) -> None:
    (repository / "results.csv").write_text("made before")
    execution = run("git checkout -q -- results.csv", outputs=("results.csv",))
    assert execution.status == "failed"
    assert execution.created == ()


def test_files_that_are_ignored_are_part_of_it(repository: Path, run: Run) -> None:
    (repository / ".gitignore").write_text("*")
    execution = run("git clean -fdxq; cat keep.txt")
    assert execution.deleted == ()
    assert log_of(execution).text == "1"


def test_without_a_repository_there_is_none(root: Path, run: Run) -> None:
    assert root.is_dir()
    assert run("test ! -e .git").status == "ok"


def test_its_commit_follows_from_the_files_alone(repository: Path) -> None:
    def commit() -> str:
        workspace = Workspace(load_submission(repository), None)
        workspace.prepare(())
        return git(workspace.folder, "rev-parse", "HEAD")

    assert commit() == commit()


def test_no_repository_of_the_submission_is_passed_on(repository: Path) -> None:
    inner = repository / "lib"
    inner.mkdir()
    git(inner, "init", "--quiet")
    (inner / ".git" / "hooks" / "post-commit").write_text("#!/bin/sh\ntouch /tmp/owned")
    workspace = Workspace(load_submission(repository, skip=()), ())
    assert (workspace.folder / "lib" / ".git").exists()
    workspace.prepare(())
    assert not (workspace.folder / "lib" / ".git").exists()
    assert git(workspace.folder, "log", "--format=%s") == "submission\n"


def test_a_filter_that_the_submission_names_is_not_run(repository: Path, tmp_path: Path) -> None:
    (repository / ".gitattributes").write_text("* filter=evil\n")
    git(repository, "config", "filter.evil.clean", f"touch {tmp_path}/owned; cat")
    workspace = Workspace(load_submission(repository, skip=()), ())
    workspace.prepare(())
    assert git(workspace.folder, "show", "HEAD:keep.txt") == "1"
    assert not (tmp_path / "owned").exists()


def test_names_that_git_cannot_hold_leave_the_others_in(repository: Path) -> None:
    (repository / ".GIT").mkdir()
    (repository / ".GIT" / "config").write_text("[core]\nfsmonitor = touch /tmp/owned\n")
    workspace = Workspace(load_submission(repository), None)
    workspace.prepare(())
    assert git(workspace.folder, "ls-files") == "keep.txt\n"


def test_no_attribute_of_the_submission_changes_or_keeps_out_a_content(repository: Path) -> None:
    attributes = "* filter=evil text eol=lf ident\n*.txt working-tree-encoding=UTF-16\n"
    (repository / ".gitattributes").write_text(attributes)
    (repository / "lines.csv").write_bytes(b"1\r\n$Id$\r\n")
    workspace = Workspace(load_submission(repository), None)
    workspace.prepare(())
    names = git(workspace.folder, "ls-files").splitlines()
    assert {".gitattributes", "keep.txt", "lines.csv"} <= set(names)
    show = ["git", "show", "HEAD:lines.csv"]
    kept = subprocess.run(show, cwd=workspace.folder, check=True, capture_output=True).stdout
    assert kept == b"1\r\n$Id$\r\n"
    assert git(workspace.folder, "status", "--short") == ""
