"""What of one file a judge is shown: all of it, or a part that says what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from rubric_engine.evidence.lines import LONG_LINE, numbered, shown_path, split
from rubric_engine.evidence.notebook import render_notebook
from rubric_engine.evidence.roles import NO_TEXT, role
from rubric_engine.evidence.room import Room
from rubric_engine.files import File

MOST_BYTES = 8_000_000
"""What is read of one file."""

_MOST_NOTEBOOK_BYTES = 50_000_000
"""What is read of a notebook: its pictures count, and half a notebook is none."""

_LONG_DATA = 60
_HEAD_ROWS = 20
_TAIL_ROWS = 10


def most_bytes(file: File) -> int:
    """How many first bytes of a file are read; none where it is no text."""
    if file.kind in NO_TEXT:
        return 0
    return _MOST_NOTEBOOK_BYTES if file.kind == "notebook" else MOST_BYTES


@dataclass(frozen=True)
class Cut:
    """Something that an excerpt leaves out.

    Attributes:
        why: What is missing, and why.
        lines: First and last of the missing lines, where it is whole lines.
    """

    why: str
    lines: tuple[int, int] | None = None


@dataclass(frozen=True)
class Excerpt:
    """A file as a prompt shows it.

    Attributes:
        path: The file.
        text: Header line and numbered lines.
        size: Size of `text`, see `Room`.
        cuts: What is missing; empty where the file is whole.
    """

    path: str
    text: str
    size: int
    cuts: tuple[Cut, ...] = ()


@dataclass(frozen=True)
class Content:
    """The text of one file, ready to be shown in whole or in part."""

    file: File
    lines: Sequence[str]
    note: str = ""
    cuts: tuple[Cut, ...] = ()

    @classmethod
    def of(cls, file: File, text: str) -> Content:
        """Take the first `most_bytes` of a file as text."""
        if file.kind in NO_TEXT:
            note = f", {file.kind}, content not shown"
            return cls(file, (), note, (Cut(f"{file.kind}, only named"),))
        most = most_bytes(file)
        cuts = () if file.size <= most else (Cut(f"all but its first {most} bytes"),)
        rendered = render_notebook(text) if file.kind == "notebook" else None
        if rendered is not None:
            return cls(file, split(rendered), ", a notebook, lines are of this rendering", cuts)
        lines = split(text)
        return cls(file, lines, _shape(file.path, lines), cuts)

    def whole(self, room: Room) -> Excerpt:
        """All lines; of long data head and tail, which with the shape stand for the rest."""
        count = len(self.lines)
        if role(self.file) != "data" or count <= _LONG_DATA:
            return self._excerpt(room, range(1, count + 1), ())
        last = count - _TAIL_ROWS
        numbers = [*range(1, _HEAD_ROWS + 1), *range(last + 1, count + 1)]
        cut = Cut("data, the middle is left out", (_HEAD_ROWS + 1, last))
        return self._excerpt(room, numbers, (cut,))

    def head(self, room: Room, limit: int) -> Excerpt | None:
        """As many first lines as fit `limit`; None where not one does."""
        low, high = 0, len(self.lines)
        while low < high:
            middle = (low + high + 1) // 2
            if self._head(room, middle).size <= limit:
                low = middle
            else:
                high = middle - 1
        return self._head(room, low) if low else None

    def _head(self, room: Room, count: int) -> Excerpt:
        missing = (count + 1, len(self.lines))
        cuts = (Cut("its end is left out, for want of room", missing),)
        return self._excerpt(room, range(1, count + 1), cuts if count < len(self.lines) else ())

    def _excerpt(self, room: Room, numbers: Sequence[int], cuts: tuple[Cut, ...]) -> Excerpt:
        body = numbered(self.lines, numbers)
        text = f"{self.header}\n{body}"
        return Excerpt(self.file.path, text, room.size(text), self.cuts + cuts + self._long)

    @cached_property
    def header(self) -> str:
        """The line above a file."""
        lines = f", {len(self.lines)} lines" if self.lines else ""
        return f"### {shown_path(self.file.path)} ({self.file.size} bytes{lines}{self.note})"

    @cached_property
    def _long(self) -> tuple[Cut, ...]:
        long = any(len(line) > LONG_LINE for line in self.lines)
        return (Cut("the middle of its long lines is left out"),) if long else ()


def _shape(path: str, lines: Sequence[str]) -> str:
    suffix = PurePosixPath(path.lower()).suffix
    if suffix not in (".csv", ".tsv") or not lines:
        return ""
    columns = lines[0].count("\t" if suffix == ".tsv" else ",") + 1
    return f", {len(lines) - 1} rows x {columns} columns"
