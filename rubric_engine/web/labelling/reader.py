"""What a labeller reads of a submission: its files by number, in parts, and a search over them.

A file is asked for by its number in the list; no name out of an address is ever opened.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, islice
from typing import Any

from rubric_engine.case import Case
from rubric_engine.errors import SubmissionError
from rubric_engine.evidence.lines import shorten
from rubric_engine.texts import Text, Texts

PART = 1000
"""Lines that are given at once."""

MAX_SEARCHED = 40_000_000
"""Bytes of all files that one search reads."""

MAX_HITS = 200

_REMEMBERED = 16


class Reader:
    """The texts of a case by number.

    Args:
        case: What there is to read.

    Attributes:
        texts: The same by path.
    """

    def __init__(self, case: Case) -> None:
        self.texts = Texts(case.submission, case.execution)
        self._lines: dict[int, list[str]] = {}
        self._lock = threading.Lock()

    @property
    def listed(self) -> list[dict[str, Any]]:
        """The list of them as plain values, in the order of their numbers."""
        return [
            {
                "path": text.path,
                "size": text.size,
                "kind": text.kind,
                "origin": text.origin,
                "text": text.is_text,
                "cited": self.texts.is_meant(text),
            }
            for text in self.texts.all
        ]

    def part(self, number: int, start: int) -> dict[str, Any] | None:
        """Some lines of a file.

        Args:
            number: Number of the file.
            start: First line, from 1.

        Returns:
            Plain values; None where there is no such file, or it is no text.
        """
        if not 0 <= number < len(self.texts.all) or not self.texts.all[number].is_text:
            return None
        text, lines, first = self.texts.all[number], self._lines_of(number), max(1, start)
        shown = [shorten(line) for line in lines[first - 1 : first - 1 + PART]]
        return {"first": first, "lines": shown, "total": len(lines), "cut": text.size > text.most}

    def search(self, wanted: str) -> dict[str, Any]:
        """Where a text stands, whatever its case.

        Args:
            wanted: The text, on one line.

        Returns:
            Plain values: the first hits, and whether there may be more.
        """
        numbers, is_all = self._searched
        found = self._places(numbers, wanted.casefold()) if wanted else iter(())
        hits = list(islice(found, MAX_HITS + 1))
        return {"hits": hits[:MAX_HITS], "more": len(hits) > MAX_HITS or not is_all}

    @cached_property
    def _searched(self) -> tuple[Sequence[int], bool]:
        """Numbers of the texts that one search reads, and whether that is all of them."""
        texts = {at: text for at, text in enumerate(self.texts.all) if text.is_text}
        ends = accumulate(min(text.size, text.most) for text in texts.values())
        numbers = [at for at, end in zip(texts, ends, strict=True) if end <= MAX_SEARCHED]
        return numbers, len(numbers) == len(texts)

    def _places(self, numbers: Sequence[int], needle: str) -> Iterator[dict[str, Any]]:
        """Places that hold a text one by one: who has enough of them reads no further."""
        for number in numbers:
            for at, line in enumerate(_lines(self.texts.all[number]), 1):
                if needle in line.casefold():
                    yield {"file": number, "line": at, "text": _around(line, needle)}

    def _lines_of(self, number: int) -> list[str]:
        with self._lock:
            if number not in self._lines:
                while len(self._lines) >= _REMEMBERED:
                    del self._lines[next(iter(self._lines))]
                self._lines[number] = _lines(self.texts.all[number])
            return self._lines[number]


def _lines(text: Text) -> list[str]:
    try:
        return text.lines()
    except SubmissionError as error:
        return [f"[{error.message}]"]


def _around(line: str, needle: str) -> str:
    at = max(0, line.casefold().find(needle) - 40)
    return line[at : at + 160]
