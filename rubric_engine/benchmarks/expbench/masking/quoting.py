"""Where a text repeats long parts of another: runs of lines that say something. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

RUN = 4
"""Lines in a row that make a quotation, unless one of them is long."""

RUN_CHARACTERS = 120
"""Characters that a run of lines has at least."""

LONG_LINE = 200
"""Characters of a line that is a quotation by itself."""

# Comments and imports are the same in files that have nothing to do with each other.
_COMMON = re.compile(r"(#|//|/\*|\*|import\b|from\b|using\b|use\b|@)")
_LEAST_WORD = 4  # letters and digits that a line has at least, among its first ones
_FIRST = 200


@dataclass(frozen=True)
class Quotation:
    """What a text repeats of another.

    Attributes:
        of: Name of the other text.
        line: Where it begins, from 1.
        lines: How many lines are repeated, all runs taken together.
        share: Their share of what the other text says.
    """

    of: str
    line: int
    lines: int
    share: float


class Answers:
    """Texts that must not be quoted.

    Args:
        texts: The texts by their names.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._sizes: dict[str, int] = {}
        self._runs: dict[tuple[str, ...], str] = {}
        for name, text in texts.items():
            said = list(_said(text))
            self._sizes[name] = len({line for _, line in said})
            for run, _ in _runs(said):
                self._runs.setdefault(run, name)

    def quoted_in(self, text: str) -> list[Quotation]:
        """What a text quotes, the most of it first."""
        if not self._runs:
            return []
        first: dict[str, int] = {}
        lines: dict[str, set[str]] = {}
        for run, number in _runs(list(_said(text))):
            name = self._runs.get(run)
            if name is not None:
                first.setdefault(name, number)
                lines.setdefault(name, set()).update(run)
        found = [
            Quotation(name, first[name], len(lines[name]), len(lines[name]) / self._sizes[name])
            for name in first
        ]
        return sorted(found, key=lambda one: -one.lines)


def _said(text: str) -> Iterator[tuple[int, str]]:
    r"""Lines that say something, with their numbers.

    What stands in a notebook, between quotes and with ``\n`` at its end, reads as it does in code.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        for piece in line.replace('\\"', '"').split("\\n"):
            plain = " ".join(piece.strip(" \t\r\"',").split())
            if _says(plain):
                yield number, plain


def _says(line: str) -> bool:
    if _COMMON.match(line):
        return False
    return sum(map(str.isalnum, line[:_FIRST])) >= _LEAST_WORD


def _runs(said: Sequence[tuple[int, str]]) -> Iterator[tuple[tuple[str, ...], int]]:
    for at, (number, line) in enumerate(said):
        if len(line) >= LONG_LINE:
            yield (line,), number
        run = tuple(text for _, text in said[at : at + RUN])
        if len(run) == RUN and sum(map(len, run)) >= RUN_CHARACTERS:
            yield run, number
