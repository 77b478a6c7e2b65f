"""What a labeller reads of a submission: its files by number, in parts, and a search over them.

A file is asked for by its number in the list; no name out of an address is ever opened.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from rubric_engine.errors import SubmissionError
from rubric_engine.evidence import render_notebook, split
from rubric_engine.evidence.lines import shorten
from rubric_engine.isolation import Execution
from rubric_engine.kept.log_file import LOG
from rubric_engine.submitted import Submission

PART = 1000
"""Lines that are given at once."""

MAX_TEXT = 8_000_000
"""Bytes that are read of one file."""

MAX_SEARCHED = 40_000_000
"""Bytes of all files that one search reads."""

MAX_HITS = 200

_REMEMBERED = 16

Origin = Literal["submission", "run", "log"]


@dataclass(frozen=True)
class Item:
    """One thing to read.

    Attributes:
        path: Its path, as citations name it.
        size: Bytes.
        kind: Kind by content; only texts and notebooks are shown.
        origin: Handed in, made by the run, or what the run printed.
        read: Gives its text, at most so many bytes of it.
    """

    path: str
    size: int
    kind: str
    origin: Origin
    read: Callable[[int], str]

    @property
    def is_text(self) -> bool:
        """Whether it can be shown."""
        return self.kind in ("text", "notebook", "empty")


class Texts:
    """All that there is to read of a case.

    Args:
        submission: The submission as it was handed in.
        execution: Its run, where there was one.
    """

    def __init__(self, submission: Submission, execution: Execution | None) -> None:
        self.items = tuple(_items(submission, execution))
        self._lines: dict[int, list[str]] = {}
        self._lock = threading.Lock()

    @property
    def listed(self) -> list[dict[str, Any]]:
        """The list of them as plain values, in the order of their numbers."""
        return [
            {"path": item.path, "size": item.size, "kind": item.kind, "origin": item.origin}
            for item in self.items
        ]

    def part(self, number: int, start: int) -> dict[str, Any] | None:
        """Some lines of a file.

        Args:
            number: Number of the file.
            start: First line, from 1.

        Returns:
            Plain values; None where there is no such file, or it is no text.
        """
        if not 0 <= number < len(self.items) or not self.items[number].is_text:
            return None
        lines = self.lines(number)
        first = max(1, start)
        shown = [shorten(line) for line in lines[first - 1 : first - 1 + PART]]
        cut = self.items[number].size > MAX_TEXT
        return {"first": first, "lines": shown, "total": len(lines), "cut": cut}

    def lines(self, number: int) -> list[str]:
        """The lines of a file as citations count them; what cannot be read says so."""
        with self._lock:
            if number not in self._lines:
                while len(self._lines) >= _REMEMBERED:
                    del self._lines[next(iter(self._lines))]
                self._lines[number] = _lines(self.items[number])
            return self._lines[number]

    def search(self, wanted: str) -> dict[str, Any]:
        """Where a text stands, whatever its case.

        Args:
            wanted: The text, on one line.

        Returns:
            Plain values: the first hits, and whether there may be more.
        """
        hits: list[dict[str, Any]] = []
        left, needle = MAX_SEARCHED, wanted.casefold()
        for number, item in enumerate(self.items):
            if not item.is_text or not needle:
                continue
            left -= min(item.size, MAX_TEXT)
            if left < 0 or len(hits) >= MAX_HITS:
                return {"hits": hits[:MAX_HITS], "more": True}
            for at, line in enumerate(_lines(item), 1):
                if needle in line.casefold():
                    hits.append({"file": number, "line": at, "text": _around(line, needle)})
        return {"hits": hits[:MAX_HITS], "more": len(hits) > MAX_HITS}

    def last_line(self, path: str) -> int | None:
        """Number of the last line of a path, the longest of those that have it; None: no such."""
        found = [number for number, item in enumerate(self.items) if item.path == path]
        if not found:
            return None
        return max(len(self.lines(each)) if self.items[each].is_text else 0 for each in found)


def _items(submission: Submission, execution: Execution | None) -> Iterator[Item]:
    yield from _files(submission, "submission", [file.path for file in submission.files])
    if execution is None:
        return
    ran = execution.submission
    if ran is not None and ran is not submission:
        made = {*execution.created, *execution.modified}
        yield from _files(ran, "run", [file.path for file in ran.files if file.path in made])
    if execution.log is not None:
        text = execution.log.text
        yield Item(LOG, len(text), "text", "log", lambda most: text[:most])


def _files(source: Submission, origin: Origin, paths: list[str]) -> Iterator[Item]:
    for path in paths:
        file = source.files[path]
        yield Item(path, file.size, file.kind, origin, _reader(source, path))


def _reader(source: Submission, path: str) -> Callable[[int], str]:
    return lambda most: source.read(path, max_bytes=most)


def _lines(item: Item) -> list[str]:
    try:
        text = item.read(MAX_TEXT)
    except SubmissionError as error:
        return [f"[{error.message}]"]
    shown = render_notebook(text) if item.kind == "notebook" else None
    return split(text if shown is None else shown)


def _around(line: str, needle: str) -> str:
    at = max(0, line.casefold().find(needle) - 40)
    return line[at : at + 160]
