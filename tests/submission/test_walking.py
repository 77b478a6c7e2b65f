from __future__ import annotations

import hashlib
import os
import resource
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import UsageError
from rubric_engine.submission import walk
from rubric_engine.submission.limits import DEEPEST, TreeLimits
from rubric_engine.submission.scratch import Scratch

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 3\n"


def by_path(root: Path, skip: tuple[str, ...] | None = None) -> dict[str, str | None]:
    return {file.path: file.skipped for file in walk(root, skip).entries}


def test_files_have_size_hash_and_kind_by_content(tmp_path: Path) -> None:
    (tmp_path / "code.png").write_text("print(1)\n")
    (tmp_path / "empty").touch()
    (tmp_path / "model.pt").write_bytes(b"PK\x03\x04" + b"\0" * 20_000)
    (tmp_path / "weights").write_bytes(bytes(range(256)))

    files = walk(tmp_path)

    assert {file.path: file.kind for file in files} == {
        "code.png": "text",
        "empty": "empty",
        "model.pt": "archive",
        "weights": "binary",
    }
    content = (tmp_path / "model.pt").read_bytes()
    assert files["model.pt"].size == len(content)
    assert files["model.pt"].sha256 == hashlib.sha256(content).hexdigest()


def test_large_files_are_hashed_whole(tmp_path: Path) -> None:
    content = os.urandom(3_000_001)
    (tmp_path / "large").write_bytes(content)
    assert walk(tmp_path)["large"].sha256 == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    "name",
    [
        b"with space", b"new\nline.py", b"quote\"'`.py", b"bidi\xe2\x80\xae.py", b"bad\xff\xfe.py",
        b"-rf", b"a\\b", b"$(id)", "ä中文".encode(),
    ],
)  # fmt: skip
def test_any_name_survives(tmp_path: Path, name: bytes) -> None:
    path = os.path.join(os.fsencode(tmp_path), name)  # noqa: PTH118
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(b"1")
    (only,) = walk(tmp_path)
    assert os.fsencode(only.path) == name


def test_links_are_listed_and_never_followed(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside/file").write_text("1")
    for name, target in {
        "out": "/etc/passwd",
        "folder": "inside",
        "loop": ".",
        "dangling": "no\nthing",
    }.items():
        (tmp_path / name).symlink_to(target)

    files = walk(tmp_path)

    assert list(files.readable) == ["inside/file"]
    assert {file.path: (file.kind, file.skipped) for file in files.skipped} == {
        "out": ("link", "link to '/etc/passwd' (never followed)"),
        "folder": ("link", "link to 'inside' (never followed)"),
        "loop": ("link", "link to '.' (never followed)"),
        "dangling": ("link", "link to 'no\\nthing' (never followed)"),
    }


def test_pipes_and_sockets_are_never_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert by_path(tmp_path) == {
            "pipe": "pipe (never opened)",
            "socket": "socket (never opened)",
        }


def test_skipped_folders_are_listed_once_and_not_entered(tmp_path: Path) -> None:
    for path in ("src/.git/objects/ab", "node_modules/x", "a/venv/lib", "my_venv_project"):
        (tmp_path / path).mkdir(parents=True)
        (tmp_path / path / "file").write_text("1")
    (tmp_path / ".DS_Store").write_text("1")

    assert by_path(tmp_path) == {
        "src/.git": "skipped by pattern '.git/'",
        "node_modules": "skipped by pattern 'node_modules/'",
        "a/venv": "skipped by pattern 'venv/'",
        ".DS_Store": "skipped by pattern '.DS_Store'",
        "my_venv_project/file": None,
    }


def test_a_submodules_git_file_is_skipped_like_the_folder(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/.git").write_text("gitdir: ../.git/modules/lib\n")
    assert by_path(tmp_path) == {"lib/.git": "skipped by pattern '.git/'"}


def test_patterns_reach_below_names_with_newlines(tmp_path: Path) -> None:
    (tmp_path / "a\nb/.git").mkdir(parents=True)
    (tmp_path / "a\nb/.git/config").write_text("1")
    assert by_path(tmp_path) == {"a\nb/.git": "skipped by pattern '.git/'"}


def test_patterns_can_be_given(tmp_path: Path) -> None:
    for path in ("data/raw/x.csv", "src/data/loader.py", ".git/config"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("1")
    assert by_path(tmp_path, ("/data/",)) == {
        "data": "skipped by pattern '/data/'",
        "src/data/loader.py": None,
        ".git/config": None,
    }


def test_a_pattern_that_is_none_is_the_callers_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="skip patterns"):
        walk(tmp_path, ("!",))


def test_lfs_pointers_are_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "model.pt").write_text(LFS)
    (only,) = walk(tmp_path).entries
    assert only.kind == "lfs_pointer"
    assert only.skipped == "Git LFS pointer, not the file itself: run git lfs pull"


def test_what_cannot_be_read_is_listed_with_the_reason(ordinary_user: Path) -> None:
    (ordinary_user / "folder").mkdir()
    (ordinary_user / "folder/file").write_text("1")
    (ordinary_user / "folder").chmod(0)
    (ordinary_user / "file").write_text("1")
    (ordinary_user / "file").chmod(0)
    assert by_path(ordinary_user) == {
        "file": "cannot be read: Permission denied",
        "folder": "cannot be read: Permission denied",
    }


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("few_descriptors")
def test_depth_costs_no_descriptors_and_ends_somewhere() -> None:
    scratch = Scratch()
    levels = 850  # past the limit of a path's length and of open files
    folder = os.open(scratch.path, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("deep", dir_fd=folder)
        inner = os.open("deep", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
        os.close(os.open("file", os.O_CREAT, dir_fd=folder))
    os.close(folder)

    index = walk(scratch.path)
    assert len(index) == DEEPEST - 1
    assert [(file.kind, file.skipped) for file in index.skipped] == [
        ("folder", "cannot be read: it lies 256 levels deep")
    ]

    scratch.remove()
    assert not scratch.path.exists()


def test_files_past_the_limits_are_listed_and_not_read(tmp_path: Path) -> None:
    for name, size in {"a": 60, "b": 101, "c": 50, "d": 40}.items():
        (tmp_path / name).write_bytes(b"1" * size)
    index = walk(tmp_path, None, TreeLimits(file=100, size=100))
    assert list(index.readable) == ["a", "d"]
    assert {file.path: (file.sha256, file.kind, file.skipped) for file in index.skipped} == {
        "b": (None, "binary", "too large: 101 bytes"),
        "c": (None, "binary", "too large: 50 bytes"),
    }


def test_a_sparse_file_of_a_terabyte_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "sparse").touch()
    os.truncate(tmp_path / "sparse", 2**40)
    assert by_path(tmp_path) == {"sparse": "too large: 1,099,511,627,776 bytes"}


@given(st.dictionaries(st.text("ab.", min_size=1, max_size=3), st.binary(max_size=40)))
def test_the_index_holds_every_file_and_nothing_else(content: dict[str, bytes]) -> None:
    scratch = Scratch()
    written = {name: data for name, data in content.items() if name not in (".", "..")}
    for name, data in written.items():
        (scratch.path / name).write_bytes(data)
    assert {file.path: file.sha256 for file in walk(scratch.path).entries} == {
        name: hashlib.sha256(data).hexdigest() for name, data in written.items()
    }
