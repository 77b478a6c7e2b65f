from __future__ import annotations

import os
from pathlib import Path

import pytest

from rubric_engine.errors import SubmissionError
from rubric_engine.submission import FolderSubmission, load_submission
from rubric_engine.submission.export import stays_inside
from rubric_engine.submission.limits import TreeLimits
from rubric_engine.submitted import Submission


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / "src/main.py").write_text("print('hé')\n")
    return root


def test_it_is_a_submission(root: Path) -> None:
    found = load_submission(root)
    assert isinstance(found, Submission)
    assert found.name == "work"
    assert found.read("src/main.py") == "print('hé')\n"
    assert found.read_bytes("src/main.py", max_bytes=5) == b"print"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\xef\xbb\xbfx = 1\r\n", "x = 1\r\n"),
        ("\ufeffhé".encode("utf-16-le"), "hé"),
        ("\ufeffhé".encode("utf-16-be"), "hé"),
        (b"caf\xe9\n", "caf\ufffd\n"),
        (b"", ""),
    ],
)
def test_reading_is_tolerant(root: Path, content: bytes, text: str) -> None:
    (root / "file").write_bytes(content)
    assert load_submission(root).read("file") == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_cut_never_leaves_half_a_character(root: Path, encoding: str) -> None:
    text = "aé€😀z"
    (root / "file").write_bytes(text.encode(encoding))
    found = load_submission(root)
    for size in range(2, 30):  # a mark of UTF-16 is two bytes
        assert text.startswith(found.read("file", max_bytes=size))
    assert found.read("file", max_bytes=30) == text


def test_an_unknown_path_has_a_near_miss(root: Path) -> None:
    with pytest.raises(SubmissionError, match=r"E305.*did you mean 'src/main.py'"):
        load_submission(root).read("src/man.py")


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "src/../../secret", "src", ""])
def test_nothing_but_the_index_can_be_read(root: Path, path: str) -> None:
    (root.parent / "secret").write_text("secret")
    with pytest.raises(SubmissionError) as caught:
        load_submission(root).read(path)
    assert caught.value.code == "E305"


def test_a_skipped_path_says_why(root: Path) -> None:
    (root / "out").symlink_to("/etc/passwd")
    with pytest.raises(SubmissionError, match="never followed"):
        load_submission(root).read("out")


@pytest.mark.parametrize("content", ["longer than it was before\n", "print('hè')\n"])
def test_a_file_that_changed_is_noticed(root: Path, content: str) -> None:
    found = load_submission(root)
    (root / "src/main.py").write_text(content)
    with pytest.raises(SubmissionError, match="changed since it was indexed") as caught:
        found.read("src/main.py")
    assert caught.value.code == "E306"


def test_a_file_that_vanished_is_noticed(root: Path) -> None:
    found = load_submission(root)
    (root / "src/main.py").unlink()
    with pytest.raises(SubmissionError, match="No such file"):
        found.read("src/main.py")


@pytest.mark.parametrize("swapped", ["src", "src/main.py"])
def test_a_link_put_in_place_later_is_not_followed(root: Path, swapped: str) -> None:
    found = load_submission(root)
    (root / "src").rename(root.parent / "elsewhere")
    target = root.parent / "elsewhere" / ("main.py" if swapped.endswith("py") else "")
    (root / swapped).parent.mkdir(exist_ok=True)
    (root / swapped).symlink_to(target)
    with pytest.raises(SubmissionError) as caught:
        found.read("src/main.py")
    assert caught.value.code == "E306"


def test_a_pipe_put_in_place_later_does_not_hang(root: Path) -> None:
    found = load_submission(root)
    (root / "src/main.py").unlink()
    os.mkfifo(root / "src/main.py")
    with pytest.raises(SubmissionError, match="not a regular file"):
        found.read("src/main.py")


def export(submission: Submission, target: Path) -> list[str]:
    target.mkdir()
    submission.export(target)
    return sorted(str(path.relative_to(target)) for path in target.rglob("*"))


def test_export_copies_what_a_script_may_need(root: Path, tmp_path: Path) -> None:
    for path in (".git/config", "venv/bin/python", "data/raw.csv"):
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text("1")
    (root / "empty").mkdir()
    (root / "reproduce.sh").write_text("echo")
    (root / "reproduce.sh").chmod(0o4755)
    (root / "in").symlink_to("src/main.py")
    (root / "src/up").symlink_to("../data/raw.csv")
    (root / "out").symlink_to("../secret")
    os.mkfifo(root / "pipe")
    found = load_submission(root, skip=[".git/", "venv/", "data/"])

    assert export(found, tmp_path / "copy") == [
        "data", "data/raw.csv", "empty", "in", "reproduce.sh", "src", "src/main.py", "src/up",
    ]  # fmt: skip
    assert (tmp_path / "copy/src/up").read_text() == "1"
    assert (tmp_path / "copy/reproduce.sh").stat().st_mode & 0o7777 == 0o700
    assert not os.path.samefile(tmp_path / "copy/src/main.py", root / "src/main.py")  # noqa: PTH121


def test_export_leaves_out_what_is_too_large(root: Path, tmp_path: Path) -> None:
    for name, size in {"large": 201, "data/large": 201, "data/small": 60, "data/too": 70}.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(b"1" * size)
    read = (root / "src/main.py").stat().st_size
    limits = TreeLimits(file=200, size=read + 100)
    found = FolderSubmission.of(root, skip=["data/"], limits=limits)
    assert {file.path: file.skipped for file in found.files.skipped} == {
        "data": "skipped by pattern 'data/'",
        "large": "too large: 201 bytes",
    }
    assert export(found, tmp_path / "copy") == ["data", "data/small", "src", "src/main.py"]


def test_export_keeps_whatever_can_be_read(root: Path, tmp_path: Path) -> None:
    (root / ".git").mkdir()
    (root / ".git/config").write_text("1")
    found = load_submission(root, skip=[])
    assert ".git/config" in found.files
    assert ".git/config" in export(found, tmp_path / "copy")


@pytest.mark.parametrize(
    ("path", "target", "inside"),
    [
        ("a", "b", True),
        ("a", "./b//c", True),
        ("x/a", "../b", True),
        ("a", "../b", False),
        ("x/a", "../../b", False),
        ("a", "/etc/passwd", False),
        ("a", "link/../../b", False),
        ("x/y/a", "link/..", False),
    ],
)
def test_which_links_stay_inside(path: str, target: str, inside: bool) -> None:
    assert stays_inside(path, target) is inside


def test_its_repr_is_short(root: Path) -> None:
    assert "main.py" not in repr(FolderSubmission.of(root))
