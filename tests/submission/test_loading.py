from __future__ import annotations

import bz2
import gc
import gzip
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.errors import SubmissionError
from rubric_engine.submission import FolderSubmission, load_submission

MakeTar = Callable[..., bytes]


def test_a_folder_that_holds_only_submission_is_entered(tmp_path: Path) -> None:
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission/a.py").write_text("1")
    found = load_submission(tmp_path)
    assert list(found.files.readable) == ["a.py"]
    assert found.name == tmp_path.name


def test_a_folder_beside_other_things_is_not_entered(tmp_path: Path) -> None:
    for path in ("submission/a.py", "logs/b.txt"):
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text("1")
    assert list(load_submission(tmp_path).files.readable) == ["logs/b.txt", "submission/a.py"]


def test_a_link_called_submission_is_not_entered(tmp_path: Path) -> None:
    (tmp_path / "submission").symlink_to("/etc")
    with pytest.raises(SubmissionError, match="no files that a judge can read"):
        load_submission(tmp_path)


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, bz2.compress, lzma.compress], ids=["tar", "gz", "bz2", "xz"]
)
@pytest.mark.parametrize("top", ["", "./", "top/", "./top/", "submission/", "top/submission/"])
def test_archives_are_told_by_content(
    tmp_path: Path, make_tar: MakeTar, pack: Callable[[bytes], bytes], top: str
) -> None:
    place = tmp_path / "handed-in.dat"
    place.write_bytes(pack(make_tar((f"{top}a.py", b"1", {}), (f"{top}b/c.py", b"2", {}))))
    found = load_submission(place)
    assert list(found.files.readable) == ["a.py", "b/c.py"]
    assert found.name == "handed-in.dat"
    assert found.read("b/c.py") == "2"


def test_what_was_unpacked_goes_with_the_submission(tmp_path: Path, make_tar: MakeTar) -> None:
    place = tmp_path / "a.tar"
    place.write_bytes(make_tar(("a.py", b"1", {})))
    found = load_submission(place)
    assert isinstance(found, FolderSubmission)
    root = found.root
    assert root.is_dir()
    assert root.stat().st_mode & 0o077 == 0
    del found
    gc.collect()
    assert not root.exists()


def test_nothing_there_names_a_near_miss(tmp_path: Path) -> None:
    (tmp_path / "submission").mkdir()
    with pytest.raises(SubmissionError, match="did you mean 'submission'") as caught:
        load_submission(tmp_path / "submision")
    assert caught.value.code == "E304"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"PK\x03\x04rest", "a zip archive"),
        (b"\x28\xb5\x2f\xfdrest", "packed with zstd"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
        (b"print('hello')\n", "not a tar archive"),
        (b"", "not a tar archive"),
        (gzip.compress(b"only one file" * 100, mtime=0), "not a tar archive"),
    ],
)
def test_other_files_are_refused_by_name(tmp_path: Path, content: bytes, what: str) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(SubmissionError, match=f"{what}.*a folder, or a tar archive") as caught:
        load_submission(tmp_path / "file")
    assert caught.value.code == "E302"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SubmissionError, match="neither a folder nor a file"):
        load_submission(tmp_path / "pipe")


def test_an_empty_submission_says_what_was_found(tmp_path: Path) -> None:
    for name in ("a.pt", "b.pt"):
        (tmp_path / name).write_text("version https://git-lfs.github.com/spec/v1\n")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(SubmissionError) as caught:
        load_submission(tmp_path)
    assert caught.value.code == "E301"
    assert caught.value.looked == ("found 3 files, all skipped: 2 Git LFS pointers, 1 link",)
    assert caught.value.fix[0] == "git lfs pull"
    assert any("--allow-empty" in line for line in caught.value.fix)


def test_an_empty_submission_counts_folders_by_reason(tmp_path: Path) -> None:
    (tmp_path / "a/.git").mkdir(parents=True)
    (tmp_path / "b/.git").mkdir(parents=True)
    with pytest.raises(SubmissionError) as caught:
        load_submission(tmp_path)
    assert caught.value.looked == (
        "found 2 entries, all skipped: 2 folders skipped by pattern '.git/'",
    )


def test_an_empty_submission_can_be_allowed(tmp_path: Path) -> None:
    assert not load_submission(tmp_path, allow_empty=True).files
    with pytest.raises(SubmissionError) as caught:
        load_submission(tmp_path)
    assert caught.value.looked == ("found nothing: no files at all",)


def test_a_folder_that_cannot_be_read_says_so(ordinary_user: Path) -> None:
    (ordinary_user / "closed").mkdir(mode=0)
    with pytest.raises(SubmissionError, match="cannot be read: Permission denied"):
        load_submission(ordinary_user / "closed")
