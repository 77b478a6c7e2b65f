"""Unpacking a tar archive that nobody vouches for.

Only regular files and folders are written, and hard links as copies of what they name, under names
checked part by part, with our own modes; everything else is listed as refused. What is unpacked is
metered while it flows.
"""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rubric_engine.files import File
from rubric_engine.submission.headers import open_tar
from rubric_engine.submission.members import (
    CLASHES,
    NONSENSE,
    hard_link,
    kind_of,
    parts_of,
    refusal,
)
from rubric_engine.submission.meter import ArchiveLimits, Meter, broken
from rubric_engine.submission.writing import TreeWriter, storage_error

_CHUNK = 1 << 20


def extract(archive: Path, target: Path, limits: ArchiveLimits | None = None) -> tuple[File, ...]:
    """Unpack an archive into an existing, empty folder.

    Of members with the same name the last one stays, as tar has it.

    Args:
        archive: The file; how it is packed is told by its content.
        target: Where to.
        limits: What it may hold at most.

    Returns:
        The members that were not unpacked, under the names that they have in the archive, each
        with its reason.

    Raises:
        SubmissionError: It is no tar archive (E302), is cut off or corrupt (E302), or holds more
            than the limits allow (E303).
        StorageError: There is no room.
        OSError: The archive cannot be opened.
    """
    with Meter(archive, limits or ArchiveLimits()) as meter, TreeWriter(target) as tree:
        unpacking = _Unpacking(meter, tree, [])
        try:
            unpacking.run()
        except NONSENSE as error:
            raise broken(meter, str(error)) from error
        return tuple(unpacking.refused)


@dataclass
class _Unpacking:
    meter: Meter
    tree: TreeWriter
    refused: list[File]

    def run(self) -> None:
        with open_tar(self.meter) as tar:
            for member in tar.members_once():
                reason = refusal(member) or self._unpack(tar, member)
                if reason is not None:
                    self.refused.append(
                        File(member.name, member.size, None, kind_of(member), reason)
                    )
        while self.meter.read(_CHUNK):  # to the end, where the checksum of the whole is
            pass

    def _unpack(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> str | None:
        """Write one member; returns why it cannot be."""
        path = "/".join(parts_of(member.name))
        folder = path if member.isdir() else path.rpartition("/")[0]
        try:
            self.tree.make_folder(folder)
            if not member.isdir():
                return self._write(tar, member, path)
        except (NotADirectoryError, IsADirectoryError, FileExistsError):
            return CLASHES
        except OSError as error:
            raise storage_error(error, "unpacking the archive") from error
        return None

    def _write(self, tar: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> str | None:
        if not member.islnk():
            self._put(path, self._metered(tar.extractfile(member)), member)
            return None
        target = "/".join(parts_of(member.linkname))
        try:
            source = os.fdopen(self.tree.open_file(target), "rb")
        except OSError:
            return hard_link(member)
        with source:
            if path != target:
                self._put(path, self._metered(source), member)
        return None

    def _put(self, path: str, chunks: Iterator[bytes], member: tarfile.TarInfo) -> None:
        executable = bool(member.mode & 0o111)
        try:
            self.tree.write_file(path, chunks, executable=executable)
        except FileExistsError:
            self.tree.remove_file(path)
            self.tree.write_file(path, chunks, executable=executable)

    def _metered(self, source: IO[bytes] | None) -> Iterator[bytes]:
        while source and (chunk := source.read(_CHUNK)):
            # A sparse member can be far larger than what was read for it.
            self.meter.count_written(len(chunk))
            yield chunk
