"""What is wrong with a file before anybody reads a rubric in it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.errors import RubricError
from rubric_engine.rubric_file import load_rubric
from rubric_engine.rubric_file.source import MAX_BYTES

Refused = Callable[[str | bytes], RubricError]
GOOD = "id: root\nrequirements: r\ntask_category: Code Development\n"


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("pinn/rubrik.yaml", "pinn/rubric.yaml"),
        ("pin/rubric.yaml", "pinn/rubric.yaml"),
    ],
    ids=["file", "folder"],
)
def test_missing_file_names_the_near_miss(tmp_path: Path, asked: str, there: str) -> None:
    target = tmp_path / there
    target.parent.mkdir()
    target.write_text(GOOD)
    with pytest.raises(RubricError) as caught:
        load_rubric(tmp_path / asked)
    assert caught.value.code == "E201"
    expected = f"rubric not found: {tmp_path / asked}; did you mean {target}?"
    assert caught.value.message == expected
    assert str(Path.cwd()) in caught.value.looked[0]


def test_missing_file_without_a_near_miss(tmp_path: Path) -> None:
    with pytest.raises(RubricError, match=r"\[E201\] rubric not found: .*xyzzy$"):
        load_rubric(tmp_path / "no" / "xyzzy")


@pytest.mark.parametrize("name", ["rubric.yaml", "rubric.yml", "rubric.json"])
def test_folder_stands_for_the_rubric_in_it(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(GOOD)
    assert load_rubric(tmp_path).root == "root"


def test_folder_without_a_rubric(tmp_path: Path) -> None:
    with pytest.raises(RubricError, match="folder without a rubric") as caught:
        load_rubric(tmp_path)
    assert [Path(line).name for line in caught.value.looked] == [
        "rubric.yaml",
        "rubric.yml",
        "rubric.json",
    ]


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (GOOD.encode("utf-16"), "E215", "is UTF-16"),
        (GOOD.encode("utf-16-be"), "E215", "binary or UTF-16: byte 0 is NUL"),
        (GOOD.encode("utf-32"), "E215", "is UTF-32"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "E215", "byte 7 is NUL"),
        (b"id: a\nrequirements: caf\xe9\n", "E215", "not UTF-8 text: byte 0xe9"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "E218", "Git LFS pointer"),
    ],
    ids=["utf-16", "utf-16 without mark", "utf-32", "binary", "latin-1", "lfs"],
)
def test_no_text(refused: Refused, content: bytes, code: str, said: str) -> None:
    error = refused(content)
    assert error.code == code
    assert said in error.message
    assert error.fix


def test_bad_byte_has_a_line(refused: Refused) -> None:
    place = refused(b"id: a\nrequirements: caf\xe9\n").place
    assert place is not None
    assert place.line == 2


def test_byte_order_mark_is_no_part_of_the_text(write: Callable[[bytes], Path]) -> None:
    assert load_rubric(write(b"\xef\xbb\xbf" + GOOD.encode())).root == "root"


def test_too_large_a_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "rubric.yaml"
    path.touch()
    os.truncate(path, MAX_BYTES + 1)
    with pytest.raises(RubricError, match=r"\[E217\].*larger than 200 MB"):
        load_rubric(path)


def test_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RubricError, match=r"\[E201\].*no regular file"):
        load_rubric(tmp_path / "pipe")


def test_name_that_no_file_can_have() -> None:
    with pytest.raises(RubricError, match=r"\[E201\]"):
        load_rubric("a\0b")
