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

from rubric_engine.files import File, Kind
from rubric_engine.submission.headers import open_tar
from rubric_engine.submission.limits import DEEPEST
from rubric_engine.submission.meter import ArchiveLimits, Meter, broken
from rubric_engine.submission.writing import TreeWriter, storage_error

_CHUNK = 1 << 20
_LONGEST_NAME = 255
# What tarfile raises on headers that are nonsense; nothing of ours is among these.
_NONSENSE = (tarfile.TarError, ValueError, ArithmeticError, LookupError, RecursionError)


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
        except _NONSENSE as error:
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
                reason = _refusal(member) or self._unpack(tar, member)
                if reason is not None:
                    self.refused.append(File(member.name, member.size, None, _kind(member), reason))
        while self.meter.read(_CHUNK):  # to the end, where the checksum of the whole is
            pass

    def _unpack(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> str | None:
        """Write one member; returns why it cannot be."""
        path = "/".join(_parts(member.name))
        folder = path if member.isdir() else path.rpartition("/")[0]
        try:
            self.tree.make_folder(folder)
            if not member.isdir():
                return self._write(tar, member, path)
        except (NotADirectoryError, IsADirectoryError, FileExistsError):
            return "its name clashes with another member's"
        except OSError as error:
            raise storage_error(error, "unpacking the archive") from error
        return None

    def _write(self, tar: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> str | None:
        if not member.islnk():
            self._put(path, self._metered(tar.extractfile(member)), member)
            return None
        target = "/".join(_parts(member.linkname))
        try:
            source = os.fdopen(self.tree.open_file(target), "rb")
        except OSError:
            return _hard_link(member)
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


def _parts(name: str) -> list[str]:
    return [part for part in name.split("/") if part not in ("", ".")]


def _refusal(member: tarfile.TarInfo) -> str | None:
    """Why a member must not be unpacked, or None."""
    if member.issym():
        return f"link to {member.linkname!r} (never followed)"
    if member.islnk():
        bad = _bad_name(member.name, is_folder=False)
        return bad or (_hard_link(member) if _bad_name(member.linkname, is_folder=False) else None)
    if not (member.isreg() or member.isdir()):
        return "neither a file nor a folder (not unpacked)"
    return _bad_name(member.name, is_folder=member.isdir())


def _hard_link(member: tarfile.TarInfo) -> str:
    return f"hard link to {member.linkname!r} (not unpacked)"


def _bad_name(name: str, *, is_folder: bool) -> str | None:
    parts = _parts(name)
    if name.startswith("/") or ".." in parts:
        return "its name leads out of the archive"
    if "\0" in name or not (parts or is_folder):
        return "its name is not valid"
    try:
        longest = max((len(os.fsencode(part)) for part in parts), default=0)
    except UnicodeEncodeError:
        return "its name is not valid"
    if longest > _LONGEST_NAME or len(parts) > DEEPEST:
        return "its name is too long"
    return None


def _kind(member: tarfile.TarInfo) -> Kind:
    if member.issym() or member.islnk():
        return "link"
    if member.isdir():
        return "folder"
    return "binary" if member.isreg() else "special"
