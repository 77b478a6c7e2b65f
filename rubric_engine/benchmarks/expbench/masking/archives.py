"""Archives among the files: do they hold an answer?"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator

MAX_UNPACKED = 200_000_000
"""Bytes that are unpacked of an archive at most."""

_STEP = 1 << 20
_ZIPS = (".zip", ".whl", ".egg", ".jar")
_UNKNOWN = (".7z", ".rar", ".zst")
_TARS = (".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")
_ENDINGS = (
    ".zip", ".whl", ".egg", ".jar", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz", ".7z",
    ".rar", ".zst",
)  # fmt: skip


class UnreadableError(Exception):
    """An archive cannot be looked into; the text says why."""


def is_archive(path: str) -> bool:
    """Whether a file is an archive, by its name."""
    return path.casefold().endswith(_ENDINGS)


def members(content: bytes, path: str) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of what an archive holds.

    Raises:
        UnreadableError: It is of a kind that is not known here, is damaged or encrypted, or
            unpacks to more than `MAX_UNPACKED` bytes.
    """
    room = [MAX_UNPACKED]
    try:
        yield from _opened(content, path.casefold(), room)
    except UnreadableError:
        raise
    except (
        OSError, EOFError, ValueError, RuntimeError, NotImplementedError, tarfile.TarError,
        zipfile.BadZipFile, zlib.error, lzma.LZMAError,
    ) as error:  # fmt: skip
        raise UnreadableError(f"it cannot be unpacked: {error}") from None


def _opened(content: bytes, name: str, room: list[int]) -> Iterator[tuple[str, bytes]]:
    if zipfile.is_zipfile(io.BytesIO(content)):
        yield from _zipped(content, room)
        return
    if name.endswith(_ZIPS):
        raise UnreadableError("it is damaged")
    if name.endswith(_UNKNOWN):
        raise UnreadableError("archives of this kind are not looked into")
    unpacked = _single(content, name, room)
    if name.endswith(_TARS) or unpacked[257:262] == b"ustar":
        yield from _tarred(unpacked, room)
    else:
        yield name.rpartition("/")[2].rpartition(".")[0], unpacked


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


def _single(content: bytes, name: str, room: list[int]) -> bytes:
    """The content without its outermost packing."""
    raw = io.BytesIO(content)
    if name.endswith((".gz", ".tgz")):
        return _bounded(gzip.GzipFile(fileobj=raw).read, room)
    if name.endswith((".bz2", ".tbz2")):
        return _bounded(bz2.BZ2File(raw).read, room)
    if name.endswith((".xz", ".txz")):
        return _bounded(lzma.LZMAFile(raw).read, room)
    return content


def _bounded(read: Callable[[int], bytes], room: list[int]) -> bytes:
    chunks = []
    while chunk := read(_STEP):
        room[0] -= len(chunk)
        if room[0] < 0:
            raise UnreadableError(f"it unpacks to more than {MAX_UNPACKED // 10**6} MB")
        chunks.append(chunk)
    return b"".join(chunks)
