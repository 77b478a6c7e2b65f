"""What one person has said, as a JSONL file that is only ever added to."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rubric_engine.errors import StorageError
from rubric_engine.judgeeval.labelling.holding import holding, is_at
from rubric_engine.judgeeval.labelling.remembered import Remembered, stamp_of
from rubric_engine.judgeeval.labelling.saved import add, save, taking_back
from rubric_engine.labels import Label, LabelRow, Labels
from rubric_engine.labels.lines import json_line, label_row
from rubric_engine.rundir import storing


class GoneError(StorageError):
    """The file was moved, deleted or replaced under who writes it."""

    default_code = "E908"


class Record:
    """One person's record; the last line of a leaf counts.

    Args:
        path: The file; it need not be there yet.
        name: Whose it is.
        remembered: What others read of the same file, too; None for this record's own.
    """

    def __init__(self, path: Path, name: str, remembered: Remembered | None = None) -> None:
        self.path = path
        self.name = name
        self._remembered = remembered or Remembered(path, name)
        self._held: int | None = None
        self._known = Labels(annotator=name, labels={})

    @property
    def labels(self) -> Labels:
        """What counts of it; of a file that went while it is held, what counted at last.

        Raises:
            LabelsError: The file is damaged.
        """
        if self._is_gone:
            return self._known
        self._known = self._remembered.labels
        return self._known

    @property
    def rows(self) -> tuple[LabelRow, ...]:
        """All that was said, in its order; raises as `labels`."""
        return self._remembered.rows

    def append(self, labels: Mapping[str, Label]) -> range:
        """Add labels; a line that a crash tore goes first.

        Returns:
            Numbers of the lines that were added.

        Raises:
            StorageError: It cannot be written, and is as it was.
            GoneError: It is held, and no longer what stands at its path.
        """
        return self._add([label_row(key, label, self.name) for key, label in labels.items()])

    def take_back(self, keys: Iterable[str]) -> range:
        """Add lines that take the labels of leaves back; returns and raises as `append`."""
        return self._add([{"key": key, "verdict": None, "annotator": self.name} for key in keys])

    def _add(self, rows: list[dict[str, Any]]) -> range:
        text = "".join(map(json_line, rows)).encode()
        with storing(self.path):
            if self._held is None:
                with self.path.open("ab+") as file:
                    last = _append(file.fileno(), text)
            else:
                last = self._append_held(self._held, text, rows)
        if self._held is not None and self._is_gone:
            raise self._gone(_content(self._held))
        return range(last - len(rows) + 1, last + 1)

    def _append_held(self, held: int, text: bytes, rows: list[dict[str, Any]]) -> int:
        before = stamp_of(os.fstat(held))
        last = _append(held, text)
        self._remembered.add(rows, before, stamp_of(os.fstat(held)))
        return last

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep others from writing it; a file in which nothing was written goes again.

        Raises:
            StorageError: Somebody else holds it, or it cannot be written.
        """
        with holding(self.path, self.name) as self._held:
            try:
                yield
            finally:
                self._held = None

    @property
    def _is_gone(self) -> bool:
        return self._held is not None and not is_at(self._held, self.path)

    def _gone(self, content: bytes) -> GoneError:
        """Save all that was said, what is said now included, in a file beside."""
        saved = save(self.path, content)
        return GoneError(
            f"{self.path} was moved, deleted or replaced while its labels were written",
            looked=[f"all that was said, this label included, is in {saved}"],
            fix=["end this `label serve` with Ctrl-C, then put the labels where they belong:",
                 f"{taking_back(self.path, saved)}   and start it again"],
        )  # fmt: skip


def _append(descriptor: int, text: bytes) -> int:
    """Add whole lines, or nothing; how many lines there are then.

    It opens nothing, so that none is lost where no file can be opened any more.
    """
    before = _end_line(descriptor, _content(descriptor))
    add(descriptor, text)
    return before + text.count(b"\n")


def _content(descriptor: int) -> bytes:
    found = bytearray()
    while part := os.pread(descriptor, 1 << 20, len(found)):
        found += part
    return bytes(found)


def _end_line(descriptor: int, content: bytes) -> int:
    """Make a file end with a whole line: a last one that a crash tore is cut off."""
    lines, last = content.count(b"\n"), content.rpartition(b"\n")[2]
    if not last:
        return lines
    try:
        json.loads(last)
    except ValueError:
        os.ftruncate(descriptor, len(content) - len(last))
        return lines
    os.write(descriptor, b"\n")
    return lines + 1
