"""Masking: which files are hidden, and what cannot be masked."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.benchmarks.expbench.masking import mask
from rubric_engine.errors import InputError, StorageError, UsageError
from tests.benchmarks.expbench.making import exp_task
from tests.benchmarks.expbench.repositories import (
    ANSWER,
    MODULE,
    README,
    git,
    leaks,
    masked,
    plain,
    write,
)


@pytest.mark.parametrize(
    ("kind", "hidden"),
    [
        (1, {"train.py", "extra.py", "README.md"}),
        (2, {"train.py", "README.md"}),
        (3, {"README.md"}),
    ],
)
def test_what_is_hidden_depends_on_the_kind(tmp_path: Path, kind: int, hidden: set[str]) -> None:
    files = ("/workspace/train.py",) if kind < 3 else ()
    extra = ("/workspace/extra.py",) if kind == 1 else ()
    task = exp_task(kind=kind, source_files=files, masked_files=(*files, *extra))
    repo = plain(tmp_path, extra_DOT_py=MODULE, README_DOT_md=README)
    assert set(masked(repo, task).hidden) == hidden


def test_the_readme_may_stay(tmp_path: Path) -> None:
    done = masked(plain(tmp_path, Readme_DOT_rst=README), keep_readme=True)
    assert (done.folder / "Readme.rst").read_text() == README


@pytest.mark.parametrize(
    "name",
    [
        "/workspace/src/train.py", "src/train.py", "/src/train.py", "/tmp/repos/src/train.py",
        "/workspace/src/train.py:3-9", "/workspace/src", "/workspace/alias/train.py",
        "way/train.py",
    ],
)  # fmt: skip
def test_every_spelling_of_a_path_is_found(tmp_path: Path, name: str) -> None:
    repo = write(tmp_path / "repo", src__train_DOT_py=ANSWER, keep_DOT_py="1\n")
    (repo / "alias").symlink_to("src")
    (repo / "way").symlink_to("./alias")
    done = masked(repo, exp_task(source_files=(name,), masked_files=()))
    assert set(done.hidden) == {"src/train.py"}
    assert leaks(done.folder) == []


def test_files_that_moved_are_told_with_where_they_may_be(tmp_path: Path) -> None:
    repo = write(tmp_path / "repo", new__train_DOT_py=ANSWER, keep_DOT_py="1\n")
    write(repo, _DOT_gitmodules='[submodule "m"]\n\tpath = sub/m\n\turl = x\n')
    with pytest.raises(InputError, match="E616") as caught:
        masked(repo)
    assert "did you mean new/train.py?" in caught.value.looked[0]
    assert "sub/m holds nothing" in caught.value.looked[1]
    assert "--also new/train.py" in caught.value.fix[-1]
    done = masked(repo, allow_missing=True, also=["new/train.py"])
    assert [one.code for one in done.warnings] == ["W244", "W247"]
    assert set(done.hidden) == {"new/train.py"}


def test_links_are_not_followed_out(tmp_path: Path) -> None:
    repo = plain(tmp_path)
    secret = write(tmp_path, secret_DOT_txt=ANSWER) / "secret.txt"
    for name, target in (
        ("out", secret), ("up", Path("../secret.txt")), ("to_answer", Path("train.py")),
        ("kept", Path("keep.py")), ("folder", Path("/")), ("loop", Path("loop")),
    ):  # fmt: skip
        (repo / name).symlink_to(target)
    os.mkfifo(repo / "pipe")
    done = masked(repo)
    assert {"out", "up", "to_answer", "folder", "loop", "pipe"} == set(done.left_out)
    assert (done.folder / "kept").readlink() == Path("keep.py")
    assert leaks(done.folder) == []
    with pytest.raises(InputError, match="E616"):
        mask(repo, exp_task(masked_files=("out",)), tmp_path / "second")


def test_names_that_git_cannot_hold_are_told(tmp_path: Path) -> None:
    repo = plain(tmp_path)
    (repo / "git~1").write_text("no name for git\n")
    (repo / os.fsdecode(b"caf\xe9.py")).write_text("a name that is no UTF-8\n")
    done = masked(repo)
    assert [one.code for one in done.warnings] == ["W249"]
    assert "cannot hold 1 of its names" in done.warnings[0].message
    assert (done.folder / "git~1").exists()
    assert git(done.folder, "ls-files", "-z").split(b"\0")[:2] == [b"caf\xe9.py", b"keep.py"]


def _inside(tmp_path: Path) -> object:
    return mask(plain(tmp_path), exp_task(), tmp_path / "repo" / "masked")


def _around(tmp_path: Path) -> object:
    return mask(plain(tmp_path), exp_task(), tmp_path)


def _taken(tmp_path: Path) -> object:
    write(tmp_path / "masked", mine="1")
    return masked(plain(tmp_path))


def _bare(tmp_path: Path) -> object:
    (tmp_path / "repo").mkdir()
    git(tmp_path / "repo", "init", "-q", "--bare")
    return masked(tmp_path / "repo")


def _absent(tmp_path: Path) -> object:
    return masked(tmp_path / "repo")


@pytest.mark.parametrize(
    ("make", "error", "code"),
    [
        (_inside, UsageError, "E001"),
        (_around, UsageError, "E001"),
        (_taken, StorageError, "E617"),
        (_bare, InputError, "E615"),
        (_absent, InputError, "E615"),
    ],
)
def test_what_cannot_be_masked_is_an_error_and_writes_nothing(
    tmp_path: Path, make: Callable[[Path], object], error: type[Exception], code: str
) -> None:
    with pytest.raises(error, match=code):
        make(tmp_path)
    assert not (tmp_path / "masked" / ".git").exists()
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".masked")] == []
