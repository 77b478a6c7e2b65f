"""Where a text repeats another: most of its lines, or some of them in a row. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

RUN = 4
"""Lines in a row that make a quotation, unless one of them is long."""

RUN_CHARACTERS = 100
"""Characters that a run of lines has at least, blanks aside."""

LONG_LINE = 200
"""Characters of a line that is a quotation by itself; more do not count."""

NEAR_COPY = 0.6
"""Share of another text from which a text is close to a copy of it."""

NEAR_COPY_CHARACTERS = 48
"""Characters of another text that a text repeats at least if it is close to a copy."""

# Comments and imports are the same in files that have nothing to do with each other.
_COMMON = re.compile(r"(#|//|/\*|\*|import\b|from\b|using\b|use\b|@)")
# Where a licence stands in C and its kin, without a mark on each line.
_HEAD_COMMENT = re.compile(r"\A\s*/\*.*?\*/", re.DOTALL)
# What stands before a line in a patch, a comment, a quotation, a numbered listing.
_LEAD = re.compile(r"([+\-<>|#%;*/.\s]|\d+[:|)\t])+")
_AROUND = " \t\r\"',\\"
_LEAST_WORD = 4  # letters and digits that a line has at least, among its first ones
_FIRST = 200


@dataclass(frozen=True)
class Quotation:
    """What a text repeats of another.

    Attributes:
        of: Name of the other text.
        line: Where it begins, from 1.
        lines: How many lines are repeated.
        share: Their share of what the other text says, by characters.
    """

    of: str
    line: int
    lines: int
    share: float

    @property
    def near_copy(self) -> bool:
        """Whether the text is close to a copy of the other one."""
        return self.share >= NEAR_COPY


class Answers:
    """Texts that must not be quoted.

    Args:
        texts: The texts by their names.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._sizes: dict[str, int] = {}
        self._owners: dict[str, list[str]] = {}
        self._runs: dict[tuple[str, ...], str] = {}
        for name, text in texts.items():
            said = list(_said(_HEAD_COMMENT.sub("", text, count=1)))
            lines = dict.fromkeys(line for _, line in said)
            self._sizes[name] = _weight(lines)
            for line in lines:
                self._owners.setdefault(line, []).append(name)
            for run, _ in _runs(said):
                self._runs.setdefault(run, name)

    def quoted_in(self, text: str) -> list[Quotation]:
        """What a text quotes, the most of it first."""
        repeated: dict[str, dict[str, int]] = {}
        enough: Counter[str] = Counter()
        for piece in _pieces(text):
            for name in self._owners.get(piece.plain, ()):
                repeated.setdefault(name, {}).setdefault(piece.plain, piece.number)
                enough[name] += RUN if len(piece.plain) >= LONG_LINE else 1
        found = [self._quotation(name, lines) for name, lines in repeated.items()]
        if any(enough[one.of] >= RUN and not one.near_copy for one in found):
            in_a_row = {self._runs.get(run) for run, _ in _runs(list(_said(text, self._owners)))}
        else:
            in_a_row = set()
        kept = [one for one in found if one.near_copy or one.of in in_a_row]
        return sorted(kept, key=lambda one: -one.share)

    def _quotation(self, name: str, lines: Mapping[str, int]) -> Quotation:
        characters = _weight(lines)
        share = characters / self._sizes[name] if characters >= NEAR_COPY_CHARACTERS else 0.0
        return Quotation(name, min(lines.values()), len(lines), share)


def _weight(lines: Iterable[str]) -> int:
    """Characters of lines; data in a long one does not outweigh all code."""
    return sum(min(len(line), LONG_LINE) for line in lines)


class _Piece(NamedTuple):
    """A line, as it stands and without what stands before it and around it."""

    number: int
    bare: str
    rest: str
    plain: str


def _pieces(text: str) -> Iterator[_Piece]:
    r"""All lines; what stands in a notebook, with ``\n`` at its end, reads as it does in code."""
    if "\\" in text:
        text = text.replace("\\t", "\t").replace('\\"', '"')
    for number, line in enumerate(text.splitlines(), start=1):
        for piece in line.split("\\n"):
            bare = piece.strip(_AROUND)
            lead = _LEAD.match(bare)
            rest = bare[lead.end() :].strip(_AROUND) if lead else bare
            yield _Piece(number, bare, rest, "".join(rest.split()))


def _said(text: str, known: Container[str] = ()) -> Iterator[tuple[int, str]]:
    """Lines that say something, with their numbers, without blanks.

    Args:
        text: The text.
        known: Lines that are taken in any case: a commented line of an answer is one of it.
    """
    for number, bare, rest, plain in _pieces(text):
        common = _COMMON.match(bare) or _COMMON.match(rest)
        if plain in known or (_says(plain) and not common):
            yield number, plain


def _says(plain: str) -> bool:
    return sum(map(str.isalnum, plain[:_FIRST])) >= _LEAST_WORD


def _runs(said: Sequence[tuple[int, str]]) -> Iterator[tuple[tuple[str, ...], int]]:
    for at, (number, line) in enumerate(said):
        if len(line) >= LONG_LINE:
            yield (line,), number
        run = tuple(text for _, text in said[at : at + RUN])
        if len(run) == RUN and sum(map(len, run)) >= RUN_CHARACTERS:
            yield run, number
