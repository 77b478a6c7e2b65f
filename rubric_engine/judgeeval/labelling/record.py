"""What one person has said, as a JSONL file that is only ever added to."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rubric_engine.errors import StorageError
from rubric_engine.labels import Label, Labels, load_labels
from rubric_engine.labels.lines import json_line, label_row
from rubric_engine.rundir import storing


class Record:
    """One person's record; the last line of a leaf counts.

    Args:
        path: The file; it need not be there yet.
        name: Whose it is.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.name = name

    @property
    def labels(self) -> Labels:
        """What counts of it.

        Raises:
            LabelsError: The file is damaged.
        """
        if not self.path.is_file():
            return Labels(annotator=self.name, labels={})
        return load_labels(self.path)

    def append(self, labels: Mapping[str, Label]) -> range:
        """Add labels; a line that a crash tore goes first.

        Returns:
            Numbers of the lines that were added.

        Raises:
            StorageError: It cannot be written.
        """
        return self._add([label_row(key, label, self.name) for key, label in labels.items()])

    def take_back(self, keys: Iterable[str]) -> range:
        """Add lines that take the labels of leaves back; returns and raises as `append`."""
        return self._add([{"key": key, "verdict": None, "annotator": self.name} for key in keys])

    def _add(self, rows: list[dict[str, Any]]) -> range:
        with storing(self.path), self.path.open("ab+") as file:
            _end_line(file.fileno(), self.path.read_bytes())
            file.write("".join(map(json_line, rows)).encode())
            file.flush()
            os.fsync(file.fileno())
        last = self.path.read_bytes().count(b"\n")
        return range(last - len(rows) + 1, last + 1)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep others from writing it; a file in which nothing was written goes again.

        Raises:
            StorageError: Somebody else holds it, or it cannot be written.
        """
        with storing(self.path):
            file = self.path.open("ab")
        with file:
            if not self._is_ours(file.fileno()):
                raise StorageError(
                    f"the labels of {self.name!r} are being written by another process",
                    code="E902",
                    looked=[str(self.path)],
                    fix=[f"end the `rubric-engine label serve` of {self.name}, or wait for it"],
                )
            try:
                yield
            finally:
                if not os.fstat(file.fileno()).st_size:
                    self.path.unlink(missing_ok=True)

    def _is_ours(self, descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return os.path.samestat(os.fstat(descriptor), self.path.stat())
        except (BlockingIOError, FileNotFoundError):  # held, or gone with who held it
            return False


def _end_line(descriptor: int, content: bytes) -> None:
    """Make a file end with a whole line: a last one that a crash tore is cut off."""
    last = content.rpartition(b"\n")[2]
    if not last:
        return
    try:
        json.loads(last)
    except ValueError:
        os.ftruncate(descriptor, len(content) - len(last))
    else:
        os.write(descriptor, b"\n")
