"""Archives, known by their first bytes whatever their names: all that lies in them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

MAX_UNPACKED = 200_000_000
"""Bytes that are unpacked of a file at most, all archives in archives taken together."""

MAX_DEPTH = 6
"""How deep archives in archives are opened; ``x.tar.gz`` has a depth of two."""

_STEP = 1 << 20
_BLOCK = 512
_NAMED = re.compile(
    r".*\.(zip|whl|egg|jar|npz|tar|tgz|tbz2?|tb2|txz|tlz|taz|gz|bz2|xz|lzma|7z|rar|zst)",
    re.IGNORECASE | re.DOTALL,
)
_PACKED = re.compile(rb"\x1f\x8b\x08|BZh[1-9](1AY&SY|\x17rE8P\x90)|\xfd7zXZ\0")
_UNKNOWN = (
    b"7z\xbc\xaf\x27\x1c", b"Rar!", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"\x1f\x9d",
    b"MSCF\0\0\0\0", b"!<arch>\n", b"070701", b"070702", b"070707", b"\xc7\x71", b"LZIP\x01",
)  # fmt: skip
_FAULTS = (
    OSError, EOFError, ValueError, RuntimeError, NotImplementedError, tarfile.TarError,
    zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip


class Part(NamedTuple):
    """Something that lies in an archive.

    Attributes:
        name: Its path there, behind those of the archives around it; empty for what was merely
            packed.
        content: Its content.
        trouble: Why no more of it is known, where that is so.
    """

    name: str
    content: bytes
    trouble: str | None = None


class _TooMuchError(Exception):
    """There is no room left for what is unpacked."""


def parts(content: bytes, path: str) -> Iterator[Part]:
    """Yield what a file holds if it is an archive, and what archives in it hold.

    Args:
        content: Its content.
        path: Its name, by which a damaged archive is told from none.
    """
    yield from _opened(Part("", content), path, [MAX_UNPACKED], MAX_DEPTH)


def _opened(part: Part, path: str, room: list[int], depth: int) -> Iterator[Part]:
    members = _members_of(part.content)
    if members is None:
        trouble = _unknown(part.content, path)
        if trouble is not None:
            yield part._replace(trouble=trouble)
    elif not depth:
        yield part._replace(trouble="archives lie too deep in each other")
    else:
        yield from _each(members(part.content, room), part, path, room, depth)


def _each(
    members: Iterator[tuple[str, bytes]], part: Part, path: str, room: list[int], depth: int
) -> Iterator[Part]:
    try:
        for name, content in members:
            inner = Part(f"{part.name}/{name}".strip("/"), content)
            yield inner
            yield from _opened(inner, name or path.rpartition(".")[0], room, depth - 1)
    except _TooMuchError:
        yield part._replace(trouble=f"it unpacks to more than {MAX_UNPACKED // 10**6} MB")
    except _FAULTS as error:
        yield part._replace(trouble=f"it cannot be unpacked: {error}")


_Members = Callable[[bytes, list[int]], Iterator[tuple[str, bytes]]]


def _members_of(content: bytes) -> _Members | None:
    """How a file is opened, None where it is no archive that is known here."""
    if _PACKED.match(content):
        return _unpacked
    if zipfile.is_zipfile(io.BytesIO(content)):
        return _zipped
    if _is_tar(content):
        return _tarred
    # The marks of these two are so short that texts begin with them as well.
    if _inflates(content):
        return _inflated
    return _unpacked if content.startswith(b"]\0\0") and _unpacks(content) else None


def _unknown(content: bytes, path: str) -> str | None:
    """Why a file that may be an archive is not opened."""
    if content.startswith(_UNKNOWN):
        return "archives of this kind are not looked into"
    if _NAMED.fullmatch(path) and content:
        return "it is no archive that is known here, or damaged"
    return None


def _zipped(content: bytes, room: list[int]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                with archive.open(info) as member:
                    yield info.filename, _bounded(member.read, room)


def _tarred(content: bytes, room: list[int]) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.isfile() else None
            if stream is not None:
                yield member.name, _bounded(stream.read, room)


def _unpacked(content: bytes, room: list[int]) -> Iterator[tuple[str, bytes]]:
    raw = io.BytesIO(content)
    if content.startswith(b"\x1f\x8b"):
        yield "", _bounded(gzip.GzipFile(fileobj=raw).read, room)
    elif content.startswith(b"BZh"):
        yield "", _bounded(bz2.BZ2File(raw).read, room)
    else:
        with lzma.LZMAFile(raw) as stream:
            yield "", _bounded(stream.read, room)


def _inflated(content: bytes, room: list[int]) -> Iterator[tuple[str, bytes]]:
    stream, first = zlib.decompressobj(), iter([content])

    def read(most: int) -> bytes:
        return stream.decompress(next(first, stream.unconsumed_tail), most)

    yield "", _bounded(read, room)


def _is_tar(content: bytes) -> bool:
    try:
        tarfile.TarInfo.frombuf(content[:_BLOCK], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def _inflates(content: bytes) -> bool:
    try:
        return len(zlib.decompressobj().decompress(content[:_BLOCK], _BLOCK)) > 0
    except zlib.error:
        return False


def _unpacks(content: bytes) -> bool:
    try:
        return len(lzma.LZMADecompressor().decompress(content[:_BLOCK], _BLOCK)) > 0
    except lzma.LZMAError:
        return False


def _bounded(read: Callable[[int], bytes], room: list[int]) -> bytes:
    chunks = []
    while chunk := read(_STEP):
        room[0] -= len(chunk)
        if room[0] < 0:
            raise _TooMuchError
        chunks.append(chunk)
    return b"".join(chunks)
