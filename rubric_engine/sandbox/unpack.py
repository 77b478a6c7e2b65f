"""Taking a run's files out of a sandbox: a tar archive that flows, of which nothing is believed.

Only regular files and folders are written, as the caller's own and with modes of ours; files keep
their times, which are evidence and no proof. What is not taken is listed with its size and its
reason, so that a judge can be told.
"""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox.chunk_source import ChunkSource
from rubric_engine.sandbox.left_out import LeftOut
from rubric_engine.submission.header_stream import HeadersTooLarge
from rubric_engine.submission.headers import StrictTarFile, open_tar
from rubric_engine.submission.members import (
    CLASHES,
    NONSENSE,
    hard_link,
    kind_of,
    parts_of,
    refusal,
)
from rubric_engine.submission.writing import TreeWriter, storage_error

_CHUNK = 1 << 20
_PASSED_OVER = 4
"""How many times the caps are passed over, to reach what lies behind; then it is given up."""

_DEEP = 2048
"""Bytes of a folder's path past which an engine may list nothing in it: with its own path before
it and a name behind, that is more than the 4,096 that systems take."""


@dataclass(frozen=True)
class Caps:
    """What is taken out at most.

    Attributes:
        bytes: Bytes of all files.
        files: Files and folders.
        path_chars: Length of a path, in bytes as the system writes it.
        file_bytes: Bytes of one file.
    """

    bytes: int
    files: int
    path_chars: int = 1024
    file_bytes: int = 2**30


def unpack(chunks: Iterable[bytes], folder: Path, caps: Caps, *, strip: str) -> LeftOut:
    """Write what an archive holds into a folder, while it flows.

    Memory stays flat, and nothing is written outside the folder or past the caps. Of members with
    the same name the last one stays.

    Args:
        chunks: The archive, in pieces of any size. They may not be read to the end; whoever opened
            the stream closes it.
        folder: An existing, empty folder.
        caps: What is taken at most.
        strip: The archive's top folder, whose content becomes that of `folder`.

    Returns:
        What was left out. A path in it is no file that the run deleted.

    Raises:
        SandboxError: The archive is cut off or damaged (E830), or could not be read (E831).
        StorageError: The disk refuses.
    """
    left_out = LeftOut()
    with TreeWriter(folder) as tree:
        taking = _Taking(tree, caps, parts_of(strip), left_out)
        try:
            with open_tar(ChunkSource(chunks)) as tar:
                taking.run(tar)
        except HeadersTooLarge:
            left_out.add_rest("not read: their names are too long")
        except NONSENSE as error:
            raise SandboxError(
                f"the files of the run came back cut off or damaged: {error}", code="E830"
            ) from error
    return left_out


@dataclass
class _Taking:
    """Attributes: where to, what at most, the top folder's names, and what came of it so far."""

    tree: TreeWriter
    caps: Caps
    top: list[str]
    left_out: LeftOut
    size: int = 0
    files: int = 0
    passed_bytes: int = 0
    passed_files: int = 0
    deep: bool = False

    def run(self, tar: StrictTarFile) -> None:
        for member in tar.members_once():
            parts = parts_of(member.name)
            inside = parts[: len(self.top)] == self.top
            path = "/".join(parts[len(self.top) :] if inside else parts)
            if inside and not path and member.isdir():
                continue
            self._note_depth(member, path)
            why = self._refusal(member, path, inside=inside) or self._write(tar, member, path)
            if why is None:
                continue
            size = member.size if member.isreg() else None
            self.left_out.add(path or ".", size, why, kind_of(member))
            if self._is_too_far(member):
                self.left_out.add_rest(f"not read: they come after {path!r} in the archive")
                return

    def _note_depth(self, member: tarfile.TarInfo, path: str) -> None:
        if not self.deep and member.isdir() and len(os.fsencode(path)) > _DEEP:
            self.deep = True
            self.left_out.add_rest("not read: what lies so deep, an engine may not list")

    def _refusal(self, member: tarfile.TarInfo, path: str, *, inside: bool) -> str | None:
        caps = self.caps
        if why := refusal(member) or (hard_link(member) if member.islnk() else None):
            return why
        if not inside or not path:
            return "it is not in the submission's folder"
        if len(os.fsencode(path)) > caps.path_chars:
            return f"its path is longer than {caps.path_chars:,} bytes"
        if self.files >= caps.files:
            return f"there are more than {caps.files:,} files and folders"
        if member.size > caps.file_bytes:
            return f"it is larger than {caps.file_bytes:,} bytes"
        if member.size > caps.bytes - self.size:
            return f"the files have more than {caps.bytes:,} bytes in all"
        return None

    def _write(self, tar: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> str | None:
        """Write one member; returns why it cannot be."""
        try:
            self.tree.make_folder(path if member.isdir() else path.rpartition("/")[0])
            if member.isreg():
                self._put(tar, member, path)
        except (NotADirectoryError, IsADirectoryError, FileExistsError):
            return CLASHES
        except OSError as error:
            raise storage_error(error, "taking the files of the run out of the sandbox") from error
        self.files += 1
        self.size += member.size
        return None

    def _put(self, tar: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> None:
        executable = bool(member.mode & 0o111)
        try:
            self.tree.write_file(path, _content(tar, member), executable=executable)
        except FileExistsError:
            self.tree.remove_file(path)
            self.tree.write_file(path, _content(tar, member), executable=executable)
        self.tree.set_time(path, float(member.mtime))

    def _is_too_far(self, member: tarfile.TarInfo) -> bool:
        """Whether more was passed over than it is worth; at the next member it would be read."""
        self.passed_files += 1
        self.passed_bytes += member.size
        return (
            self.passed_bytes > _PASSED_OVER * self.caps.bytes
            or self.passed_files > _PASSED_OVER * self.caps.files
        )


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> Iterator[bytes]:
    source = tar.extractfile(member)
    while source and (chunk := source.read(_CHUNK)):
        yield chunk
