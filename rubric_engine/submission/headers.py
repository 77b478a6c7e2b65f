"""Reading the headers of a tar archive strictly and within bounds."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import IO, Any, Protocol, cast

from rubric_engine.submission.header_stream import HeaderStream, check_records

_LARGEST_HEADER = 1 << 20
_LARGEST_GLOBAL = 1 << 16
_LONGEST_CHAIN = 16
_EXTENDED = (
    tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK,
)  # fmt: skip


class Source(Protocol):
    """Where an archive is read from."""

    def read(self, size: int) -> bytes:
        """The next bytes, at most so many, empty at the end."""
        ...

    def count_member(self) -> None:
        """Note one more member; may raise where they are too many."""
        ...


def open_tar(source: Source) -> StrictTarFile:
    """Open what the source reads as a tar archive."""
    tar: StrictTarFile = StrictTarFile.open(  # type: ignore[call-overload]
        fileobj=cast("IO[bytes]", source),  # it only ever reads
        mode="r|",
        tarinfo=_StrictTarInfo,
        encoding="utf-8",
        errors="surrogateescape",
        source=source,
    )
    return tar


class StrictTarFile(tarfile.TarFile):
    """An archive whose extended headers are counted and bounded.

    tarfile reads each of them inside the one before, and copies the global ones into every member.
    """

    members: list[tarfile.TarInfo]

    def __init__(
        self, name: str | None, mode: str, fileobj: IO[bytes], *, source: Source, **options: Any
    ) -> None:
        self._source = source
        self.headers = HeaderStream(fileobj)
        self._chain = 0
        self._globals = 0
        self.headers.begin()
        super().__init__(name, mode, self.headers, **options)  # type: ignore[arg-type]

    def members_once(self) -> Iterator[tarfile.TarInfo]:
        """The members, of which none is kept.

        Raises:
            ReadError: It ends without tar's end mark: tarfile itself takes a damaged or missing
                header after the first one for the end.
        """
        while (member := self.next()) is not None:
            self.members.clear()
            self.headers.counting = False
            yield member
            self.headers.begin()
        if self.headers.last != bytes(tarfile.BLOCKSIZE):
            raise tarfile.ReadError("a header is missing or damaged")

    def note_header(self, header: tarfile.TarInfo) -> None:
        """Take note of a header before what belongs to it is read.

        Raises:
            ReadError: It is too large, one of too many, or nonsense.
            SubmissionError: The archive holds too much.
        """
        if header.size < 0:
            raise tarfile.ReadError("negative size")
        if header.type not in _EXTENDED:
            self._source.count_member()
            self._chain = 0
            return
        self._chain += 1
        if self._chain > _LONGEST_CHAIN:
            raise tarfile.ReadError(f"more than {_LONGEST_CHAIN} extended headers in a row")
        if header.size > _LARGEST_HEADER:
            raise tarfile.ReadError(f"a header of {header.size:,} bytes")
        if header.type == tarfile.XGLTYPE:
            self._globals += header.size
            if self._globals > _LARGEST_GLOBAL:
                raise tarfile.ReadError(f"global headers of {self._globals:,} bytes")


class _StrictTarInfo(tarfile.TarInfo):
    """A header that is checked before what belongs to it is read.

    These are the hooks that tarfile has for subclasses, in every version.
    """

    def _proc_pax(self, tar: StrictTarFile) -> tarfile.TarInfo:
        data = tar.headers.read(-(-self.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE)
        check_records(data)
        tar.headers.put_back(data)
        member: tarfile.TarInfo = super()._proc_pax(tar)  # type: ignore[misc]
        return member

    def _proc_member(self, tar: StrictTarFile) -> tarfile.TarInfo:
        tar.note_header(self)
        member: tarfile.TarInfo = super()._proc_member(tar)  # type: ignore[misc]
        return member
