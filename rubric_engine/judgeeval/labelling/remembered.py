"""What was read of a record, which stays good as long as its file is the same one and unchanged.

A labelling of thousands of leaves is read once and not with each label: lines that are added to a
file that is held are taken in as they are written. A file that anybody replaces or changes is
another one by its identity, its size or its time, and is read again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rubric_engine.errors import Place
from rubric_engine.labels import Label, LabelRow, LabelRows, Labels, load_label_rows
from rubric_engine.labels.rows import read_rows

Stamp = tuple[int, int, int, int]
"""What changes whenever a file is written or replaced: device, inode, size and time."""


@dataclass(frozen=True)
class _Known:
    """What a file held.

    Attributes:
        stamp: The file's then; None where there was none.
        labels: What counted.
        rows: All that was said; None where only the labels are known.
    """

    stamp: Stamp | None
    labels: Labels
    rows: tuple[LabelRow, ...] | None


class Remembered:
    """What was read of one record last.

    Args:
        path: The file; it need not be there.
        name: Whose it is.
    """

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self._name = name
        self._known: _Known | None = None

    @property
    def labels(self) -> Labels:
        """What counts of what is there now.

        Raises:
            LabelsError: The file is damaged.
        """
        return self._now().labels

    @property
    def rows(self) -> tuple[LabelRow, ...]:
        """All that was said, in its order; raises as `labels`."""
        rows = self._now().rows
        return load_label_rows(self._path).rows if rows is None else rows

    def add(self, rows: Sequence[dict[str, Any]], before: Stamp, after: Stamp) -> None:
        """Take in lines that were added to the file, if all before them is known.

        Args:
            rows: The lines as plain values.
            before: The file's stamp before they were.
            after: The stamp since.
        """
        known, self._known = self._known, None
        if known is None or known.stamp != before:
            return
        added = read_rows(((Place(str(self._path)), row) for row in rows), known.labels.annotator)
        if all(map(_is_plain, (known.labels, added.labels))) and _of_one(known.labels, added):
            self._known = _Known(after, _together(known.labels, added), None)

    def _now(self) -> _Known:
        stamp, known = _stamp_at(self._path), self._known
        if known is None or known.stamp != stamp:
            known = self._known = self._read(stamp)
        return known

    def _read(self, stamp: Stamp | None) -> _Known:
        """Read the file; the stamp is older than what is read, so no change is overlooked."""
        if stamp is None:
            return _Known(None, Labels(annotator=self._name, labels={}), ())
        found = load_label_rows(self._path)
        return _Known(stamp, found.labels, found.rows)


def stamp_of(facts: os.stat_result) -> Stamp:
    """The stamp of a file.

    Args:
        facts: What the system says of it.
    """
    return facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns


def _stamp_at(path: Path) -> Stamp | None:
    try:
        facts = path.stat()
    except OSError:
        return None
    return stamp_of(facts) if stat.S_ISREG(facts.st_mode) else None


def _is_plain(labels: Labels) -> bool:
    """Whether one person's name stands for all labels, and beside none of them."""
    return all(label.annotator is None for label in labels.labels.values())


def _of_one(labels: Labels, added: LabelRows) -> bool:
    return labels.annotator == added.annotator


def _together(labels: Labels, added: LabelRows) -> Labels:
    """What counts now: the last line of a leaf, in the order of these lines."""
    now: dict[str, Label] = dict(labels.labels)
    for row in added.rows:
        now.pop(row.key, None)
        if row.label is not None:
            now[row.key] = row.label
    return labels.model_copy(update={"labels": now}).with_warnings(())
