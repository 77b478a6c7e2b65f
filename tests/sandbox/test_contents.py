"""Knowing the contents of an archive without keeping any of it."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Callable, Iterator

import pytest

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox.contents import contents_of
from tests.submission.conftest import make_tar

__all__ = ["make_tar"]

MakeTar = Callable[..., bytes]
WIDE = 1 << 20


def hashes(*contents: bytes) -> frozenset[str]:
    return frozenset(hashlib.sha256(content).hexdigest() for content in contents)


def test_only_regular_files_have_contents(make_tar: MakeTar) -> None:
    data = make_tar(
        ("home/a", b"1" * 5000, {}),
        ("home/link", b"", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}),
        ("home/../../b", b"2", {}),
    )
    found = contents_of([data[:700], data[700:]], WIDE, WIDE)
    assert found == (hashes(b"1" * 5000, b"2"), True)


@pytest.mark.parametrize(("size", "files"), [(5, WIDE), (WIDE, 1)])
def test_it_ends_where_there_is_too_much(make_tar: MakeTar, size: int, files: int) -> None:
    data = make_tar(("home/a", b"1234", {}), ("home/b", b"5678", {}))

    def stream() -> Iterator[bytes]:
        yield data
        pytest.fail("it was read on")

    assert contents_of(stream(), size, files) == (hashes(b"1234"), False)


def test_an_archive_that_breaks_off_is_an_error(make_tar: MakeTar) -> None:
    data = make_tar(("home/a", b"1" * 9000, {}))
    with pytest.raises(SandboxError, match="E830"):
        contents_of([data[:2000]], WIDE, WIDE)
