"""The seam to submissions: what everybody else may know and read of one."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, runtime_checkable

from rubric_engine.files import FileIndex


@runtime_checkable
class Submission(Protocol):
    """A folder under judgement, indexed once. Nothing outside it can be read through this."""

    @property
    def name(self) -> str:
        """Name for people: the folder's or the archive's."""
        ...

    @property
    def files(self) -> FileIndex:
        """The index."""
        ...

    def read(self, path: str, *, max_bytes: int | None = None) -> str:
        """Text of an indexed file, decoded tolerantly.

        Args:
            path: A path of the index.
            max_bytes: Read no more than this; a character is never cut.

        Raises:
            SubmissionError: The path is not in the index, or the file is no longer what it was.
        """
        ...

    def read_bytes(self, path: str, *, max_bytes: int | None = None) -> bytes:
        """Content of an indexed file; arguments and errors as `read`."""
        ...

    def export(self, folder: Path) -> None:
        """Copy the regular files into an existing, empty folder, for a sandbox to work on."""
        ...
