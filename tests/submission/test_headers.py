from __future__ import annotations

import tarfile
from collections.abc import Callable

import pytest

from rubric_engine.errors import SubmissionError
from tests.submission.conftest import Unpack


def chain(kind: bytes, length: int) -> bytes:
    """Extended headers one after the other, and a file."""
    header = tarfile.TarInfo("x")
    header.type = kind
    content = b"13 comment=x\n" if kind in (tarfile.XHDTYPE, tarfile.XGLTYPE) else b"name\0"
    header.size = len(content)
    block = header.tobuf() + content.ljust(512, b"\0")
    return block * length + tarfile.TarInfo("a").tobuf() + bytes(1024)


@pytest.mark.parametrize(
    "kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK]
)
def test_chains_of_headers_are_bounded(unpack: Unpack, kind: bytes) -> None:
    with pytest.raises(SubmissionError, match="more than 16 extended headers") as caught:
        unpack(chain(kind, 3000))
    assert caught.value.code == "E302"
    unpack(chain(kind, 3))


def pax(content: bytes) -> bytes:
    header = tarfile.TarInfo("x")
    header.type = tarfile.XHDTYPE
    header.size = len(content)
    return header.tobuf() + content + bytes(-len(content) % 512)


@pytest.mark.parametrize(
    "content",
    [
        b"100006 a=" + b"1" * 100_000 + b"\n",  # a number that does not end
        b"5 a\n " * 20_000 + b"=",  # names that reach beyond their records
        b"9 a=b\n", b"0 a=b\n", b"3 a=b\n", b"-6 a=b\n", b"6 a=b", b"a=b\n",
    ],
)  # fmt: skip
def test_extended_headers_are_checked_before_they_are_parsed(
    unpack: Unpack, content: bytes
) -> None:
    with pytest.raises(SubmissionError, match="extended header that is not valid"):
        unpack(pax(content) + tarfile.TarInfo("a").tobuf() + bytes(1024))


def sparse_old() -> bytes:
    """A header whose list of pieces does not end."""
    header = bytearray(tarfile.TarInfo("sparse").tobuf(format=tarfile.GNU_FORMAT))
    header[156:157] = tarfile.GNUTYPE_SPARSE
    header[482] = 1
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    more = bytearray(512)
    more[:24] = b"00000000001\0" * 2
    more[504] = 1
    return bytes(header) + bytes(more) * 10_000


def sparse_new() -> bytes:
    """The same in the format of today, where the list stands before the data."""
    records = b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n31 GNU.sparse.realsize=1000000\n"
    header = tarfile.TarInfo("sparse")
    header.size = 6_000_000
    return pax(records) + header.tobuf() + b"9999999\n" + b"1\n" * 3_000_000


@pytest.mark.parametrize("make", [sparse_old, sparse_new])
def test_lists_of_sparse_pieces_are_bounded(unpack: Unpack, make: Callable[[], bytes]) -> None:
    with pytest.raises(SubmissionError, match="headers are too large"):
        unpack(make() + bytes(1024))


def test_global_headers_are_bounded(unpack: Unpack) -> None:
    header = tarfile.TarInfo("x")
    header.type = tarfile.XGLTYPE
    value = b"x" * 40_000
    content = b"%d a=%s\n" % (len(value) + 9, value)
    header.size = len(content)
    block = header.tobuf() + content.ljust(-(-len(content) // 512) * 512, b"\0")
    member = tarfile.TarInfo("a").tobuf()
    target, _ = unpack(block + member + bytes(1024))
    assert [path.name for path in target.iterdir()] == ["a"]
    with pytest.raises(SubmissionError, match="global headers of 80,018 bytes"):
        unpack(block + member + block + member + bytes(1024))


def test_a_huge_header_is_not_read_into_memory(unpack: Unpack) -> None:
    header = tarfile.TarInfo("pax")
    header.type = tarfile.XHDTYPE
    header.size = 2**30
    with pytest.raises(SubmissionError, match="a header of 1,073,741,824 bytes"):
        unpack(header.tobuf() + bytes(4096))
