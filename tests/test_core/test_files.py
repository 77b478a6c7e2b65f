from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.files import SNIFF_BYTES, File, FileIndex, Kind, sniff
from rubric_engine.globs import matches, patterns, reaches


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/*.py", "other/src/a.py", False),
        ("./src/*.py", "src/a.py", True),
        ("/src/*.py", "src/a.py", True),
        ("**/*.py", "a.py", True),
        ("**/*.py", "src/deep/a.py", True),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/deep/er/a.py", True),
        ("results", "results/deep/a.csv", True),
        ("results/", "results/a.csv", True),
        ("results", "other/results/a.csv", False),
        ("reproduce.sh", "reproduce.sh", True),
        ("reproduce.sh", "sub/reproduce.sh", False),
        ("*", "a.py", True),
        ("run[12].log", "run1.log", True),
        ("run[12].log", "run3.log", False),
        ("run?.log", "run7.log", True),
        ("a b.txt", "a b.txt", True),
        ("A.py", "a.py", False),
        ("../*.py", "a.py", False),
        ("größe/*.csv", "größe/a.csv", True),
    ],
)
def test_globs(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"", "empty"),
        (b"import numpy\n", "text"),
        (b"\xff\xfeh\0i\0", "text"),
        (b"\xef\xbb\xbfhello", "text"),
        ("Größe 大小".encode(), "text"),
        (b"caf\xe9 latin", "text"),
        (b"\x1b[31mred\x1b[0m\n", "text"),
        (b'{"cells": [], "nbformat": 4}', "notebook"),
        (b' \n{\n "metadata": {}, "cells": []}', "notebook"),
        (b'{"rows": []}', "text"),
        (b'# about "cells"', "text"),
        (b"\x89PNG\r\n\x1a\n....", "image"),
        (b"\xff\xd8\xff\xe0", "image"),
        (b"GIF89a\x01\0", "image"),
        (b"GIF89a=1\n", "text"),
        (b"RIFF1234WEBP = 1", "text"),
        (b"PAR1 = 0 # \xc3", "text"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "binary"),
        (b"PAR1\x15\0", "parquet"),
        (b"BZh = 9\n", "text"),
        (b"BZh91AY&SY\xb0", "archive"),
        (b"PK\x03\x04....", "archive"),
        (b"\x1f\x8b\x08", "archive"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "binary"),
        (b"%PDF- is a comment in TeX", "text"),
        (b"\x7fELF\x02\x01\x01\0", "binary"),
        (b"\x01\x02\x03\x04abc", "binary"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "lfs_pointer"),
    ],
)
def test_kinds_follow_the_content(head: bytes, kind: Kind) -> None:
    assert sniff(head) == kind


@given(st.binary(max_size=SNIFF_BYTES))
def test_any_bytes_have_a_kind(head: bytes) -> None:
    assert sniff(head) in {
        "text", "notebook", "image", "parquet", "archive", "binary", "lfs_pointer", "empty",
    }  # fmt: skip


@given(st.text(st.characters(exclude_characters="\\["), min_size=1))
def test_a_glob_of_any_text_never_crashes(pattern: str) -> None:
    assert matches(pattern, "src/a.py") in {True, False}


def _file(path: str, *, sha256: str = "0", skipped: str | None = None) -> File:
    return File(path, 1, sha256, "text", skipped)


INDEX = FileIndex.of([_file("b.py"), _file("a/c.py"), _file(".git", skipped="skipped by name")])


def test_an_index_is_sorted_and_shows_what_is_readable() -> None:
    assert [file.path for file in INDEX] == ["a/c.py", "b.py"]
    assert [file.path for file in INDEX.skipped] == [".git"]
    assert (len(INDEX), "b.py" in INDEX, ".git" in INDEX) == (2, True, False)
    assert INDEX["b.py"].kind == "text"
    assert [file.path for file in INDEX.glob("**/*.py")] == ["a/c.py", "b.py"]


def test_the_hash_is_of_names_and_contents() -> None:
    same = FileIndex.of([_file("a/c.py"), _file("b.py")])
    renamed = FileIndex.of([_file("a/d.py"), _file("b.py")])
    changed = FileIndex.of([_file("a/c.py", sha256="1"), _file("b.py")])
    assert len({INDEX.sha256, same.sha256, renamed.sha256, changed.sha256}) == 3
    assert INDEX.sha256 == same.sha256


def test_a_name_that_is_no_utf_8_has_a_place_in_the_hash() -> None:
    assert len(FileIndex.of([_file("bad\udcff.py")]).sha256) == 64


@pytest.mark.parametrize("glob", ["src\\", "a[]-.{]"])
def test_a_malformed_glob_is_told_when_it_is_read(glob: str) -> None:
    with pytest.raises(ValueError, match="malformed glob"):
        matches(glob, "src")


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_glob_matches_or_is_malformed(glob: str, path: str) -> None:
    with suppress(ValueError):
        assert matches(glob, path) in (True, False)


@pytest.mark.parametrize(
    ("glob", "paths"),
    [
        ("*a*b*_*a*.csv", [f"N_{'ab_' * 80}{number}" for number in range(50)]),
        ("**/a/**/a/**/*.csv", ["a/" * 3000 + "table.txt"] * 50),
    ],
)
def test_no_name_makes_a_glob_hang(glob: str, paths: list[str]) -> None:
    assert not any(matches(glob, path) for path in paths)


def test_half_characters_are_characters_like_others() -> None:
    assert matches("a?\udcff.py", "a\n\udcff.py")
    assert not matches("\udcff.py", "a.py")
    assert patterns(["*.\udcff"]).check_file("a.\udcff").include


@pytest.mark.parametrize(
    ("glob", "folder", "expected"),
    [
        ("src/*.py", "src", True),
        ("./src/lib/*.py", "src/lib", True),
        ("s*/*.py", "src", True),
        ("src", "src/lib", True),
        ("src/*.py", "lib", False),
        ("src/*.py", "src/lib/deep", False),
        ("**/*.py", "src", False),
        ("src/**/*.py", "src", True),
    ],
)
def test_a_glob_reaches_into_a_folder(glob: str, folder: str, expected: bool) -> None:
    assert reaches(glob, folder) is expected
