"""Snapshots of submissions in a run folder, by content, so that a run can be resumed.

    folder/objects/ab/ab12...   the content of every file, once, named by its SHA-256
    folder/<name>.json          one snapshot: the index, and the parts that an export is made of

Several snapshots share the objects.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rubric_engine.files import FileIndex
from rubric_engine.submission.reading import changed, decode, look_up, read_checked
from rubric_engine.submission.snapshot_file import Part, dump_parts, parse_parts
from rubric_engine.submission.snapshot_store import store
from rubric_engine.submission.tree import Tree, reason_of
from rubric_engine.submission.writing import TreeWriter, storage_error
from rubric_engine.submitted import Submission

_CHUNK = 1 << 20


def save_snapshot(submission: Submission, folder: Path, name: str) -> None:
    """Keep a submission in a folder; what an export of it would hold is kept, not more.

    Args:
        submission: Any submission.
        folder: Where; made if need be.
        name: The snapshot's name there, a plain file name without suffix.

    Raises:
        SubmissionError: A file is no longer what the index says.
        StorageError: The disk refuses.
    """
    try:
        if isinstance(submission, SnapshotSubmission) and submission.objects == folder / "objects":
            parts = submission.parts  # its contents lie there already
        else:
            parts = store(submission, folder)
        temporary = folder / f".{name}.json.{os.getpid()}"
        names = (submission.name, getattr(submission, "called", ""))
        temporary.write_text(dump_parts(names, submission.files, parts), "ascii")
        temporary.replace(folder / f"{name}.json")
    except OSError as error:
        raise storage_error(error, "saving a snapshot of the submission") from error


def load_snapshot(folder: Path, name: str) -> Submission:
    """Get back what `save_snapshot` kept; contents are verified when they are read.

    Raises:
        RunError: There is no such snapshot, or its file is damaged.
    """
    (own, called), files, parts = parse_parts(folder / f"{name}.json")
    return SnapshotSubmission(own, files, folder / "objects", parts, called=called)


@dataclass(frozen=True, eq=False)
class SnapshotSubmission:
    """A submission out of a snapshot.

    Attributes:
        name: Name for people.
        files: The index, as it was.
        objects: The folder of contents.
        parts: What an export is made of, folders before what lies in them.
        called: Name for people where the other tells them nothing.
    """

    name: str
    files: FileIndex
    objects: Path
    parts: tuple[Part, ...]
    called: str = field(default="", kw_only=True)

    def read(self, path: str, *, max_bytes: int | None = None) -> str:
        """See `case.Submission.read`."""
        data = self.read_bytes(path, max_bytes=max_bytes)
        return decode(data, cut=len(data) < self.files[path].size)

    def read_bytes(self, path: str, *, max_bytes: int | None = None) -> bytes:
        """See `case.Submission.read_bytes`."""
        file = look_up(self.files, path)
        descriptor = self._open(path, file.sha256)
        try:
            return read_checked(descriptor, file, max_bytes)
        finally:
            os.close(descriptor)

    def export(self, folder: Path) -> None:
        """See `case.Submission.export`.

        Raises:
            SubmissionError: A content is no longer what was saved.
            StorageError: The disk refuses.
        """
        try:
            with TreeWriter(folder) as copy:
                for part in self.parts:
                    self._write(part, copy)
        except OSError as error:
            raise storage_error(error, "copying the submission") from error

    def _write(self, part: Part, copy: TreeWriter) -> None:
        if part.kind == "folder":
            copy.make_folder(part.path)
        elif part.kind == "link":
            copy.make_link(part.path, part.target or "")
        else:
            descriptor = self._open(part.path, part.sha256)
            try:
                chunks = _verified(descriptor, part.path, part.sha256)
                copy.write_file(part.path, chunks, executable=part.executable)
            finally:
                os.close(descriptor)

    def _open(self, path: str, sha256: str | None) -> int:
        name = sha256 or ""
        try:
            with Tree(self.objects) as tree:
                return tree.open_file(f"{name[:2]}/{name}")
        except OSError as error:
            raise changed(path, f"its saved content: {reason_of(error)}") from error


def _verified(descriptor: int, path: str, sha256: str | None) -> Iterator[bytes]:
    digest = hashlib.sha256()
    while chunk := os.read(descriptor, _CHUNK):
        digest.update(chunk)
        yield chunk
    if digest.hexdigest() != sha256:
        raise changed(path)
