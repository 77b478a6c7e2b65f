"""Reading a packed file while counting what comes out of it, so that no archive swells unseen."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self, cast

from rubric_engine.errors import SubmissionError

_TAR = "a folder, or a tar archive (.tar, .tar.gz, .tar.bz2, .tar.xz)"
_NOT_TAR = (
    (b"PK\x03\x04", "a zip archive", "unzip it and give the folder"),
    (b"PK\x05\x06", "a zip archive", "unzip it and give the folder"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it (7z x) and give the folder"),
    (b"Rar!", "a rar archive", "unpack it (unrar x) and give the folder"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd", "unpack it (tar --zstd -xf) and give the folder"),
    (b"version https://git-lfs.github.com/spec/v1", "a Git LFS pointer", "git lfs pull"),
)


@dataclass(frozen=True)
class ArchiveLimits:
    """What an archive may hold.

    Attributes:
        members: Most members.
        size: Most bytes in all, unpacked.
        ratio: Most unpacked bytes for a packed one, counted from `ratio_from` bytes on.
        ratio_from: Unpacked bytes up to which the ratio does not matter.
    """

    members: int = 100_000
    size: int = 10 * 2**30
    ratio: int = 200
    ratio_from: int = 100 * 10**6


class Meter:
    """The unpacked bytes of a file, for tarfile to read.

    Args:
        path: The file.
        limits: Past which it raises.

    Raises:
        SubmissionError: The file is an archive of another kind.
        OSError: The file cannot be opened.
    """

    def __init__(self, path: Path, limits: ArchiveLimits) -> None:
        self.path = path
        self.members = 0
        self._limits = limits
        self._read = 0
        self._written = 0
        self._raw = path.open("rb")
        try:
            self._stream = _unpacked(self._raw, path)
        except BaseException:
            self._raw.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stream.close()
        self._raw.close()

    def read(self, size: int) -> bytes:
        """The next bytes, empty at the end.

        Raises:
            SubmissionError: The file is cut off or corrupt, or holds too much.
        """
        try:
            data = self._stream.read(size)
        except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
            raise broken(self, str(error)) from error
        self._read += len(data)
        self._check(self._read)
        return data

    def count_member(self) -> None:
        """Note one more member."""
        self.members += 1
        if self.members > self._limits.members:
            raise self._bomb(f"more than {self._limits.members:,} members")

    def count_written(self, size: int) -> None:
        """Note bytes that were written out."""
        self._written += size
        self._check(self._written)

    def _check(self, size: int) -> None:
        limits = self._limits
        if size > limits.size:
            raise self._bomb(f"more than {limits.size:,} bytes")
        if size > limits.ratio_from and size > limits.ratio * max(self._raw.tell(), 1):
            raise self._bomb(f"more than {limits.ratio} times its own size")

    def _bomb(self, what: str) -> SubmissionError:
        return SubmissionError(
            f"{self.path} unpacks to {what}: it may be an archive bomb",
            code="E303",
            fix=["if you trust it, unpack it yourself and give the folder"],
        )

    @property
    def progress(self) -> str:
        """How far it was read, for messages."""
        return f"{self.members:,} members, {self._written:,} bytes unpacked"


def broken(meter: Meter, why: str) -> SubmissionError:
    """The error for a file that is no archive or a damaged one."""
    if not meter.members:
        return _unfit(meter.path, f"not a tar archive, or a damaged one ({why})")
    return SubmissionError(
        f"{meter.path} is cut off or corrupt: {why}",
        code="E302",
        looked=[f"read until then: {meter.progress}"],
        fix=["make or download the archive again"],
    )


def _unpacked(raw: IO[bytes], path: Path) -> IO[bytes]:
    head = raw.read(64)
    raw.seek(0)
    for magic, what, fix in _NOT_TAR:
        if head.startswith(magic):
            raise _unfit(path, what, fix)
    if head.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=raw, mode="rb"))
    if head.startswith(b"BZh"):
        return cast("IO[bytes]", bz2.BZ2File(raw))
    if head.startswith(b"\xfd7zXZ\0"):
        return cast("IO[bytes]", lzma.LZMAFile(raw))
    return raw


def _unfit(path: Path, what: str, fix: str = "give the folder itself") -> SubmissionError:
    return SubmissionError(f"{path} is {what}; a submission is {_TAR}", code="E302", fix=[fix])
